#pragma once

#include "background/inbackground.h"
#include "collectives/collectivesmodel.h"

#include <QTableView>

namespace rankdeck
{

/// What the dumps of a run's flight recorders say.
struct CollectivesRead {
    CollectiveReport report;
    std::vector<CollectiveTable> tables;
    QString problem; ///< Why there is nothing; a sentence.
};

/// Reads the dumps in a folder. Blocks.
CollectivesRead readCollectives(const QString &folder);

/// Where each rank stands in its collectives: what the dumps say, and the last collectives of a process
/// group.
class CollectivesView : public QWidget
{
    Q_OBJECT

public:
    explicit CollectivesView(QWidget *parent = nullptr);

    /// Reads the dumps in `folder`, unless that was done at this number of `changes`. Empty: there are none
    /// yet.
    void setFolder(const QString &folder, int changes);
    /// Whether the ranks may be asked for new dumps.
    void setLive(bool isLive) { m_ask->setVisible(isLive); }
    QTableView *table() const { return m_table; }

Q_SIGNALS:
    void dumpsWanted();
    /// The log of a rank is to be shown.
    void rankWanted(int rank);

private:
    void take(const CollectivesRead &read);
    void showGroup(int index);

    QString m_folder;
    int m_changes = -1;
    CollectivesRead m_read;
    QLabel *m_findings;
    QComboBox *m_group;
    QPushButton *m_ask;
    CollectivesModel *m_model;
    QTableView *m_table;
    QLabel *m_words;
    NewestWins<CollectivesRead> m_reader;
};

} // namespace rankdeck
