#pragma once

#include "run/process/processtree.h"
#include "run/record/runcatalog.h"
#include "run/record/runreader.h"
#include "testhome.h"
#include "watchdog.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace rankdeck
{

/// What a program that has ended left behind: its exit code (128 + n for signal n) and what it printed.
struct Outcome {
    int code = -1;
    QByteArray out;
    QByteArray err;
};

inline Outcome outcomeOf(QProcess &process)
{
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(programLimitMs))
        return {};
    const int code =
        process.exitStatus() == QProcess::NormalExit ? process.exitCode() : 128 + process.exitCode();
    return {code, process.readAllStandardOutput(), process.readAllStandardError()};
}

/// Run rankdeckctl to its end.
inline Outcome ctl(const QStringList &arguments, const QString &folder = {})
{
    QProcess process;
    if (!folder.isEmpty())
        process.setWorkingDirectory(folder);
    process.start(buildPath("bin/rankdeckctl"), arguments);
    return outcomeOf(process);
}

/// The demo's training script with these options, as a command.
inline QStringList train(const QStringList &options)
{
    return QStringList{u"python3"_s, sourcePath("resources/demo/train.py")} + options;
}

inline QString demoTable()
{
    return sourcePath("resources/demo/rank_table.json");
}

inline QByteArray fileText(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Living processes that were started with `marker` in their environment, as everything below a run is: the
/// supervisor, its agents, the ranks, and what these started, however far it went from its parents.
inline QList<qint64> processesOf(const QString &marker)
{
    QList<qint64> found;
    const QStringList entries = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &entry : entries) {
        bool isPid = false;
        const qint64 pid = entry.toLongLong(&isPid);
        if (!isPid || !fileText(u"/proc/%1/environ"_s.arg(pid)).contains(marker.toUtf8()))
            continue;
        const auto process = readProcess(static_cast<pid_t>(pid));
        if (process && process->state != 'Z')
            found << pid;
    }
    return found;
}

/// Splits on '\n'; a final line end starts no further line.
inline QList<QByteArray> linesOf(QByteArray text)
{
    if (text.endsWith('\n'))
        text.chop(1);
    return text.isEmpty() ? QList<QByteArray>() : text.split('\n');
}

/// What every wrong use comes to: exit code 2, nothing on standard output, and one line of errors that says
/// this.
inline void verifyOneSentence(const Outcome &outcome, const QByteArray &words = {})
{
    QCOMPARE(outcome.code, 2);
    QCOMPARE(outcome.out, QByteArray());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains(words), outcome.err.constData());
}

/// Whatever a failed check left of the runs below this home is ended, by pid.
inline void killProcessesOf(const TestHome &home)
{
    for (const qint64 pid : processesOf(home.path("state")))
        ::kill(static_cast<pid_t>(pid), SIGKILL);
}

} // namespace rankdeck
