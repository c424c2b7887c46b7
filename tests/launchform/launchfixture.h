#pragma once

#include "launch/options/launchers.h"
#include "launch/spec/launchspec.h"
#include "run/record/runreader.h"
#include "support/testpaths.h"

#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;

/// Everything that a launch reads and writes, in a temporary directory of the test's own.
class LaunchFixture
{
public:
    LaunchFixture()
    {
        qputenv("XDG_CONFIG_HOME", path("config").toUtf8());
        qputenv("XDG_STATE_HOME", path("state").toUtf8());
        qputenv("XDG_RUNTIME_DIR", path("runtime").toUtf8());
        QDir().mkpath(path("runtime"));
        qputenv("RANKDECK_CTL", rankdeck::buildPath("bin/rankdeckctl").toUtf8());
        for (const char *variable :
             {"RANK_TABLE_FILE", "RANK_TABLE_FILE_V_1_0", "MA_HOME", "MA_MOUNT_PATH", "MA_CURRENT_HOST_IP",
              "MA_CURRENT_INSTANCE_NAME", "BATCH_TASK_CURRENT_INSTANCE"})
            qunsetenv(variable);
    }

    QString path(const char *name) const { return m_directory.filePath(QLatin1String(name)); }

    /// A v1.0 rank table of one server with eight devices. Returns its path.
    QString writeTable(const char *status = "completed") const
    {
        QByteArray devices;
        for (int rank = 0; rank < 8; ++rank)
            devices += QByteArray(rank ? "," : "") + R"({"device_id":")" + QByteArray::number(rank) +
                       R"(","device_ip":"192.168.100.)" + QByteArray::number(100 + rank) +
                       R"(","rank_id":")" + QByteArray::number(rank) + R"("})";
        return write("table.json",
                     R"({"version":"1.0","status":")" + QByteArray(status) +
                         R"(","server_count":"1","server_list":[{"server_id":"127.0.0.1","device":[)" +
                         devices + "]}]}");
    }

    /// A v1.0 rank table with two errors that do not keep it from being planned: two devices have masks for
    /// addresses. The first stands on line 3.
    QString writeTableWithErrors(const char *status = "completed") const
    {
        return write("table.json",
                     R"({"version":"1.0","status":")" + QByteArray(status) +
                         R"(","server_count":"1","server_list":[{"server_id":"127.0.0.1","device":[
{"device_id":"0","device_ip":"192.168.100.100","rank_id":"0"},
{"device_id":"1","device_ip":"192.168.*.*","rank_id":"1"},
{"device_id":"2","device_ip":"xx.xx.xx.xx","rank_id":"2"}]}]})");
    }

    QString write(const char *name, const QByteArray &content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("the test's file %s cannot be written", name);
        return file.fileName();
    }

    /// Eight ranks that print and end at once.
    rankdeck::LaunchSpec spec() const
    {
        rankdeck::LaunchSpec spec;
        spec.command = QStringList{u"/bin/echo"_s, u"hello"_s};
        spec.rankTableFile = writeTable();
        spec.workDir = m_directory.path();
        spec.logDir = path("log");
        spec.randomCacheDir = false;
        return spec;
    }

    /// A scheduler and two workers that print and end at once.
    rankdeck::LaunchSpec msrunSpec() const
    {
        rankdeck::LaunchSpec spec = rankdeck::msrunDefaults();
        spec.command = QStringList{write("train.py", "print('hello')\n")};
        spec.workDir = m_directory.path();
        spec.logDir = path("log");
        spec.msrun.workerNum = spec.msrun.localWorkerNum = 2;
        spec.msrun.masterPort = freePort();
        return spec;
    }

    /// Two ranks, each with an argument of its own, that print and end at once.
    rankdeck::LaunchSpec processesSpec() const
    {
        rankdeck::LaunchSpec spec = rankdeck::processesDefaults();
        spec.command = QStringList{u"/bin/echo"_s, u"hello"_s};
        spec.workDir = m_directory.path();
        spec.processes.nproc = 2;
        spec.processes.args = {{0, {u"--first"_s}}, {1, {u"--last"_s}}};
        return spec;
    }

    static int freePort()
    {
        QTcpServer server;
        server.listen(QHostAddress::LocalHost);
        return server.serverPort();
    }

    /// Whether the run has ended; until then its supervisor uses the directory.
    static bool isOver(const QString &runDirectory)
    {
        rankdeck::RunReader reader(runDirectory);
        const auto state = reader.open();
        return state && !rankdeck::isLive(state->phase);
    }

private:
    QTemporaryDir m_directory;
};
