#include "sdk/distributedtrain.h"

#include "agent/supervise/launcher.h"
#include "diagnosis/verdict/keptverdict.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/thisserver.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/reading/ranktablewaiter.h"
#include "ranktable/table/ranktablelocation.h"
#include "ranktable/table/ranktablewriter.h"
#include "run/process/processsettings.h"
#include "run/record/runreader.h"

#include <QDir>
#include <QFile>
#include <QThread>

namespace rankdeck
{

/// Interval at which a waiting program reads the journal: without an event loop, nothing can wake it.
constexpr int lookMs = 10;

constexpr char cacheVariable[] = "MS_COMPILER_CACHE_PATH";

static QMap<QString, QString> extraVariables(const RankTableFile &rankTable)
{
    QMap<QString, QString> variables{{u"MA_CURRENT_HOST_IP"_s, rankTable.thisServer},
                                     {u"RANK_SIZE"_s, QString::number(rankTable.table.deviceCount())}};
    const Server *server = rankTable.table.findServer(rankTable.thisServer);
    if (server && !server->devices.empty())
        variables.insert(u"RANK_START"_s,
                         QString::number(server->devices.front().rank.value_or(Rank()).value));
    return variables;
}

static void setVariables(const QMap<QString, QString> &variables)
{
    for (auto it = variables.begin(); it != variables.end(); ++it)
        qputenv(it.key().toUtf8().constData(), it.value().toLocal8Bit());
}

/// The v1.0 table and this node's place in `read`, which still has the pod names.
static Result<RankTableFile> describe(const RankTable &read, const QString &path, const QString &wanted)
{
    const auto converted = convertToServerList(read);
    if (!converted)
        return Error{converted.error().what, path, converted.error().mend};
    const auto server = findThisServer(read, wanted, HostFacts::gather());
    if (!server)
        return Error{server.error().what, server.error().where.isEmpty() ? path : server.error().where,
                     server.error().mend};
    return RankTableFile{*converted, path, server->serverId, server->sentence()};
}

static Result<TrainHandle> start(const QStringList &command, const QString &workDir, const QString &logDir,
                                 bool randomCacheDir, bool destroyWhenFinished)
{
    const auto rankTable = getRankTable();
    if (!rankTable)
        return rankTable.error();
    LaunchSpec spec;
    spec.command = command;
    spec.workDir = workDir;
    spec.logDir = logDir;
    spec.rankTableFile = rankTable->path;
    spec.randomCacheDir = randomCacheDir;
    spec.destroyWhenFinished = destroyWhenFinished;
    const auto facts = gatherLaunchFacts(spec, PortUse::Claim);
    if (!facts)
        return facts.error();
    const auto plan = planLaunch(spec, rankTable->table, rankTable->path, *facts);
    if (!plan)
        return plan.error();
    const auto directory = startRun(spec, *plan);
    if (!directory)
        return directory.error();
    return TrainHandle(*directory);
}

Result<std::optional<RankTableFile>> generateRankTable(const QString &server)
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString path = rankTablePath({}, environment);
    if (!QFile::exists(path))
        return std::optional<RankTableFile>();
    const auto table = RankTableWaiter::wait(path, std::chrono::minutes(30));
    if (!table)
        return table.error();
    auto rankTable = describe(*table, path, server);
    if (!rankTable)
        return rankTable.error();
    if (table->form != rankTable->table.form) {
        const auto written =
            writeRankTable(toJson(rankTable->table), convertedRankTablePath({}, environment));
        if (!written)
            return written.error();
        rankTable->path = *written;
    }
    return std::optional(*rankTable);
}

Result<RankTableFile> getRankTable()
{
    const QString path = qEnvironmentVariable("RANK_TABLE_FILE");
    if (path.isEmpty())
        return Error{tr("RANK_TABLE_FILE is not set"), {}, tr("Call initRankTable() first.")};
    const auto table = readRankTable(path);
    if (!table)
        return table.error();
    const bool isServerList =
        table->form == RankTableForm::ServerList || table->form == RankTableForm::SuperPodList;
    if (!isServerList || !table->isCompleted())
        return Error{tr("not a completed rank table of version 1.0 or 1.2"), path,
                     tr("Call initRankTable() first.")};
    return describe(*table, path, {});
}

void setExtraEnv(const RankTableFile &rankTable)
{
    setVariables(extraVariables(rankTable));
}

void setRankEnv(const RankTableFile &rankTable)
{
    setVariables(rankVariables(rankTable));
}

QMap<QString, QString> rankVariables(const RankTableFile &rankTable)
{
    QMap<QString, QString> variables = extraVariables(rankTable);
    variables.insert(u"RANK_TABLE_FILE"_s, rankTable.path);
    return variables;
}

Result<std::optional<QMap<QString, QString>>> initRankTable(const QString &server)
{
    const auto rankTable = generateRankTable(server);
    if (!rankTable)
        return rankTable.error();
    if (!*rankTable)
        return std::optional<QMap<QString, QString>>();
    setRankEnv(**rankTable);
    return std::optional(rankVariables(**rankTable));
}

Result<TrainHandle> startDistributedTrain(const QStringList &command, const QString &workDir,
                                          const QString &logDir, bool destroyWhenFinished)
{
    return start(command, workDir, logDir, false, destroyWhenFinished);
}

int waitDistributedTrain(const TrainHandle &handle, bool raiseException)
{
    RunReader reader(handle.runDirectory());
    const auto opened = reader.open();
    if (!opened)
        throw std::invalid_argument(opened.error().sentence().toStdString());
    while (isLive(reader.state().phase)) {
        QThread::msleep(lookMs);
        reader.update();
    }
    const RunState &state = reader.state();
    if (state.failure && raiseException)
        throw DistributedRuntimeError(state, verdictOf(state));
    return state.phase == RunPhase::Succeeded ? 0 : 1;
}

int startAndWaitDistributedTrain(const QStringList &command, const QString &workDir, const QString &logDir,
                                 bool randomCacheDir, bool destroyWhenFinished, bool raiseException)
{
    const auto handle = start(command, workDir, logDir, randomCacheDir, destroyWhenFinished);
    if (!handle)
        throw std::invalid_argument(handle.error().sentence().toStdString());
    return waitDistributedTrain(*handle, raiseException);
}

RandomMsCacheDir::RandomMsCacheDir()
    : m_path(makeScratchDirectory({u"/cache"_s, QDir::tempPath()}))
{
    if (m_path.isEmpty())
        return;
    if (qEnvironmentVariableIsSet(cacheVariable))
        m_before = qgetenv(cacheVariable);
    qputenv(cacheVariable, QFile::encodeName(m_path));
}

RandomMsCacheDir::~RandomMsCacheDir()
{
    if (m_path.isEmpty())
        return;
    if (m_before)
        qputenv(cacheVariable, *m_before);
    else
        qunsetenv(cacheVariable);
    QDir(m_path).removeRecursively();
}

} // namespace rankdeck
