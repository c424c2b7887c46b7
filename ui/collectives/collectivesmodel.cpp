#include "collectives/collectivesmodel.h"

#include "base/listcomma.h"
#include "widgets/tone.h"

namespace rankdeck
{

using State = CollectiveCell::State;

/// A sign for each state, so that colour is never the only one.
static QString signOf(const CollectiveCell &cell)
{
    switch (cell.state) {
    case State::Unknown:
        return QStringLiteral("?");
    case State::NotCalled:
        return QStringLiteral("✖");
    case State::Scheduled:
        return QStringLiteral("·");
    case State::Started:
        return QStringLiteral("…");
    case State::Completed:
        break;
    }
    return QStringLiteral("✓");
}

static QString stateWords(State state)
{
    switch (state) {
    case State::Unknown:
        return CollectivesModel::tr("nothing is known");
    case State::NotCalled:
        return CollectivesModel::tr("not called");
    case State::Scheduled:
        return CollectivesModel::tr("scheduled");
    case State::Started:
        return CollectivesModel::tr("waits");
    case State::Completed:
        break;
    }
    return CollectivesModel::tr("completed");
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
        parts << QStringLiteral("%1 %2").arg(its.operation, its.shape).trimmed();
    if (!its.place.isEmpty())
        parts << its.place;
    return parts.join(listComma());
}

QVariant CollectivesModel::data(const QModelIndex &index, int role) const
{
    const CollectiveCell &its = cell(index);
    switch (role) {
    case Qt::DisplayRole:
        return its.isOdd ? QStringLiteral("%1 %2").arg(signOf(its), its.operation) : signOf(its);
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
        return QStringLiteral("#%1").arg(m_table.sequences[section]);
    const CollectiveTable::Row &row = m_table.rows[std::size_t(section)];
    return row.isOdd ? tr("! rank %1").arg(row.rank) : tr("rank %1").arg(row.rank);
}

} // namespace rankdeck
