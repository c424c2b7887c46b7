#include "base/times.h"
#include "run/record/logindex.h"
#include "support/testmain.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_logindex
{

using namespace rankdeck;

/// The table in a log directory that says which logs are whose.
class LogIndexTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }
    void eachRunAddsItsLine();
    void severalDirectoriesHaveTheirOwn();
    void logsOfTheRunDirectoryAreNotIndexed();
    void aDirectoryOfOneRunGetsNone();
    void namesCannotBreakTheTable();
    void whatSomebodyElseWroteIsPassedOver();
    void aDirectoryThatCannotBeWrittenIsTold();

private:
    QString logs(const char *name = "log") const { return m_home->filePath(QLatin1String(name)); }
    RunRecord record(const QString &name, const QStringList &files, const char *folder = "log") const
    {
        RunRecord made;
        made.name = name;
        made.created = utcTime(QDate(2026, 3, 1), QTime(12, 30, 5));
        made.plan.launcher = u"davincirun"_s;
        for (const QString &file : files) {
            ProcessPlan process;
            process.logFile = logs(folder) + '/'_L1 + file;
            made.plan.processes.push_back(process);
        }
        return made;
    }
    QString run() const { return m_home->filePath(u"run"_s); }
    QByteArray text() const
    {
        QFile file(logs() + '/'_L1 + QLatin1String(logIndexName));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void LogIndexTest::eachRunAddsItsLine()
{
    const QStringList first{u"a 0.txt"_s, u"a 1.txt"_s};
    const QStringList second{u"a 0.1.txt"_s};
    QVERIFY(!indexLogs(record(u"one"_s, first), run()));
    const QByteArray before = text();
    QVERIFY2(before.startsWith("start\trun\tlauncher\tlogs\n2026-03-01T"), before.constData());
    QVERIFY2(before.endsWith("\tone\tdavincirun\ta 0.txt\ta 1.txt\n"), before.constData());
    QVERIFY(!indexLogs(record(u"two"_s, second), run()));
    QVERIFY(text().startsWith(before));
    const QDateTime start = utcTime(QDate(2026, 3, 1), QTime(12, 30, 5));
    const QString launcher = u"davincirun"_s;
    QCOMPARE(indexedRuns(logs()),
             (QList<IndexedRun>{{start, u"one"_s, launcher, first}, {start, u"two"_s, launcher, second}}));
}

void LogIndexTest::severalDirectoriesHaveTheirOwn()
{
    RunRecord run = record(u"one"_s, {u"0.txt"_s});
    run.plan.processes.front().stderrFile = logs("other") + u"/0.err"_s;
    QVERIFY(!indexLogs(run, this->run()));
    QCOMPARE(indexedRuns(logs()).constFirst().logs, QStringList{u"0.txt"_s});
    QCOMPARE(indexedRuns(logs("other")).constFirst().logs, QStringList{u"0.err"_s});
}

void LogIndexTest::logsOfTheRunDirectoryAreNotIndexed()
{
    QVERIFY(!indexLogs(record(u"one"_s, {u"0.txt"_s}), m_home->filePath(QString())));
    RunRecord adopted = record(u"one"_s, {u"0.txt"_s});
    adopted.plan.adopted = AdoptedProcess{1, 1, {}};
    QVERIFY(!indexLogs(adopted, run()));
    RunRecord found = record(u"one"_s, {u"0.txt"_s});
    found.plan.processes.front().isFound = true;
    QVERIFY(!indexLogs(found, run()));
    QVERIFY(!QFile::exists(logs()));
}

void LogIndexTest::aDirectoryOfOneRunGetsNone()
{
    RunRecord made = record(u"one"_s, {u"0.txt"_s});
    made.plan.emptyDirectory = logs();
    QVERIFY(!indexLogs(made, run()));
    RunRecord msrun = record(u"one"_s, {u"worker_0.log"_s});
    msrun.plan.overwriteLogs = true;
    QVERIFY(!indexLogs(msrun, run()));
    QVERIFY(!QFile::exists(logs()));
}

void LogIndexTest::namesCannotBreakTheTable()
{
    QVERIFY(!indexLogs(record(u"o\tn\ne"_s, {u"0\n.txt"_s}), run()));
    const QList<IndexedRun> runs = indexedRuns(logs());
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs.constFirst().name, u"o?n?e"_s);
    QCOMPARE(runs.constFirst().logs, QStringList{u"0?.txt"_s});
}

void LogIndexTest::whatSomebodyElseWroteIsPassedOver()
{
    QVERIFY(indexedRuns(logs()).isEmpty());
    QVERIFY(QDir().mkpath(logs()));
    QFile file(logs() + '/'_L1 + QLatin1String(logIndexName));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("my own notes\n2026-03-01T12:30:05Z\ttoo few\n\n");
    file.close();
    QVERIFY(!indexLogs(record(u"one"_s, {u"0.txt"_s}), run()));
    QCOMPARE(indexedRuns(logs()).size(), 1);
    QVERIFY(text().startsWith("my own notes\n"));
}

void LogIndexTest::aDirectoryThatCannotBeWrittenIsTold()
{
    QVERIFY(QDir().mkpath(logs() + '/'_L1 + QLatin1String(logIndexName)));
    const auto error = indexLogs(record(u"one"_s, {u"0.txt"_s}), run());
    QVERIFY(error && error->sentence().contains(QLatin1String(logIndexName)));
}

} // namespace tst_logindex

RANKDECK_TEST(tst_logindex, LogIndexTest)
#include "tst_logindex.moc"
