#pragma once

#include "run/runstate.h"

#include <QSortFilterProxyModel>
#include <QTimer>
#include <QWidget>

class QAction;
class QLineEdit;
class QListView;
class QStackedWidget;

namespace rankdeck
{

class RunListModel;

/// The live and past runs. Knows nothing of where they come from: it is given summaries and says which was
/// chosen.
class RunList : public QWidget
{
    Q_OBJECT

public:
    explicit RunList(QWidget *parent = nullptr);

    /// The directory of the selected run; empty when none is.
    QString currentRun() const;
    /// The directories of all that are selected, in their order.
    QStringList selectedRuns() const;
    /// What can be done with the runs, for the list's own menu and keys.
    void offerActions(const QList<QAction *> &actions);

public Q_SLOTS:
    /// What is selected stays selected.
    void setRuns(const QList<rankdeck::RunSummary> &runs);
    /// Select a run without runChosen(). One that is not in the list yet is selected when it comes.
    void setCurrentRun(const QString &directory);

Q_SIGNALS:
    /// The user selected another run.
    void runChosen(const QString &directory);

private:
    void selectWanted();

    RunListModel *m_model;
    QSortFilterProxyModel m_shown;
    QLineEdit *m_filter;
    QListView *m_view;
    QStackedWidget *m_stack;
    QTimer m_ageTimer;
    QString m_wanted;
    bool m_selecting = false;
};

} // namespace rankdeck
