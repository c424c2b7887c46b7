#include "preflight/preflightmodel.h"

#include "preflight/preflightwords.h"

#include <QFont>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Of an index: 0 for a part, else its part's row + 1.
quintptr partIdOf(int row)
{
    return static_cast<quintptr>(row) + 1;
}

} // namespace

PreflightModel::PreflightModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

void PreflightModel::clear()
{
    beginResetModel();
    m_parts.clear();
    endResetModel();
}

void PreflightModel::setPalette(const QPalette &palette)
{
    m_palette = palette;
}

void PreflightModel::add(const PreflightCheck &check)
{
    auto rows = std::find_if(m_parts.begin(), m_parts.end(),
                             [&check](const Rows &other) { return other.part >= check.part; });
    const auto partRow = static_cast<int>(rows - m_parts.begin());
    if (rows == m_parts.end() || rows->part != check.part) {
        beginInsertRows({}, partRow, partRow);
        rows = m_parts.insert(rows, Rows{check.part, {}});
        endInsertRows();
    }
    const auto place = std::upper_bound(rows->checks.begin(), rows->checks.end(), check,
                                        [](const PreflightCheck &one, const PreflightCheck &other) {
                                            return severityOrder(one.status) < severityOrder(other.status);
                                        });
    const auto row = static_cast<int>(place - rows->checks.begin());
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
    return &m_parts[index.internalId() - 1].checks[static_cast<std::size_t>(index.row())];
}

QModelIndex PreflightModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? partIdOf(parent.row()) : 0);
}

QModelIndex PreflightModel::parent(const QModelIndex &index) const
{
    if (!index.isValid() || index.internalId() == 0)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, quintptr(0));
}

int PreflightModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_parts.size());
    if (parent.internalId() != 0 || parent.column() != 0)
        return 0;
    return static_cast<int>(m_parts[static_cast<std::size_t>(parent.row())].checks.size());
}

int PreflightModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant PreflightModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (const PreflightCheck *its = check(index))
        return checkData(*its, index.column(), role);
    return partData(m_parts[static_cast<std::size_t>(index.row())], index.column(), role);
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
        const auto count =
            std::count_if(rows.checks.begin(), rows.checks.end(),
                          [status](const PreflightCheck &check) { return check.status == status; });
        if (count > 0)
            counts << tr("%1: %2", "× FAIL: how many checks").arg(shownStatus(status)).arg(count);
    }
    return counts.join(QStringLiteral("   "));
}

QVariant PreflightModel::checkData(const PreflightCheck &check, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        return column == StatusColumn    ? shownStatus(check.status)
               : column == SubjectColumn ? subjectOf(check)
                                         : check.sentence;
    case Qt::ToolTipRole: // What a node says may look like markup.
        return QStringLiteral("<p style='white-space: pre-wrap'>%1</p>")
            .arg(checkText(check).toHtmlEscaped());
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
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case StatusColumn:
        return tr("Result");
    case SubjectColumn:
        return tr("Check");
    case SentenceColumn:
        return tr("What was found");
    default:
        return {};
    }
}

} // namespace rankdeck
