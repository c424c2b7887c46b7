#pragma once

#include "run/process/processtree.h"
#include "run/process/unixsignals.h"
#include "run/workers/workergroup.h"
#include "toldevents.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <memory>

#include <unistd.h>

namespace rankdeck
{

/// Base of tests of a WorkerGroup: small shell scripts stand in for ranks; this program is the agent.
class ShellWorkers : public QObject
{
protected:
    ShellWorkers() { becomeSubreaper(); }

    /// Before each test.
    void reset()
    {
        m_group.reset();
        m_home = std::make_unique<QTemporaryDir>();
        m_plan = {};
        m_plan.graceSeconds = 10;
        m_events.clear();
        m_done = false;
    }
    /// A worker that runs `script` in a shell.
    void add(const QString &script, const char *node = "here")
    {
        ProcessPlan process;
        process.node = QString::fromLatin1(node);
        process.rank = Rank(static_cast<int>(m_plan.processes.size()));
        process.argv = {u"sh"_s, u"-c"_s, script};
        process.workDir = m_home->path();
        process.logFile = m_home->filePath(u"log%1"_s.arg(process.rank.value));
        process.setVariables = {{u"RANK_ID"_s, QString::number(process.rank.value)}};
        m_plan.processes.push_back(process);
    }
    void start()
    {
        m_group = std::make_unique<WorkerGroup>(m_plan, u"here"_s);
        connect(m_group.get(), &WorkerGroup::happened, this,
                [this](const RunEvent &event) { m_events << event; });
        connect(m_group.get(), &WorkerGroup::done, this, [this] { m_done = true; });
        connect(m_signals.get(), &UnixSignals::received, m_group.get(), &WorkerGroup::childEnded);
        m_group->start();
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return m_done; }, 60000);
    }
    QByteArray log(int index) const
    {
        QFile file(m_home->filePath(u"log%1"_s.arg(index)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    bool waitForLog(int index, const char *text)
    {
        return QTest::qWaitFor([&] { return log(index).contains(text); }, 60000);
    }
    template <typename Kind>
    QList<Told<Kind>> events() const
    {
        return toldOf<Kind>(m_events);
    }
    static bool nothingIsLeft() { return descendants(getpid()).empty(); }

    std::unique_ptr<QTemporaryDir> m_home;
    std::unique_ptr<UnixSignals> m_signals =
        std::make_unique<UnixSignals>(std::initializer_list<int>{SIGCHLD});
    std::unique_ptr<WorkerGroup> m_group;
    LaunchPlan m_plan;
    QList<RunEvent> m_events;
    bool m_done = false;
};

} // namespace rankdeck
