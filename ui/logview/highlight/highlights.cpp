#include "logview/highlight/highlights.h"

#include "widgets/logpalette.h"

#include <QHeaderView>
#include <QSettings>
#include <QTableWidget>

#include <algorithm>

namespace rankdeck
{

namespace
{

const QString setsKey = u"highlights/sets"_s;
const QString inUseKey = u"highlights/inUse"_s;
const QString nameKey = u"name"_s;
const QString listKey = u"list"_s;
const QString textKey = u"text"_s;
const QString regexKey = u"regex"_s;
const QString caseKey = u"case"_s;
const QString colorKey = u"color"_s;

enum Column { TextColumn, RegexColumn, CaseColumn, ColorColumn, ColumnCount };

QTableWidgetItem *checkItem(bool isChecked)
{
    auto *const item = new QTableWidgetItem;
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(isChecked ? Qt::Checked : Qt::Unchecked);
    return item;
}

} // namespace

QList<Highlight> HighlightSets::current() const
{
    for (const HighlightSet &set : sets) {
        if (set.name == inUse && !inUse.isEmpty())
            return set.highlights;
    }
    return {};
}

/// A set to begin with.
static HighlightSet readySet()
{
    const auto regex = [](const char *text, int color) {
        return Highlight{{QString::fromLatin1(text), true, false}, color};
    };
    constexpr int yellow = 0;
    constexpr int purple = 4;
    constexpr int red = 5;
    constexpr int blue = 3;
    return {tr("Problems"),
            {regex("\\b(?:error|exception|fatal)\\b", red), regex("\\bwarn(?:ing)?\\b", yellow),
             regex("\\b(?:nan|inf)\\b", purple), regex("out of memory|\\boom\\b", blue)}};
}

void HighlightSets::add(const QString &text)
{
    auto set = std::ranges::find(sets, inUse, &HighlightSet::name);
    if (inUse.isEmpty() || set == sets.end()) {
        inUse = tr("Selections");
        set = std::ranges::find(sets, inUse, &HighlightSet::name);
        if (set == sets.end()) {
            sets.append({inUse, {}});
            set = sets.end() - 1;
        }
    }
    const Highlight highlight{{text, false, true}, int(set->highlights.size()) % LogPalette::highlightColors};
    const auto same = std::ranges::find(set->highlights, highlight.pattern, &Highlight::pattern);
    if (same == set->highlights.end())
        set->highlights.append(highlight);
}

HighlightSets HighlightSets::load()
{
    if (!QSettings().contains(inUseKey))
        return {{readySet()}, {}};
    HighlightSets all;
    QSettings settings;
    all.inUse = settings.value(inUseKey).toString();
    const int count = settings.beginReadArray(setsKey);
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        HighlightSet set{settings.value(nameKey).toString(), {}};
        const int size = settings.beginReadArray(listKey);
        for (int k = 0; k < size; ++k) {
            settings.setArrayIndex(k);
            const Highlight highlight{{settings.value(textKey).toString(), settings.value(regexKey).toBool(),
                                       settings.value(caseKey).toBool()},
                                      settings.value(colorKey).toInt()};
            if (highlight.color >= 0 && highlight.color < LogPalette::highlightColors &&
                LogMatcher::create(highlight.pattern))
                set.highlights.append(highlight);
        }
        settings.endArray();
        if (!set.name.isEmpty())
            all.sets.append(set);
    }
    settings.endArray();
    return all;
}

void HighlightSets::save() const
{
    QSettings settings;
    settings.setValue(inUseKey, inUse);
    settings.remove(setsKey);
    settings.beginWriteArray(setsKey, int(sets.size()));
    for (int i = 0; i < sets.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue(nameKey, sets[i].name);
        settings.beginWriteArray(listKey, int(sets[i].highlights.size()));
        for (int k = 0; k < sets[i].highlights.size(); ++k) {
            const Highlight &highlight = sets[i].highlights[k];
            settings.setArrayIndex(k);
            settings.setValue(textKey, highlight.pattern.text);
            settings.setValue(regexKey, highlight.pattern.isRegex);
            settings.setValue(caseKey, highlight.pattern.caseSensitive);
            settings.setValue(colorKey, highlight.color);
        }
        settings.endArray();
    }
    settings.endArray();
}

HighlightDialog::HighlightDialog(const HighlightSets &sets, QWidget *parent)
    : QDialog(parent)
    , m_sets(sets)
{
    setObjectName(u"highlightDialog"_s);
    setWindowTitle(tr("Highlights"));
    m_set = new QComboBox;
    m_set->addItem(tr("None"));
    auto *const newSet = new QPushButton(tr("&New set"));
    auto *const removeButton = new QPushButton(tr("&Delete set"));
    m_table = named(new QTableWidget(0, ColumnCount), "", tr("Highlights of the set"));
    m_table->setHorizontalHeaderLabels({tr("Text"), tr("Regex"), tr("Case"), tr("Colour")});
    m_table->horizontalHeader()->setSectionResizeMode(TextColumn, QHeaderView::Stretch);
    m_tableButtons = makeTableButtons();
    m_trouble = plainLabel("");
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

    auto *const row = rowOf({labelOf(m_set, tr("&Set in use:")), {m_set, 1}, newSet, removeButton});
    addParts(new QVBoxLayout(this), {row, {m_table, 1}, m_tableButtons, m_trouble, buttons});
    resizeInText(this, 70, 25);

    for (const HighlightSet &set : std::as_const(m_sets.sets))
        m_set->addItem(set.name);
    // The name of a set is edited in place.
    m_set->setInsertPolicy(QComboBox::NoInsert);
    connect(m_set, &QComboBox::currentIndexChanged, this, &HighlightDialog::chooseSet);
    connect(m_set, &QComboBox::editTextChanged, this, [this](const QString &name) {
        if (m_shown >= 0 && m_set->currentIndex() == m_shown + 1) {
            m_sets.sets[m_shown].name = name;
            m_set->setItemText(m_shown + 1, name);
        }
    });
    connect(newSet, &QPushButton::clicked, this, &HighlightDialog::addSet);
    connect(removeButton, &QPushButton::clicked, this, &HighlightDialog::removeSet);
    connect(buttons, &QDialogButtonBox::accepted, this, &HighlightDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &HighlightDialog::reject);
    const auto inUse = std::ranges::find(m_sets.sets, m_sets.inUse, &HighlightSet::name);
    const auto index = inUse == m_sets.sets.end() ? 0 : int(inUse - m_sets.sets.begin()) + 1;
    m_set->setCurrentIndex(index);
    chooseSet(index);
}

QWidget *HighlightDialog::makeTableButtons()
{
    auto *const buttons = new QWidget;
    auto *const add = new QPushButton(tr("&Add"));
    auto *const remove = new QPushButton(tr("&Remove"));
    addParts(withoutMargins(new QHBoxLayout(buttons)), {add, remove, Stretch{}});
    connect(add, &QPushButton::clicked, this, [this] {
        addHighlight({{QString(), false, true}, m_table->rowCount() % LogPalette::highlightColors});
        m_table->setCurrentCell(m_table->rowCount() - 1, TextColumn);
        m_table->editItem(m_table->currentItem());
    });
    connect(remove, &QPushButton::clicked, this, [this] { m_table->removeRow(m_table->currentRow()); });
    return buttons;
}

void HighlightDialog::addSet()
{
    QString name;
    const auto isTaken = [&name](const HighlightSet &set) {
        return set.name == name;
    };
    int number = 1;
    do {
        name = tr("Set %1").arg(number++);
    } while (std::ranges::any_of(m_sets.sets, isTaken));
    m_sets.sets.append({name, {}});
    m_set->addItem(name);
    m_set->setCurrentIndex(m_set->count() - 1);
}

void HighlightDialog::removeSet()
{
    const int index = std::exchange(m_shown, -1);
    if (index < 0)
        return;
    m_sets.sets.removeAt(index);
    m_set->removeItem(index + 1);
    chooseSet(m_set->currentIndex());
}

void HighlightDialog::addHighlight(const Highlight &highlight)
{
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    m_table->setItem(row, TextColumn, new QTableWidgetItem(highlight.pattern.text));
    m_table->setItem(row, RegexColumn, checkItem(highlight.pattern.isRegex));
    m_table->setItem(row, CaseColumn, checkItem(highlight.pattern.caseSensitive));
    auto *const color = new QComboBox;
    color->addItems({tr("Yellow"), tr("Green"), tr("Cyan"), tr("Blue"), tr("Purple"), tr("Red")});
    const LogPalette colors(palette());
    for (int i = 0; i < color->count(); ++i)
        color->setItemData(i, colors.highlight(i), Qt::DecorationRole);
    color->setCurrentIndex(highlight.color);
    color->setAccessibleName(tr("Colour"));
    m_table->setCellWidget(row, ColorColumn, color);
}

void HighlightDialog::chooseSet(int index)
{
    takeTable();
    m_shown = index - 1;
    m_set->setEditable(m_shown >= 0);
    m_table->setRowCount(0);
    m_table->setEnabled(m_shown >= 0);
    m_tableButtons->setEnabled(m_shown >= 0);
    if (m_shown < 0)
        return;
    for (const Highlight &highlight : std::as_const(m_sets.sets[m_shown].highlights))
        addHighlight(highlight);
}

void HighlightDialog::takeTable()
{
    if (m_shown < 0)
        return;
    QList<Highlight> highlights;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const auto isChecked = [&](int column) {
            return m_table->item(row, column)->checkState() == Qt::Checked;
        };
        const QString text = m_table->item(row, TextColumn)->text();
        const auto *const color = qobject_cast<QComboBox *>(m_table->cellWidget(row, ColorColumn));
        if (!text.isEmpty() && color)
            highlights.append({{text, isChecked(RegexColumn), isChecked(CaseColumn)}, color->currentIndex()});
    }
    m_sets.sets[m_shown].highlights = highlights;
}

void HighlightDialog::accept()
{
    takeTable();
    QStringList names;
    for (const HighlightSet &set : std::as_const(m_sets.sets)) {
        if (set.name.trimmed().isEmpty() || names.contains(set.name)) {
            m_trouble->setText(tr("Each set needs a unique name."));
            return;
        }
        names.append(set.name);
        for (const Highlight &highlight : set.highlights) {
            if (const Result<LogMatcher> matcher = LogMatcher::create(highlight.pattern); !matcher) {
                m_trouble->setText(matcher.error().sentence());
                return;
            }
        }
    }
    m_sets.inUse = m_shown >= 0 ? m_sets.sets[m_shown].name : QString();
    QDialog::accept();
}

} // namespace rankdeck
