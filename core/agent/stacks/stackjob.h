#pragma once

#include "agent/stacks/signalledstacks.h"
#include "agent/stacks/stacktools.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

#include <deque>
#include <memory>
#include <vector>

namespace rankdeck
{

/// Takes the stacks of one rank: of its process and of those below it that run Python, one after the other.
/// Never waits.
class StackJob : public QObject
{
    Q_OBJECT

public:
    struct Rank {
        int process = -1; ///< By index in the node's share.
        qint64 pid = 0;
        QString label; ///< "rank 3"
        QString log;   ///< Where its standard error goes.
    };

    StackJob(Rank rank, StackTools tools, int dumpSignal, QObject *parent = nullptr);
    /// A tool that still runs is killed, and waited for.
    ~StackJob() override;

    void start();
    const Rank &rank() const { return m_rank; }

Q_SIGNALS:
    /// A tool has been started as a child of this process, and has ended.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);
    /// The stacks as plain text, at most 128 Ki characters; empty: there are none, and `problem` says why.
    void finished(const QString &stacks, const QString &problem);

private:
    void nextProcess();
    void nextWay();
    void runTool(const QStringList &command);
    void toolFinished();
    void take(const QByteArray &text, const QString &problem);
    QString description() const;

    Rank m_rank;
    StackTools m_tools;
    int m_dumpSignal;
    std::deque<ProcessLook> m_processes; ///< The first is the one that is asked.
    std::deque<StackWay> m_ways;         ///< The first is the one that is tried.
    std::unique_ptr<QProcess> m_tool;
    qint64 m_toolPid = 0;
    std::unique_ptr<SignalledStacks> m_signalled;
    QTimer m_limit;
    bool m_hasTimedOut = false;
    QString m_stacks;
    QString m_problem;
};

} // namespace rankdeck
