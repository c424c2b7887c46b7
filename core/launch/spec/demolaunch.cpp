#include "launch/spec/demolaunch.h"

#include "base/resources.h"

#include <QDir>
#include <QTcpServer>

namespace rankdeck
{

std::optional<Demo> demoFromWord(const QString &word)
{
    if (word == QLatin1String("debug"))
        return Demo::Debug;
    if (word == QLatin1String("collective"))
        return Demo::Collective;
    return std::nullopt;
}

static Result<LaunchSpec> collectiveDemo()
{
    const auto program = rankdeckctlPath();
    if (!program)
        return program.error();
    // Another demo, or a training, may have the usual port.
    QTcpServer port;
    if (!port.listen(QHostAddress::LocalHost))
        return Error{tr("no free port on 127.0.0.1: %1").arg(port.errorString()), {}, {}};
    LaunchSpec spec = processesDefaults();
    spec.name = QStringLiteral("demo-collective");
    spec.command = {*program,
                    QStringLiteral("collective"),
                    QStringLiteral("--pace"),
                    QStringLiteral("700"),
                    QStringLiteral("--rounds"),
                    QStringLiteral("0")};
    spec.processes.nproc = 8;
    spec.processes.masterPort = port.serverPort();
    spec.workDir = QDir::homePath();
    return spec;
}

Result<LaunchSpec> demoSpec(Demo demo)
{
    if (demo == Demo::Collective)
        return collectiveDemo();
    const auto resources = resourcesDirectory();
    if (!resources)
        return resources.error();
    LaunchSpec spec;
    const QString folder = *resources + QStringLiteral("/demo/");
    if (demo == Demo::Debug) {
        spec.name = QStringLiteral("demo-debug");
        spec.command = {QStringLiteral("python3"), folder + QStringLiteral("debug.py")};
        spec.common.terminals = QStringLiteral("all");
    } else {
        spec.name = QStringLiteral("demo");
        spec.command = {QStringLiteral("python3"), folder + QStringLiteral("train.py"),
                        QStringLiteral("--steps"), QStringLiteral("600")};
    }
    spec.rankTableFile = *resources + QStringLiteral("/demo/rank_table.json");
    spec.convertedRankTable = QString::fromLatin1("{run}/rank_table");
    spec.logDir.clear();
    spec.workDir = QDir::homePath();
    return spec;
}

} // namespace rankdeck
