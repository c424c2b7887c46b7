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
        made.plan.launcher = QStringLiteral("davincirun");
        for (const QString &file : files) {
            ProcessPlan process;
            process.logFile = logs(folder) + QLatin1Char('/') + file;
            made.plan.processes.push_back(process);
        }
        return made;
    }
    QString run() const { return m_home->filePath(QStringLiteral("run")); }
    QByteArray text() const
    {
        QFile file(logs() + QLatin1Char('/') + QLatin1String(logIndexName));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    std::unique_ptr<QTemporaryDir> m_home;
};

void LogIndexTest::eachRunAddsItsLine()
{
    const QStringList first{QStringLiteral("a 0.txt"), QStringLiteral("a 1.txt")};
    const QStringList second{QStringLiteral("a 0.1.txt")};
    QVERIFY(!indexLogs(record(QStringLiteral("one"), first), run()));
    const QByteArray before = text();
    QVERIFY2(before.startsWith("start\trun\tlauncher\tlogs\n2026-03-01T"), before.constData());
    QVERIFY2(before.endsWith("\tone\tdavincirun\ta 0.txt\ta 1.txt\n"), before.constData());
    QVERIFY(!indexLogs(record(QStringLiteral("two"), second), run()));
    QVERIFY(text().startsWith(before));
    const QDateTime start = utcTime(QDate(2026, 3, 1), QTime(12, 30, 5));
    const QString launcher = QStringLiteral("davincirun");
    QCOMPARE(indexedRuns(logs()), (QList<IndexedRun>{{start, QStringLiteral("one"), launcher, first},
                                                     {start, QStringLiteral("two"), launcher, second}}));
}

void LogIndexTest::severalDirectoriesHaveTheirOwn()
{
    RunRecord run = record(QStringLiteral("one"), {QStringLiteral("0.txt")});
    run.plan.processes.front().stderrFile = logs("other") + QStringLiteral("/0.err");
    QVERIFY(!indexLogs(run, this->run()));
    QCOMPARE(indexedRuns(logs()).constFirst().logs, QStringList{QStringLiteral("0.txt")});
    QCOMPARE(indexedRuns(logs("other")).constFirst().logs, QStringList{QStringLiteral("0.err")});
}

void LogIndexTest::logsOfTheRunDirectoryAreNotIndexed()
{
    QVERIFY(
        !indexLogs(record(QStringLiteral("one"), {QStringLiteral("0.txt")}), m_home->filePath(QString())));
    RunRecord adopted = record(QStringLiteral("one"), {QStringLiteral("0.txt")});
    adopted.plan.adopted = AdoptedProcess{1, 1, {}};
    QVERIFY(!indexLogs(adopted, run()));
    RunRecord found = record(QStringLiteral("one"), {QStringLiteral("0.txt")});
    found.plan.processes.front().isFound = true;
    QVERIFY(!indexLogs(found, run()));
    QVERIFY(!QFile::exists(logs()));
}

void LogIndexTest::aDirectoryOfOneRunGetsNone()
{
    RunRecord made = record(QStringLiteral("one"), {QStringLiteral("0.txt")});
    made.plan.emptyDirectory = logs();
    QVERIFY(!indexLogs(made, run()));
    RunRecord msrun = record(QStringLiteral("one"), {QStringLiteral("worker_0.log")});
    msrun.plan.overwriteLogs = true;
    QVERIFY(!indexLogs(msrun, run()));
    QVERIFY(!QFile::exists(logs()));
}

void LogIndexTest::namesCannotBreakTheTable()
{
    QVERIFY(!indexLogs(record(QStringLiteral("o\tn\ne"), {QStringLiteral("0\n.txt")}), run()));
    const QList<IndexedRun> runs = indexedRuns(logs());
    QCOMPARE(runs.size(), 1);
    QCOMPARE(runs.constFirst().name, QStringLiteral("o?n?e"));
    QCOMPARE(runs.constFirst().logs, QStringList{QStringLiteral("0?.txt")});
}

void LogIndexTest::whatSomebodyElseWroteIsPassedOver()
{
    QVERIFY(indexedRuns(logs()).isEmpty());
    QVERIFY(QDir().mkpath(logs()));
    QFile file(logs() + QLatin1Char('/') + QLatin1String(logIndexName));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("my own notes\n2026-03-01T12:30:05Z\ttoo few\n\n");
    file.close();
    QVERIFY(!indexLogs(record(QStringLiteral("one"), {QStringLiteral("0.txt")}), run()));
    QCOMPARE(indexedRuns(logs()).size(), 1);
    QVERIFY(text().startsWith("my own notes\n"));
}

void LogIndexTest::aDirectoryThatCannotBeWrittenIsTold()
{
    QVERIFY(QDir().mkpath(logs() + QLatin1Char('/') + QLatin1String(logIndexName)));
    const auto error = indexLogs(record(QStringLiteral("one"), {QStringLiteral("0.txt")}), run());
    QVERIFY(error && error->sentence().contains(QLatin1String(logIndexName)));
}

} // namespace tst_logindex

RANKDECK_TEST(tst_logindex, LogIndexTest)
#include "tst_logindex.moc"
