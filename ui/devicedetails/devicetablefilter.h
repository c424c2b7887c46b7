#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace rankdeck
{

/// Sorts a DeviceTableModel, numbers as numbers and what is absent last whichever way round, and leaves out
/// the ranks that not all of some words are found in.
class DeviceTableFilter : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit DeviceTableFilter(QObject *parent = nullptr);

    /// Words with spaces between them, whatever their case.
    void setWords(const QString &words);

protected:
    bool lessThan(const QModelIndex &one, const QModelIndex &other) const override;
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

} // namespace rankdeck
