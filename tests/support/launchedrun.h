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
            ctl({u"stop"_s, m_directory, u"--kill"_s});
        killProcessesOf(*m_home);
        m_directory.clear();
    }
    void launch(const QStringList &options, const QStringList &command)
    {
        const Outcome launched =
            ctl(QStringList{u"processes"_s, u"--nproc"_s, QString::number(ranks), u"--master-port"_s,
                            QString::number(freePort()), u"--grace"_s, u"1"_s, u"--detach"_s} +
                options + QStringList{u"--"_s} + command);
        QVERIFY2(launched.code == 0, launched.err.constData());
        const auto found = findRun(u"last"_s);
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
