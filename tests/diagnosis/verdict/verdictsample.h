#pragma once

#include "base/times.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"

/// A launch of four workers and their scheduler.
inline rankdeck::LaunchPlan samplePlan()
{
    rankdeck::LaunchPlan plan;
    plan.launcher = QStringLiteral("msrun");
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
    verdict.node = QStringLiteral("alpha");
    verdict.device = DeviceId(3);
    verdict.pid = 4711;
    verdict.confidence = Verdict::Confidence::Likely;
    verdict.rule = QStringLiteral("wait-graph");
    verdict.reason = Sentence(QStringLiteral("The others wait for it."));
    verdict.causeId = QStringLiteral("python-value-error");
    verdict.cause = Sentence(QStringLiteral("ValueError: 值"));
    verdict.ending = Sentence(QStringLiteral("exit code 1"));
    verdict.frame = PythonFrame{QStringLiteral("train.py"), 12, QStringLiteral("main")};
    verdict.trace = {QStringLiteral("Traceback (most recent call last):"), QStringLiteral("ValueError: 值")};
    verdict.known.id = QStringLiteral("python-value-error");
    verdict.known.title = QStringLiteral("A value is wrong");
    verdict.known.meaning = QStringLiteral("It is not what it should be.");
    verdict.known.mend = QStringLiteral("Give another one.");
    verdict.known.commands = {QStringLiteral("npu-smi info"), QStringLiteral("df -h")};
    verdict.candidates = {Rank(1), Rank(3)};
    verdict.evidence = {{4, Role::Worker, Rank(3), QStringLiteral("/logs/worker_3.log"), 120,
                         QStringLiteral("ValueError: 值"), QStringLiteral("2026-11-22 10:00:05"),
                         QStringLiteral("python-value-error")},
                        {0, Role::Scheduler, Rank(0), {}, 0, QStringLiteral("exit code 1"), {}, {}}};
    verdict.groups = {
        {{Rank(3)}, Sentence(QStringLiteral("ValueError: 值")), QStringLiteral("python-value-error"), 4},
        {{Rank(0), Rank(1), Rank(2)}, Sentence(QStringLiteral("no error")), {}, 1}};
    const QDateTime moment = utcTime(QDate(2026, 11, 22), QTime(10, 0, 6, 789));
    verdict.exits = {{4, Role::Worker, Rank(3), moment, Sentence(QStringLiteral("exit code 1"))},
                     {0, Role::Scheduler, Rank(0), {}, Sentence(QStringLiteral("running"))}};
    verdict.stacks = {QStringLiteral("rank 3, process 4711"), QStringLiteral("#0  0x1 in read")};
    verdict.advice = Sentence(QStringLiteral("Look at its log."));
    verdict.notes = {Sentence(QStringLiteral("One log could not be read.")),
                     Sentence::tr("The traceback is from rank %1.").arg(4)};
    return verdict;
}
