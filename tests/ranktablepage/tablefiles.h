#pragma once

#include "support/testpaths.h"

#include <QDateTime>
#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

using namespace Qt::StringLiterals;

/// Rank table files in a temporary directory of the test's own.
class TableFiles
{
public:
    TableFiles()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_directory.path());
        QCoreApplication::setOrganizationName(u"rankdeck"_s);
        QCoreApplication::setApplicationName(u"test_ranktablepage"_s);
    }

    QString path(const char *name) const { return m_directory.filePath(QLatin1String(name)); }

    /// Last changed a minute ago: what is younger may be half written.
    QString write(const char *name, const QByteArray &content) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size() || !file.flush() ||
            !file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime))
            qFatal("the test's file %s cannot be written", name);
        return file.fileName();
    }

    /// A copy of one of the project's example tables.
    QString copy(const char *name) const
    {
        QFile file(rankdeck::sourcePath("tests/data/ranktables/") + QLatin1String(name));
        if (!file.open(QIODevice::ReadOnly))
            qFatal("there is no test data %s", name);
        return write(name, file.readAll());
    }

    /// A version 1.0 table, a line for each device: server 1 and 2 with two devices each.
    /// @param badIp of rank 2, on line 9.
    static QByteArray twoServers(const QByteArray &badIp = "192.168.2.10",
                                 const QByteArray &status = "completed")
    {
        return R"({
"version": "1.0", "status": ")" +
               status + R"(", "server_count": "2",
"server_list": [
{"server_id": "10.0.0.1", "device": [
{"device_id": "0", "device_ip": "192.168.1.10", "rank_id": "0"},
{"device_id": "1", "device_ip": "192.168.1.11", "rank_id": "1"}
]},
{"server_id": "10.0.0.2", "device": [
{"device_id": "0", "device_ip": ")" +
               badIp + R"(", "rank_id": "2"},
{"device_id": "1", "device_ip": "192.168.2.11", "rank_id": "3"}
]}
]}
)";
    }

    /// A version 1.0 table, a line for each device, eight devices a server.
    static QByteArray large(int servers)
    {
        QByteArray text = R"({"version":"1.0","status":"completed","server_list":[)";
        for (int server = 0; server < servers; ++server) {
            const QByteArray address =
                QByteArray::number(server / 250) + '.' + QByteArray::number(server % 250);
            text += server > 0 ? ",\n" : "\n";
            text += R"({"server_id":"10.1.)" + address + R"(","device":[)";
            for (int device = 0; device < 8; ++device) {
                const QByteArray id = QByteArray::number(device);
                const QByteArray rank = QByteArray::number(8 * server + device);
                text += device > 0 ? ",\n" : "\n";
                text += R"({"device_id":")" + id + R"(","device_ip":"17)" + id + ".1." + address +
                        R"(","rank_id":")" + rank + R"("})";
            }
            text += "]}";
        }
        return text + R"(],"server_count":")" + QByteArray::number(servers) + R"("})";
    }

private:
    QTemporaryDir m_directory;
};
