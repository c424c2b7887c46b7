#include "collectives/collectivesview.h"

#include "base/listcomma.h"
#include "widgets/tone.h"

#include <QHeaderView>

namespace rankdeck
{

using State = CollectiveCell::State;

/// A sign for each state, so that colour is never the only one.
static QString signOf(const CollectiveCell &cell)
{
    static constexpr std::array signs{u'?', u'✖', u'·', u'…', u'✓'};
    static_assert(signs.size() == std::size_t(State::Completed) + 1);
    return QChar(signs.at(std::size_t(cell.state)));
}

static QString stateWords(State state)
{
    static constexpr std::array words{QT_TRANSLATE_NOOP("rankdeck::CollectivesModel", "nothing is known"),
                                      QT_TRANSLATE_NOOP("rankdeck::CollectivesModel", "not called"),
                                      QT_TRANSLATE_NOOP("rankdeck::CollectivesModel", "scheduled"),
                                      QT_TRANSLATE_NOOP("rankdeck::CollectivesModel", "waits"),
                                      QT_TRANSLATE_NOOP("rankdeck::CollectivesModel", "completed")};
    static_assert(words.size() == std::size_t(State::Completed) + 1);
    return CollectivesModel::tr(words.at(std::size_t(state)));
}

static Tone toneOf(const CollectiveCell &cell)
{
    if (cell.isOdd || cell.state == State::NotCalled)
        return Tone::Bad;
    return cell.state == State::Started || cell.state == State::Scheduled ? Tone::Caution : Tone::Idle;
}

void CollectivesModel::setTable(const CollectiveTable &table)
{
    if (table == m_table)
        return;
    beginResetModel();
    m_table = table;
    endResetModel();
}

QString CollectivesModel::words(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    const CollectiveCell &its = cell(index);
    QStringList parts{tr("Rank %1, #%2: %3")
                          .arg(m_table.rows[std::size_t(index.row())].rank)
                          .arg(m_table.sequences[index.column()])
                          .arg(stateWords(its.state))};
    if (!its.operation.isEmpty())
        parts << u"%1 %2"_s.arg(its.operation, its.shape).trimmed();
    if (!its.place.isEmpty())
        parts << its.place;
    return parts.join(listComma());
}

QVariant CollectivesModel::data(const QModelIndex &index, int role) const
{
    const CollectiveCell &its = cell(index);
    switch (role) {
    case Qt::DisplayRole:
        return its.isOdd ? u"%1 %2"_s.arg(signOf(its), its.operation) : signOf(its);
    case Qt::ForegroundRole:
        return toneColor(toneOf(its), m_palette);
    case Qt::BackgroundRole:
        return toneOf(its) == Tone::Idle ? QVariant() : QVariant(toneBackground(toneOf(its), m_palette));
    case Qt::TextAlignmentRole:
        return int(Qt::AlignCenter);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return words(index);
    default:
        return {};
    }
}

QVariant CollectivesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    if (orientation == Qt::Horizontal)
        return u"#%1"_s.arg(m_table.sequences[section]);
    const CollectiveTable::Row &row = m_table.rows[std::size_t(section)];
    return row.isOdd ? tr("! rank %1").arg(row.rank) : tr("rank %1").arg(row.rank);
}

CollectivesRead readCollectives(const QString &folder)
{
    CollectivesRead read;
    const auto dumps = readRecorderDumps(folder);
    if (!dumps) {
        read.problem = dumps.error().sentence();
        return read;
    }
    read.report = reportCollectives(*dumps);
    read.tables = collectiveTables(*dumps, read.report);
    return read;
}

CollectivesView::CollectivesView(QWidget *parent)
    : QWidget(parent)
    , m_findings(plainLabel("collectiveFindings"))
    , m_group(named(new QComboBox(this), "groupChoice"))
    , m_groupLabel(labelOf(m_group, tr("&Group:")))
    , m_ask(named(new QPushButton(tr("Ask all ranks &now"), this), "askRecordersButton"))
    , m_model(new CollectivesModel(this))
    , m_table(named(new QTableView(this), "collectivesTable", tr("Collectives by rank")))
    , m_words(plainLabel("collectiveWords"))
    , m_reader(this, [this](const CollectivesRead &read) { take(read); })
{
    setObjectName(u"collectivesView"_s);
    setManualPage(this, "hangs.md");
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_findings->setContentsMargins(8, 8, 8, 4);
    m_words->setContentsMargins(8, 4, 8, 4);
    m_ask->setToolTip(tr("Has the flight recorder of each rank dump its collectives, and takes stacks."));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    adaptToPalette(this, [this] {
        m_model->setPalette(palette());
        m_table->viewport()->update();
    });

    m_table->setModel(m_model);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->viewport()->setAttribute(Qt::WA_Hover, false);
    m_table->horizontalHeader()->setHighlightSections(false);
    fitRowsToText(m_table);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    addParts(bar, {m_groupLabel, m_group, Stretch{1}, m_ask});
    addParts(withoutMargins(new QVBoxLayout(this), 0), {m_findings, bar, {m_table, 1}, m_words});
    setFocusProxy(m_table);
    m_ask->hide();
    take({});

    connect(m_group, &QComboBox::currentIndexChanged, this, &CollectivesView::showGroup);
    connect(m_ask, &QPushButton::clicked, this, &CollectivesView::dumpsRequested);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex &current) { m_words->setText(m_model->words(current)); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        Q_EMIT rankRequested(m_model->table().rows[std::size_t(index.row())].rank);
    });
}

void CollectivesView::setFolder(const QString &folder, int changes)
{
    if (std::exchange(m_changes, changes) == changes && m_folder == folder)
        return;
    m_folder = folder;
    m_reader.ask([folder](const NewestWins<CollectivesRead>::IsCancelled &) {
        return folder.isEmpty() ? CollectivesRead() : readCollectives(folder);
    });
}

void CollectivesView::take(const CollectivesRead &read)
{
    m_read = read;
    QString text = textsOf(read.report.findings).join('\n'_L1);
    if (read.tables.empty())
        text = tr("No rank's collectives are known yet. Ranks with torch or torch_npu are asked for them "
                  "when the run "
                  "stalls or fails; see --flight-recorder.");
    else if (text.isEmpty())
        text = tr("No rank waits for another, and all call the same collectives.");
    m_findings->setText(text);
    const QString group = m_group->currentText();
    {
        const QSignalBlocker blocker(m_group);
        m_group->clear();
        for (const CollectiveTable &table : read.tables)
            m_group->addItem(table.group.description.isEmpty()
                                 ? table.group.name
                                 : inBrackets(table.group.name, table.group.description));
    }
    m_group->setEnabled(m_group->count() > 1);
    m_group->setVisible(m_group->count() > 0);
    m_groupLabel->setVisible(m_group->count() > 0);
    // The group shown before stays if it is still listed; else the first, which stands still.
    const int same = int(m_group->findText(group));
    m_group->setCurrentIndex(std::max(same, 0));
    showGroup(m_group->currentIndex());
}

void CollectivesView::showGroup(int index)
{
    const bool isThere = index >= 0 && std::size_t(index) < m_read.tables.size();
    m_model->setTable(isThere ? m_read.tables[std::size_t(index)] : CollectiveTable());
    m_table->resizeColumnsToContents();
    m_words->clear();
    if (m_model->rowCount() == 0 || m_model->columnCount() == 0)
        return;
    const QModelIndex last = m_model->index(0, m_model->columnCount() - 1);
    m_table->setCurrentIndex(last);
    m_table->scrollTo(last);
    m_words->setText(m_model->words(last));
}

} // namespace rankdeck
