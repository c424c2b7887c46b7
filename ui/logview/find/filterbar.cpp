#include "logview/find/filterbar.h"

#include "widgets/texthistory.h"

#include <QInputDialog>
#include <QMenu>

#include <algorithm>

namespace rankdeck
{

const QString filtersKey = u"log/filters"_s;

static void write(const QList<SavedFilter> &filters)
{
    QSettings settings;
    settings.remove(filtersKey);
    settings.beginWriteArray(filtersKey, int(filters.size()));
    for (int at = 0; at < filters.size(); ++at) {
        settings.setArrayIndex(at);
        settings.setValue(u"name"_s, filters[at].name);
        settings.setValue(u"text"_s, filters[at].text);
        settings.setValue(u"regex"_s, filters[at].isRegex);
        settings.setValue(u"case"_s, filters[at].caseSensitive);
        settings.setValue(u"severity"_s, static_cast<int>(filters[at].leastSeverity));
        settings.setValue(u"context"_s, filters[at].context);
    }
    settings.endArray();
}

QList<SavedFilter> savedFilters()
{
    QList<SavedFilter> filters;
    QSettings settings;
    const int count = settings.beginReadArray(filtersKey);
    for (int at = 0; at < count; ++at) {
        settings.setArrayIndex(at);
        const int severity =
            std::clamp(settings.value(u"severity"_s).toInt(), 0, static_cast<int>(LogSeverity::Critical));
        filters.append({settings.value(u"name"_s).toString(), settings.value(u"text"_s).toString(),
                        settings.value(u"regex"_s).toBool(), settings.value(u"case"_s).toBool(),
                        static_cast<LogSeverity>(severity),
                        std::max(0, settings.value(u"context"_s).toInt())});
    }
    settings.endArray();
    filters.removeIf([](const SavedFilter &filter) { return filter.name.isEmpty(); });
    std::ranges::sort(filters, {}, &SavedFilter::name);
    return filters;
}

void saveFilter(const SavedFilter &filter)
{
    deleteFilter(filter.name);
    write(savedFilters() << filter);
}

void deleteFilter(const QString &name)
{
    QList<SavedFilter> filters = savedFilters();
    filters.removeIf([&name](const SavedFilter &filter) { return filter.name == name; });
    write(filters);
}

constexpr int mostContext = 50;
// The wider a line edit, the more pixels each of its repaints sends.
constexpr int filterWidth = 220;

std::vector<std::vector<LogPattern>> patternsIn(const QString &text, bool isRegex, bool caseSensitive)
{
    std::vector<std::vector<LogPattern>> all;
    for (const QString &part : text.split(u" && "_s, Qt::SkipEmptyParts)) {
        std::vector<LogPattern> any;
        for (QString pattern : part.split(u" || "_s, Qt::SkipEmptyParts)) {
            const bool isNegated = pattern.size() > 1 && pattern.startsWith('!'_L1);
            if (isNegated)
                pattern.remove(0, 1);
            any.push_back({pattern, isRegex, caseSensitive, isNegated});
        }
        if (!any.empty())
            all.push_back(std::move(any));
    }
    return all;
}

FilterBar::FilterBar(QWidget *parent)
    : WrappingRow(parent)
    , m_words(new QHBoxLayout)
    , m_limits(new QHBoxLayout)
    , m_edit(filterEdit(this, "filterText", tr("Filter lines")))
    , m_regex(named(new QCheckBox(tr("Rege&x"), this), "filterRegex"))
    , m_case(named(new QCheckBox(tr("&Case"), this), "filterCase"))
    , m_severity(named(new QComboBox(this), "filterSeverity", tr("Severity")))
    , m_context(named(new QSpinBox(this), "filterContext", tr("Lines of context")))
    , m_saved(named(flatButton(this, tr("Saved"), tr("Filters with a name: choose, save, delete")),
                    "savedFilters"))
    , m_result(resultLabel("filterResult"))
{
    new TextHistory(m_edit, u"log/filterTexts"_s);
    m_saved->setPopupMode(QToolButton::InstantPopup);
    m_saved->setMenu(new QMenu(m_saved));
    connect(m_saved->menu(), &QMenu::aboutToShow, this, &FilterBar::fillMenu);
    m_edit->setMaximumWidth(filterWidth);
    m_edit->setMinimumWidth(filterWidth / 2);
    m_case->setToolTip(tr("Match case"));
    m_edit->setToolTip(tr("Join patterns by \" && \" (all match) or \" || \" (one matches); \"!\" before a "
                          "pattern excludes its lines. For example: loss || error && !warmup"));
    m_regex->setToolTip(tr("Each pattern is a regular expression (RE2)"));
    m_severity->addItem(tr("Any severity"), static_cast<int>(LogSeverity::None));
    m_severity->addItem(tr("Info and worse"), static_cast<int>(LogSeverity::Info));
    m_severity->addItem(tr("Warnings and worse"), static_cast<int>(LogSeverity::Warning));
    m_severity->addItem(tr("Errors"), static_cast<int>(LogSeverity::Error));
    m_context->setRange(0, mostContext);
    m_context->setPrefix(tr("\u00b1 "));
    const auto showUnit = [this](int count) {
        m_context->setSuffix(tr(" lines", " line", count));
    };
    showUnit(0);
    m_context->setToolTip(m_context->accessibleName());

    addParts(m_words, {{m_edit, 1}, m_regex, m_case, Stretch{}});
    addParts(m_limits, {m_severity, m_context, m_saved, {m_result, 1}});
    setGroups(m_words, 3, m_limits, 2);
    layout()->setContentsMargins(4, 2, 4, 2);

    connect(&m_soon, &QTimer::timeout, this, &FilterBar::change);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_edit, &QLineEdit::returnPressed, this, &FilterBar::change);
    connect(m_regex, &QCheckBox::toggled, this, &FilterBar::change);
    connect(m_case, &QCheckBox::toggled, this, &FilterBar::change);
    connect(m_severity, &QComboBox::currentIndexChanged, this, &FilterBar::change);
    connect(m_context, &QSpinBox::valueChanged, this, showUnit);
    connect(m_context, &QSpinBox::valueChanged, this, [this] { m_soon.start(); });
}

void FilterBar::append(QCheckBox *option, QToolButton *action)
{
    m_words->insertWidget(m_words->count() - 1, option); // Before the stretch.
    m_limits->insertWidget(m_limits->indexOf(m_result), action);
}

void FilterBar::setLineCount(qint64 count)
{
    m_resultText = tr("%Ln lines", "%Ln line", int(count));
    showResult();
}

void FilterBar::focusText()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::add(const QString &text, bool isExcluded)
{
    // Operators that join patterns of plain text do not do so in a regular expression.
    const bool joins =
        text.contains(" && "_L1) || text.contains(" || "_L1) || (text.startsWith('!'_L1) && !isExcluded);
    QString before = m_edit->text();
    if (joins && !m_regex->isChecked()) {
        before.clear();
        m_regex->setChecked(true);
    }
    const QString pattern =
        (isExcluded ? u"!"_s : QString()) + (m_regex->isChecked() ? LogMatcher::quoted(text) : text);
    m_edit->setText(before.isEmpty() ? pattern : before + u" && "_s + pattern);
    change();
}

SavedFilter FilterBar::content() const
{
    return {{},
            m_edit->text(),
            m_regex->isChecked(),
            m_case->isChecked(),
            static_cast<LogSeverity>(m_severity->currentData().toInt()),
            m_context->value()};
}

void FilterBar::setContent(const SavedFilter &filter)
{
    m_edit->setText(filter.text);
    m_regex->setChecked(filter.isRegex);
    m_case->setChecked(filter.caseSensitive);
    m_severity->setCurrentIndex(std::max(0, m_severity->findData(static_cast<int>(filter.leastSeverity))));
    m_context->setValue(filter.context);
    change();
}

/// Returns the text of an action that shows `name` as it is.
static QString withoutMnemonic(QString name)
{
    return name.replace('&'_L1, "&&"_L1);
}

void FilterBar::fillMenu()
{
    QMenu *const menu = m_saved->menu();
    menu->clear();
    const QList<SavedFilter> filters = savedFilters();
    for (const SavedFilter &filter : filters)
        connect(menu->addAction(withoutMnemonic(filter.name)), &QAction::triggered, this,
                [this, filter] { setContent(filter); });
    menu->addSeparator();
    QAction *const save = named(menu->addAction(tr("&Save this filter…")), "saveFilterAction");
    save->setEnabled(!m_filter.isEmpty());
    connect(save, &QAction::triggered, this, &FilterBar::askForName);
    QMenu *const removing = menu->addMenu(tr("&Delete"));
    removing->setEnabled(!filters.isEmpty());
    for (const SavedFilter &filter : filters)
        connect(removing->addAction(withoutMnemonic(filter.name)), &QAction::triggered, this,
                [name = filter.name] { deleteFilter(name); });
}

void FilterBar::askForName()
{
    auto *const dialog = named(new QInputDialog(this), "filterNameDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save filter"));
    dialog->setLabelText(tr("Name of the filter:"));
    dialog->setTextValue(m_edit->text());
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &name) {
        SavedFilter filter = content();
        filter.name = name.trimmed();
        if (!filter.name.isEmpty())
            saveFilter(filter);
    });
    dialog->open();
}

void FilterBar::change()
{
    m_soon.stop();
    LogFilterSpec spec;
    spec.patterns = patternsIn(m_edit->text(), m_regex->isChecked(), m_case->isChecked());
    spec.leastSeverity = static_cast<LogSeverity>(m_severity->currentData().toInt());
    const auto filter = LogFilter::create(spec);
    m_problem = filter ? QString() : filter.error().sentence();
    showResult();
    if (!filter)
        return;
    m_filter = *filter;
    Q_EMIT changed();
}

} // namespace rankdeck
