#include "preflight/page/preflightlist.h"

#include <QFont>
#include <QSortFilterProxyModel>
#include <QTreeView>

namespace rankdeck
{

namespace
{

using Status = PreflightCheck::Status;

struct StatusLook {
    const char16_t *sign;
    Tone tone;
    int order;
};

/// In the order of PreflightCheck::Status.
constexpr StatusLook looks[] = {
    {u"✓", Tone::Good, 3}, {u"!", Tone::Caution, 1}, {u"×", Tone::Bad, 0}, {u"–", Tone::Idle, 2}};

constexpr int detailLines = 5;
constexpr int statusCharacters = 18; ///< The column also has the names of the parts.
constexpr int subjectCharacters = 28;

Tone toneOf(Status status)
{
    return looks[size_t(status)].tone;
}

/// Returns the word of a status with a sign: "× FAIL".
QString shownStatus(Status status)
{
    return QString::fromUtf16(looks[size_t(status)].sign) + ' '_L1 + preflightStatusName(status);
}

/// Returns a number for sorting; problems are lower.
int severityOrder(const PreflightCheck &check)
{
    return looks[size_t(check.status)].order;
}

bool isProblem(Status status)
{
    return status == Status::Fail || status == Status::Warn;
}

struct CheckWords {
    const char *name; ///< As in PreflightCheck.
    const char *words;
};

constexpr CheckWords checkWords[] = {
    {"agent", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "Rankdeck on the node")},
    {"clock", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "clock")},
    {"hccl-ports", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "ports of HCCL")},
    {"holders", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "who uses the NPUs")},
    {"import", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "Python modules")},
    {"log-space", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "space for logs")},
    {"master", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "master address")},
    {"master-port", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "port of the master")},
    {"network-card", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "network card")},
    {"npu-address", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "address of the NPU")},
    {"npu-health", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "health of the NPU")},
    {"npu-link", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "link of the NPU")},
    {"npu-memory", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "free NPU memory")},
    {"npu-network", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "network of the NPUs")},
    {"npu-network-health", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "health of the NPU's network")},
    {"npu-tls", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "TLS between NPUs")},
    {"npus", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "NPUs")},
    {"npus-listed", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "NPUs of the rank table")},
    {"open-files", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "limit of open files")},
    {"processes-limit", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "limit of processes")},
    {"programs", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "programs and script")},
    {"rank-table", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "rank table")},
    {"shared-memory", QT_TRANSLATE_NOOP("rankdeck::PreflightModel", "shared memory")},
};

/// Returns the subject of a check, in words; its name if it has none.
QString checkTitle(const QString &name)
{
    const auto known = std::ranges::find_if(
        checkWords, [&name](const CheckWords &its) { return name == QLatin1String(its.name); });
    return known == std::end(checkWords) ? name : PreflightModel::tr(known->words);
}

/// Returns the title and the subject of a check: "Python modules, node2".
QString subjectOf(const PreflightCheck &check)
{
    const QString title = checkTitle(check.name);
    if (check.subject.isEmpty())
        return title;
    return tr("%1, %2", "what was looked at, and on what").arg(title, check.subject);
}

/// Returns all of a check: its status, its finding, its advice.
QString checkText(const PreflightCheck &check)
{
    QString text =
        tr("%1: %2", "status; what was looked at").arg(shownStatus(check.status), subjectOf(check));
    for (const QString &part : {check.sentence, check.mend}) {
        if (!part.isEmpty())
            text += '\n'_L1 + part;
    }
    return text;
}

} // namespace

QString reportText(const PreflightReport &report)
{
    QStringList lines{report.summary()};
    std::vector<PreflightCheck> checks = report.checks;
    std::ranges::stable_sort(
        checks, {}, [](const PreflightCheck &check) { return std::pair(check.part, severityOrder(check)); });
    std::optional<PreflightCheck::Part> part;
    for (const PreflightCheck &check : checks) {
        if (part != check.part)
            lines << QString() << preflightPartName(check.part);
        part = check.part;
        QString text = checkText(check);
        lines << u"  "_s + text.replace('\n'_L1, "\n    "_L1);
    }
    return lines.join('\n'_L1) + '\n'_L1;
}

void PreflightModel::clear()
{
    beginResetModel();
    m_parts.clear();
    endResetModel();
}

void PreflightModel::add(const PreflightCheck &check)
{
    auto rows =
        std::ranges::find_if(m_parts, [&check](const Rows &other) { return other.part >= check.part; });
    const auto partRow = int(rows - m_parts.begin());
    if (rows == m_parts.end() || rows->part != check.part) {
        beginInsertRows({}, partRow, partRow);
        rows = m_parts.insert(rows, Rows{check.part, {}});
        endInsertRows();
    }
    const auto place = std::ranges::upper_bound(rows->checks, severityOrder(check), {}, severityOrder);
    const auto row = int(place - rows->checks.begin());
    const QModelIndex part = index(partRow, 0);
    beginInsertRows(part, row, row);
    rows->checks.insert(place, check);
    endInsertRows();
    Q_EMIT dataChanged(part, index(partRow, ColumnCount - 1));
}

const PreflightCheck *PreflightModel::check(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return nullptr;
    return &m_parts[index.internalId() - 1].checks[std::size_t(index.row())];
}

QModelIndex PreflightModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    // The id of a part is 0, that of a check the row of its part + 1.
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : 0);
}

QModelIndex PreflightModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(int(index.internalId() - 1), 0, quintptr(0));
}

int PreflightModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return int(m_parts.size());
    if (parent.internalId() != 0 || parent.column() != 0)
        return 0;
    return int(m_parts[std::size_t(parent.row())].checks.size());
}

QVariant PreflightModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (const PreflightCheck *its = check(index))
        return checkData(*its, index.column(), role);
    return partData(m_parts[std::size_t(index.row())], index.column(), role);
}

QVariant PreflightModel::partData(const Rows &rows, int column, int role) const
{
    const auto worst = rows.checks.empty() ? PreflightCheck::Status::Pass : rows.checks.front().status;
    switch (role) {
    case Qt::DisplayRole:
        break;
    case Qt::FontRole: {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    case Qt::ForegroundRole:
        return column == SentenceColumn ? toneColor(toneOf(worst), m_palette) : QVariant();
    case IsProblemRole:
        return isProblem(worst);
    default:
        return {};
    }
    if (column == StatusColumn)
        return preflightPartName(rows.part);
    if (column != SentenceColumn)
        return {};
    QStringList counts;
    for (const auto status : {PreflightCheck::Status::Fail, PreflightCheck::Status::Warn,
                              PreflightCheck::Status::Pass, PreflightCheck::Status::Skipped}) {
        const auto count = std::ranges::count(rows.checks, status, &PreflightCheck::status);
        if (count > 0)
            counts << tr("%1: %2", "× FAIL: how many checks").arg(shownStatus(status)).arg(count);
    }
    return counts.join(u"   "_s);
}

QVariant PreflightModel::checkData(const PreflightCheck &check, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return column == StatusColumn    ? shownStatus(check.status)
               : column == SubjectColumn ? subjectOf(check)
                                         : check.sentence;
    case Qt::ToolTipRole: // Escaped: a node's message may look like markup.
        return u"<p style='white-space: pre-wrap'>%1</p>"_s.arg(checkText(check).toHtmlEscaped());
    case Qt::AccessibleDescriptionRole:
        return checkText(check);
    case Qt::ForegroundRole:
        return column == StatusColumn ? toneColor(toneOf(check.status), m_palette) : QVariant();
    case IsProblemRole:
        return isProblem(check.status);
    default:
        return {};
    }
}

QVariant PreflightModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr const char *headings[ColumnCount] = {QT_TR_NOOP("Result"), QT_TR_NOOP("Check"),
                                                          QT_TR_NOOP("What was found")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return tr(headings[section]);
}

PreflightList::PreflightList()
    : m_model(new PreflightModel(this))
    , m_filter(new QSortFilterProxyModel(this))
    , m_list(named(new QTreeView, "preflightList", tr("Checks")))
    , m_detail(readOnlyText("checkDetail", tr("Details of the check")))
{
    adaptToPalette(this, [this] { m_model->setPalette(palette()); });
    m_filter->setSourceModel(m_model);
    m_filter->setRecursiveFilteringEnabled(true);
    m_list->setModel(m_filter);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &PreflightList::showDetail);
    // Also for the selected row again: the counts of its part may have changed.
    connect(m_list, &QTreeView::clicked, this, &PreflightList::showDetail);

    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *splitter = splitterOf(Qt::Vertical, {m_list, m_detail}, {1});
    splitter->setSizes({10'000, m_detail->fontMetrics().lineSpacing() * detailLines});
    withoutMargins(new QVBoxLayout(this))->addWidget(splitter);
    showDetail({});
}

void PreflightList::clear()
{
    m_model->clear();
    showDetail({});
}

void PreflightList::add(const PreflightCheck &check)
{
    m_model->add(check);
    if (isProblem(check.status))
        openProblems();
}

void PreflightList::setOnlyProblems(bool only)
{
    m_filter->setFilterRole(PreflightModel::IsProblemRole);
    m_filter->setFilterFixedString(only ? u"true"_s : QString());
    openProblems();
}

void PreflightList::showFirstProblem()
{
    for (int row = 0; row < m_filter->rowCount() && !m_list->currentIndex().isValid(); ++row) {
        const QModelIndex part = m_filter->index(row, 0);
        if (part.data(PreflightModel::IsProblemRole).toBool())
            m_list->setCurrentIndex(m_filter->index(0, 0, part));
    }
}

/// Opens the parts with problems; those that the user folds stay folded until the next problem.
void PreflightList::openProblems()
{
    for (int row = 0; row < m_filter->rowCount(); ++row) {
        const QModelIndex part = m_filter->index(row, 0);
        if (part.data(PreflightModel::IsProblemRole).toBool())
            m_list->expand(part);
    }
}

void PreflightList::showDetail(const QModelIndex &shown)
{
    const QModelIndex index = m_filter->mapToSource(shown);
    if (const PreflightCheck *check = m_model->check(index))
        m_detail->setPlainText(checkText(*check));
    else if (index.isValid())
        m_detail->setPlainText(
            tr("%1: %2", "part; how many checks ended how")
                .arg(index.siblingAtColumn(PreflightModel::StatusColumn).data().toString(),
                     index.siblingAtColumn(PreflightModel::SentenceColumn).data().toString()));
    else
        m_detail->setPlainText(tr("Select a check to read its details and what to do."));
    Q_EMIT currentChanged();
}

const PreflightCheck *PreflightList::current() const
{
    return m_model->check(m_filter->mapToSource(m_list->currentIndex()));
}

void PreflightList::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int character = m_list->fontMetrics().averageCharWidth();
    m_list->setColumnWidth(PreflightModel::StatusColumn,
                           statusCharacters * character + m_list->indentation());
    m_list->setColumnWidth(PreflightModel::SubjectColumn, subjectCharacters * character);
}

} // namespace rankdeck
