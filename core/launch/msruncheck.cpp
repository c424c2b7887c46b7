#include "launch/msruncheck.h"

#include "launch/cpubinding.h"
#include "launch/launchbasics.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <limits>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("msrunCheck", text);
}

std::optional<Error> problemWithNumbers(const MsrunOptions &msrun)
{
    constexpr int any = std::numeric_limits<int>::max();
    if (const auto error = outOfRange("--worker_num", msrun.workerNum, 1, any))
        return error;
    if (const auto error = outOfRange("--local_worker_num", msrun.localWorkerNum, 1, mostLocalWorkers))
        return error;
    if (const auto error = outOfRange("--master_port", msrun.masterPort, 1024, 65535))
        return error;
    if (const auto error = outOfRange("--node_rank", msrun.nodeRank, -1, any))
        return error;
    if (const auto error = outOfRange("--sim_level", msrun.simLevel, -1, 3))
        return error;
    return outOfRange("--sim_rank_id", msrun.simRankId, -1, any);
}

std::optional<Error> problemWithLogName(const QString &name)
{
    static const QRegularExpression wrong(QStringLiteral("[/\\x00-\\x1f\\x7f]"));
    if (!name.contains(wrong))
        return std::nullopt;
    return Error{tr("\"%1\" is not a file's name").arg(name), QStringLiteral("--worker_log_name"),
                 tr("Leave out slashes and control characters; --log_dir names the directory.")};
}

std::optional<Error> problemWithTail(const QString &ranks)
{
    static const QRegularExpression list(QStringLiteral("^(-1|\\d{1,9}(,\\d{1,9})*)$"));
    if (list.match(ranks).hasMatch())
        return std::nullopt;
    return Error{tr("\"%1\" is not a list of ranks").arg(ranks), QStringLiteral("--tail_worker_log"),
                 tr("Write -1 for all, or ranks with commas, for example 0,7.")};
}

} // namespace

std::optional<Error> problemWithMsrunOptions(const LaunchSpec &spec)
{
    const MsrunOptions &msrun = spec.msrun;
    if (spec.command.isEmpty() || spec.command.first().isEmpty())
        return Error{tr("there is no script to run"), QStringLiteral("task_script"),
                     tr("Give it after the options, for example: train.py.")};
    if (const auto error = problemWithBasics(spec))
        return error;
    if (const auto error = problemWithNumbers(msrun))
        return error;
    if (msrun.masterAddr.isEmpty() || msrun.masterAddr.contains(QLatin1Char(':')))
        return Error{tr("\"%1\" is neither a host's name nor an IPv4 address").arg(msrun.masterAddr),
                     QStringLiteral("--master_addr"), tr("msrun knows no IPv6.")};
    if (const auto binding = readCpuBinding(spec.common.bindCore, QStringLiteral("--bind_core")); !binding)
        return binding.error();
    if (const auto error = problemWithLogName(msrun.workerLogName))
        return error;
    return problemWithTail(msrun.tailWorkerLog);
}

} // namespace rankdeck
