#pragma once

#include "background/inbackground.h"
#include "diagnosis/recorder/collectivetable.h"
#include "run/record/runphase.h"
#include "widgets/widgetparts.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace rankdeck
{

/// The last collectives of a process group: ranks as rows, collectives as columns, the newest last.
class CollectivesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setPalette(const QPalette &palette) { m_palette = palette; }
    void setTable(const CollectiveTable &table);
    const CollectiveTable &table() const { return m_table; }
    /// A sentence on a cell; empty for none.
    QString words(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, qsizetype(m_table.rows.size()));
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, m_table.sequences.size());
    }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const CollectiveCell &cell(const QModelIndex &index) const
    {
        return m_table.rows[std::size_t(index.row())].cells[std::size_t(index.column())];
    }

    QPalette m_palette;
    CollectiveTable m_table;
};

/// The contents of the dumps of a run's flight recorders.
struct CollectivesRead {
    CollectiveReport report;
    std::vector<CollectiveTable> tables;
    QString problem; ///< Why there is nothing; a sentence.
};

/// Reads the dumps in a folder. Blocks.
CollectivesRead readCollectives(const QString &folder);

/// Shows the place of each rank in its collectives: findings from dumps, and a group's last collectives.
class CollectivesView : public QWidget
{
    Q_OBJECT

public:
    explicit CollectivesView(QWidget *parent = nullptr);

    /// Reads the dumps in `folder`, unless done at this number of `changes`. Empty: there are none yet.
    void setFolder(const QString &folder, int changes);
    /// Whether the ranks may be asked for new dumps.
    void setLive(bool isLive) { m_ask->setVisible(isLive); }
    QTableView *table() const { return m_table; }

Q_SIGNALS:
    void dumpsRequested();
    /// The log of a rank is to be shown.
    void rankRequested(int rank);

private:
    void take(const CollectivesRead &read);
    void showGroup(int index);

    QString m_folder;
    int m_changes = -1;
    CollectivesRead m_read;
    QLabel *m_findings;
    QComboBox *m_group;
    QLabel *m_groupLabel;
    QPushButton *m_ask;
    CollectivesModel *m_model;
    QTableView *m_table;
    QLabel *m_words;
    NewestWins<CollectivesRead> m_reader;
};

} // namespace rankdeck
