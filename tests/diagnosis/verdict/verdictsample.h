#pragma once

#include "base/times.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"

using namespace Qt::StringLiterals;

/// A launch of four workers and their scheduler.
inline rankdeck::LaunchPlan samplePlan()
{
    rankdeck::LaunchPlan plan;
    plan.launcher = u"msrun"_s;
    plan.processes.resize(5);
    plan.processes[0].role = rankdeck::Role::Scheduler;
    for (int rank = 0; rank < 4; ++rank)
        plan.processes[static_cast<std::size_t>(rank) + 1].rank = rankdeck::Rank(rank);
    return plan;
}

/// One in which everything is told.
inline rankdeck::Verdict sampleVerdict()
{
    using namespace rankdeck;
    Verdict verdict;
    verdict.hasFailure = true;
    verdict.process = 4;
    verdict.rank = Rank(3);
    verdict.node = u"alpha"_s;
    verdict.device = DeviceId(3);
    verdict.pid = 4711;
    verdict.confidence = Verdict::Confidence::Likely;
    verdict.rule = u"wait-graph"_s;
    verdict.reason = Sentence(u"The others wait for it."_s);
    verdict.causeId = u"python-value-error"_s;
    verdict.cause = Sentence(u"ValueError: 值"_s);
    verdict.ending = Sentence(u"exit code 1"_s);
    verdict.frame = PythonFrame{u"train.py"_s, 12, u"main"_s};
    verdict.trace = {u"Traceback (most recent call last):"_s, u"ValueError: 值"_s};
    verdict.known.id = u"python-value-error"_s;
    verdict.known.title = u"A value is wrong"_s;
    verdict.known.meaning = u"It is not what it should be."_s;
    verdict.known.mend = u"Give another one."_s;
    verdict.known.commands = {u"npu-smi info"_s, u"df -h"_s};
    verdict.candidates = {Rank(1), Rank(3)};
    verdict.evidence = {{4, Role::Worker, Rank(3), u"/logs/worker_3.log"_s, 120, u"ValueError: 值"_s,
                         u"2026-11-22 10:00:05"_s, u"python-value-error"_s},
                        {0, Role::Scheduler, Rank(0), {}, 0, u"exit code 1"_s, {}, {}}};
    verdict.groups = {{{Rank(3)}, Sentence(u"ValueError: 值"_s), u"python-value-error"_s, 4},
                      {{Rank(0), Rank(1), Rank(2)}, Sentence(u"no error"_s), {}, 1}};
    const QDateTime moment = utcTime(QDate(2026, 11, 22), QTime(10, 0, 6, 789));
    verdict.exits = {{4, Role::Worker, Rank(3), moment, Sentence(u"exit code 1"_s)},
                     {0, Role::Scheduler, Rank(0), {}, Sentence(u"running"_s)}};
    verdict.stacks = {u"rank 3, process 4711"_s, u"#0  0x1 in read"_s};
    verdict.advice = Sentence(u"Look at its log."_s);
    verdict.notes = {Sentence(u"One log could not be read."_s),
                     Sentence::tr("The traceback is from rank %1.").arg(4)};
    return verdict;
}
