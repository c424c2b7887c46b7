#pragma once

#include "run/runstate.h"

#include <QAbstractListModel>
#include <QDateTime>
#include <QList>

namespace rankdeck
{

/// The runs that are known, in the order they are given in, one row each. Rows move and change in place, so
/// that a view keeps its selection and its scroll position.
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
        DirectoryRole,            ///< QString: what identifies the run.
        SearchRole,               ///< QString: what a filter looks in.
    };

    explicit RunListModel(QObject *parent = nullptr);

    /// Take over the runs as they are now, in their order.
    void setRuns(const QList<RunSummary> &runs, const QDateTime &now);
    /// Refresh the ages; only rows whose text changes are reported.
    void setNow(const QDateTime &now);
    /// -1 when it is not there.
    int rowOf(const QString &directory) const;
    const QList<RunSummary> &runs() const { return m_runs; }

    int rowCount(const QModelIndex &parent = {}) const override;
    /// Qt::DisplayRole is the title; Qt::AccessibleTextRole the whole row in words, Qt::ToolTipRole with its
    /// times.
    QVariant data(const QModelIndex &index, int role) const override;

private:
    void update(int row, const RunSummary &run, const QString &age);

    QList<RunSummary> m_runs;
    QStringList m_ages; ///< Parallel to m_runs.
};

} // namespace rankdeck
