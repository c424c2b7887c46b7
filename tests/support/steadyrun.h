#pragma once

#include "remoterun.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "toldevents.h"

#include <algorithm>

namespace rankdeck
{

/// A launch of two ranks on each of two nodes that count on in their logs until they are told to end, each
/// with a grandchild in a session of its own. All of them write down their pids themselves.
class SteadyRun
{
public:
    static constexpr int ranks = 4;
    static constexpr int nodeTimeout = 6; ///< Seconds.
    static constexpr int goneMs = 10000;  ///< Where a signal or an end of file arrives.
    static constexpr int goneSilentlyMs = nodeTimeout * 1000 + goneMs;

    /// @param silence seconds until either side gives the other up.
    explicit SteadyRun(const RemoteRun &remote, int silence = nodeTimeout)
        : m_remote(remote)
        , m_silence(silence)
    {
        QDir().mkpath(pidFolder());
        QDir().mkpath(countFolder());
    }

    /// The launch, for rankdeckctl; `options` say which nodes.
    QStringList arguments(const QStringList &options) const
    {
        const QString rank =
            u"echo $$ >%1/$RANK; "
            "(setsid sh -c 'echo $$ >%1/far$RANK; exec sleep 1000' &); n=0; "
            "until [ -e %2 ]; do n=$((n + 1)); echo $n; sleep 0.1; done; echo $n >%3/$RANK"_s.arg(
                pidFolder(), endMark(), countFolder());
        return QStringList{u"processes"_s} + options +
               QStringList{u"--work-dir"_s,
                           m_remote.home().path("."),
                           u"--grace"_s,
                           u"2"_s,
                           u"--node-timeout"_s,
                           QString::number(m_silence),
                           u"--master-port"_s,
                           QString::number(freePort()),
                           u"--nproc"_s,
                           u"2"_s,
                           u"sh"_s,
                           u"-c"_s,
                           rank};
    }
    /// Waits until all of it runs. A run that ends before says why in its journal.
    bool isUp()
    {
        const bool isThere = QTest::qWaitFor([] { return bool(findRun(u"last"_s)); }, programLimitMs);
        if (!isThere)
            return false;
        const auto isWhole = [this] {
            return state().count(RankPhase::Running) == ranks && pids().size() == 2 * ranks && lines(0) > 0 &&
                   lines(ranks - 1) > 0;
        };
        m_directory = *findRun(u"last"_s);
        if (QTest::qWaitFor([&] { return hasEnded() || isWhole(); }, programLimitMs) && !hasEnded())
            return true;
        qWarning("%s", fileText(journalPath(m_directory)).right(8000).constData());
        return false;
    }
    /// Each rank ends by itself.
    void finish() const
    {
        QFile file(endMark());
        QVERIFY(file.open(QIODevice::WriteOnly));
    }

    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    bool hasEnded() const { return !isLive(state().phase); }
    pid_t supervisor() const { return static_cast<pid_t>(readRunRecord(m_directory)->supervisor->pid); }
    /// ssh or srun of a node.
    pid_t client(const char *node) const
    {
        return pidTold<events::AgentStarted>(journal(), QLatin1String(node));
    }
    pid_t rank(int index) const { return static_cast<pid_t>(state().ranks.at(std::size_t(index)).pid); }
    /// The process of that name above `pid`; 0: there is none.
    static pid_t above(pid_t pid, const char *name)
    {
        auto process = readProcess(pid);
        while (process && process->name != QLatin1String(name))
            process = readProcess(process->parent);
        return process ? process->pid : 0;
    }
    /// What a rank has counted in its log; -1: there is something else in it.
    int lines(int index) const
    {
        const QList<QByteArray> counted =
            linesOf(fileText(state().plan->processes.at(std::size_t(index)).logFile));
        for (qsizetype line = 0; line < counted.size(); ++line) {
            if (counted[line] != QByteArray::number(line + 1))
                return -1;
        }
        return static_cast<int>(counted.size());
    }
    /// How far a rank that has ended by itself had counted.
    int counted(int index) const
    {
        return fileText(countFolder() + '/'_L1 + QString::number(index)).trimmed().toInt();
    }
    /// Of ranks and grandchildren, as they wrote them.
    QList<qint64> pids() const
    {
        QList<qint64> found;
        const QStringList files = QDir(pidFolder()).entryList(QDir::Files);
        for (const QString &file : files) {
            if (const QByteArray text = fileText(pidFolder() + '/'_L1 + file); text.endsWith('\n'))
                found << text.trimmed().toLongLong();
        }
        return found;
    }
    /// Whether all has gone: who wrote down its pid, who has the launch's environment, agents.
    bool isGone() const
    {
        const QList<qint64> all = pids();
        return std::none_of(all.begin(), all.end(), isAlive) && m_remote.alive().isEmpty();
    }
    /// Whether every process of these ranks has gone.
    bool areGone(const QList<int> &indexes) const
    {
        return std::none_of(indexes.begin(), indexes.end(), [this](int index) {
            return isAlive(pidIn(QString::number(index))) || isAlive(pidIn(u"far%1"_s.arg(index)));
        });
    }
    template <typename Kind>
    bool hasHappened(const char *node) const
    {
        const auto told = toldOf<Kind>(journal());
        return std::ranges::find(told, QLatin1String(node), &Told<Kind>::node) != told.end();
    }
    QList<RunEvent> journal() const { return journalOf(m_directory); }

private:
    QString pidFolder() const { return m_remote.home().path("pids"); }
    QString countFolder() const { return m_remote.home().path("counts"); }
    QString endMark() const { return m_remote.home().path("end"); }
    qint64 pidIn(const QString &file) const
    {
        return fileText(pidFolder() + '/'_L1 + file).trimmed().toLongLong();
    }
    static bool isAlive(qint64 pid)
    {
        const auto process = readProcess(static_cast<pid_t>(pid));
        return process && process->state != 'Z';
    }

    const RemoteRun &m_remote;
    int m_silence;
    QString m_directory;
};

} // namespace rankdeck
