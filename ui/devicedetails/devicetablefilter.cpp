#include "devicedetails/devicetablefilter.h"

#include "devicedetails/devicetablemodel.h"

#include <QDateTime>

#include <algorithm>

namespace rankdeck
{

DeviceTableFilter::DeviceTableFilter(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(DeviceTableModel::SortRole);
}

void DeviceTableFilter::setWords(const QString &words)
{
    m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool DeviceTableFilter::lessThan(const QModelIndex &one, const QModelIndex &other) const
{
    const QVariant first = one.data(sortRole());
    const QVariant second = other.data(sortRole());
    if (!first.isValid() || !second.isValid())
        return first.isValid() == second.isValid() ? false
                                                   : first.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (first.typeId() == QMetaType::QString)
        return QString::localeAwareCompare(first.toString(), second.toString()) < 0;
    if (first.typeId() == QMetaType::QDateTime)
        return first.toDateTime() < second.toDateTime();
    return first.toDouble() < second.toDouble();
}

bool DeviceTableFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (m_words.isEmpty())
        return true;
    QStringList texts;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        texts << sourceModel()->index(row, column, parent).data().toString();
    const QString all = texts.join(QLatin1Char('\n'));
    return std::all_of(m_words.begin(), m_words.end(),
                       [&all](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace rankdeck
