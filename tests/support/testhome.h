#pragma once

#include "support/testpaths.h"

#include <QFile>
#include <QString>
#include <QTemporaryDir>

namespace rankdeck
{

/// A place of its own for one test: runs, sockets, temporary files and logs go below it, and rankdeckctl is
/// the one of this build. Platform variables that would change a plan are gone.
class TestHome
{
public:
    TestHome()
    {
        for (const char *variable :
             {"RANK_TABLE_FILE", "RANK_TABLE_FILE_V_1_0", "MA_HOME", "MA_MOUNT_PATH", "MA_CURRENT_HOST_IP",
              "MA_CURRENT_INSTANCE_NAME", "BATCH_TASK_CURRENT_INSTANCE", "BATCH_JOB_ID", "MA_VJ_NAME",
              "HCCL_CONNECT_TIMEOUT", "ASCEND_PROCESS_LOG_PATH", "PYTHONUNBUFFERED", "XDG_RUNTIME_DIR",
              "ANACONDA_DIR", "DEFAULT_CONDA_ENV_NAME", "VIRTUAL_ENV", "CONDA_PREFIX",
              "ASCEND_RT_VISIBLE_DEVICES"})
            qunsetenv(variable);
        qputenv("XDG_STATE_HOME", path("state").toLocal8Bit());
        // Short: a socket's path ends at 107 bytes.
        qputenv("XDG_RUNTIME_DIR", m_directory.path().toLocal8Bit());
        qputenv("MA_HOME", path("ma-home").toLocal8Bit());
        qputenv("RANKDECK_CTL", buildPath("bin/rankdeckctl").toUtf8());
        qputenv("RANKDECK_RESOURCES", sourcePath("resources").toUtf8());
    }

    QString path() const { return m_directory.path(); }
    QString path(const QString &name) const { return m_directory.filePath(name); }
    QString path(const char *name) const { return path(QString::fromLatin1(name)); }

private:
    QTemporaryDir m_directory;
};

/// A file of our own under tests/data.
inline QString testData(const char *name)
{
    return sourcePath("tests/data/") + QLatin1String(name);
}

/// A file of the collection that lies beside the project on some machines; empty where it does not.
inline QString sharedData(const char *name)
{
    const QString path = sourcePath("../shared/data/") + QLatin1String(name);
    return QFile::exists(path) ? path : QString();
}

} // namespace rankdeck
