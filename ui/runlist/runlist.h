#pragma once

#include "launch/plan/processplan.h"
#include "run/record/runcatalog.h"
#include "widgets/widgetparts.h"

#include <QAbstractListModel>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTimer>

class QStackedWidget;

namespace rankdeck
{

/// The known runs, one per row. Rows move and change in place, so that a view keeps selection and position.
class RunListModel : public QAbstractListModel
{
    Q_OBJECT

public:
    enum Role {
        TitleRole = Qt::UserRole, ///< QString: the short name.
        DetailRole,               ///< QString: how it ended, how long it took, number of ranks, launcher.
        StateRole,                ///< QString: the state's word.
        PhaseRole,                ///< int of RunPhase.
        AgeRole,                  ///< QString: "3 min".
        DirectoryRole,            ///< QString: identifies the run.
        SearchRole,               ///< QString: the text for filters.
    };

    using QAbstractListModel::QAbstractListModel;

    /// Sets the runs, in their order.
    void setRuns(const QList<RunSummary> &runs, const QDateTime &now);
    /// Updates the ages; only rows whose text changes emit dataChanged().
    void setNow(const QDateTime &now);
    /// Returns the row of a run; -1 if there is none.
    int rowOf(const QString &directory) const;
    const QList<RunSummary> &runs() const { return m_runs; }
    /// Returns whether the command line of a run is known; its tool tip has it then.
    bool hasCommand(const QString &directory) const { return m_commands.contains(directory); }
    void setCommand(const QString &directory, const QString &command)
    {
        m_commands.insert(directory, command);
    }

    int rowCount(const QModelIndex &parent = {}) const override { return countBelow(parent, m_runs.size()); }
    /// Qt::DisplayRole is the title, Qt::AccessibleTextRole the whole row, Qt::ToolTipRole adds the times.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void update(int row, const RunSummary &run, const QString &age);

    QList<RunSummary> m_runs;
    QStringList m_ages;                 ///< Parallel to m_runs.
    QHash<QString, QString> m_commands; ///< By directory.
};

/// Draws a run as two lines: title and age; mark, state word and details.
class RunListDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;
    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    bool helpEvent(QHelpEvent *event, QAbstractItemView *view, const QStyleOptionViewItem &option,
                   const QModelIndex &index) override;

Q_SIGNALS:
    /// The pointer rests on a run, at `place` of the screen.
    void toolTipRequested(const QModelIndex &index, const QPoint &place);
};

/// Lists the live and past runs: shows the given summaries and reports which run the user selects.
class RunList : public QWidget
{
    Q_OBJECT

public:
    RunList();

    const QList<RunSummary> &runs() const { return m_model->runs(); }
    /// Returns the directory of the current run; may be empty.
    QString currentRun() const { return m_view->currentIndex().data(RunListModel::DirectoryRole).toString(); }
    /// Returns the directories of the selected runs, in their order.
    QStringList selectedRuns() const;
    /// Adds actions to the list's context menu, with their keys.
    void offerActions(const QList<QAction *> &actions);

public Q_SLOTS:
    /// Sets the runs; the selection stays.
    void setRuns(const QList<rankdeck::RunSummary> &runs);
    /// Selects a run without emitting runChosen(); if it is not in the list yet, as soon as it is.
    void setCurrentRun(const QString &directory)
    {
        m_wanted = directory;
        selectWanted();
    }

Q_SIGNALS:
    /// The user selected another run.
    void runChosen(const QString &directory);

private:
    void selectWanted();
    /// Shows the tool tip of a run, for which its command line is read first.
    void showToolTip(const QString &directory, const QPoint &place);

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
