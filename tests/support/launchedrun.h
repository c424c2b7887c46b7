#pragma once

#include "freeport.h"
#include "programs.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "toldevents.h"

#include <memory>

namespace rankdeck
{

/// Tests of one run of four ranks that `rankdeckctl processes` has launched, and that goes on.
class LaunchedRun : public QObject
{
protected:
    static constexpr int ranks = 4;

    void makeHome() { m_home = std::make_unique<TestHome>(); }
    void endRun()
    {
        if (!m_directory.isEmpty())
            ctl({QStringLiteral("stop"), m_directory, QStringLiteral("--kill")});
        killProcessesOf(*m_home);
        m_directory.clear();
    }
    void launch(const QStringList &options, const QStringList &command)
    {
        const Outcome launched =
            ctl(QStringList{QStringLiteral("processes"), QStringLiteral("--nproc"), QString::number(ranks),
                            QStringLiteral("--master-port"), QString::number(freePort()),
                            QStringLiteral("--grace"), QStringLiteral("1"), QStringLiteral("--detach")} +
                options + QStringList{QStringLiteral("--")} + command);
        QVERIFY2(launched.code == 0, launched.err.constData());
        const auto found = findRun(QStringLiteral("last"));
        QVERIFY(found);
        m_directory = *found;
        QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Running), ranks, programLimitMs);
    }
    RunState state() const
    {
        const auto read = RunReader(m_directory).open();
        return read ? *read : RunState();
    }
    pid_t rank(int index) const { return static_cast<pid_t>(state().ranks.at(std::size_t(index)).pid); }
    QByteArray logOf(int index) const
    {
        return fileText(state().plan->processes.at(std::size_t(index)).logFile);
    }
    template <typename Kind>
    QList<Told<Kind>> events() const
    {
        return toldOf<Kind>(journalOf(m_directory));
    }

    std::unique_ptr<TestHome> m_home;
    QString m_directory;
};

} // namespace rankdeck
