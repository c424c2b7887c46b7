#include "base/fields.h"
#include "base/times.h"
#include "diagnosis/failure/errorfile.h"
#include "diagnosis/failure/failurereport.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QDateTime>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cmath>
#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>

namespace tst_rootcause
{

using namespace rankdeck;

/// error.json of torch's @record, and which rank it makes the root cause.
class RootCauseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void bothFormsOfTheFileAreRead_data();
    void bothFormsOfTheFileAreRead();
    void whatIsNoErrorFileIsNotRead_data();
    void whatIsNoErrorFileIsNotRead();
    void aPipeInItsPlaceHoldsNobodyUp();
    void aLargeFileIsNotRead();
    void itsTextIsPlainAndBounded();
    void wholeSecondsAreMadeFinerByTheFilesOwnTime();
    void theEarliestTimestampIsTheRootCause();
    void aFailureWithoutAFileCountsWithItsEnd();
    void aRankThatWasTornDownCountsOnlyWithAFile();
    void equalTimesGoByTheOrderOfExit();
    void ranksThatEndedWellAreNotToBlame();
    void otherLaunchersHaveNoErrorFiles();
    void theReportHasMessageAndTraceback();
    void theFailureRoundTrips();

private:
    QString path(int rank) const { return m_home->filePath(u"error%1.json"_s.arg(rank)); }
    void write(int rank, const QByteArray &text) const
    {
        QFile file(path(rank));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    }
    void writeTime(int rank, double seconds) const
    {
        write(rank, R"({"message": {"message": "RuntimeError: rank )" + QByteArray::number(rank) +
                        R"(", "extraInfo": {"py_callstack": "Traceback\n  here\n", "timestamp": ")" +
                        QByteArray::number(seconds, 'f', 3) + R"("}}})");
    }
    void end(int rank, double seconds, RankPhase phase = RankPhase::Failed)
    {
        RankState &state = m_state.ranks.at(size_t(rank));
        state.phase = phase;
        state.pid = 100 + rank;
        state.status = phase == RankPhase::Ended ? ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}
                                                 : ExitStatus{ExitStatus::Kind::Exited, 1};
        state.ended = utcTime(qint64(seconds * 1000));
    }
    int causeRank() const
    {
        const auto cause = rootCause(m_state);
        return cause ? cause->rank.value : -1;
    }

    std::unique_ptr<QTemporaryDir> m_home;
    RunState m_state;
};

void RootCauseTest::init()
{
    m_home = std::make_unique<QTemporaryDir>();
    LaunchPlan plan;
    plan.launcher = u"processes"_s;
    plan.processes.resize(3);
    for (int rank = 0; rank < 3; ++rank) {
        ProcessPlan &process = plan.processes[size_t(rank)];
        process.rank = Rank(rank);
        process.device = ProcessPlan::noDevice;
        process.node = u"box"_s;
        process.setVariables.insert(QLatin1String(errorFileVariable), path(rank));
    }
    m_state = {};
    m_state.plan = std::make_shared<const LaunchPlan>(plan);
    m_state.ranks.resize(3);
}

void RootCauseTest::bothFormsOfTheFileAreRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("message");
    QTest::addColumn<QStringList>("traceback");
    QTest::addColumn<double>("timestamp");
    const QStringList traceback{u"Traceback:"_s, u"  line 1"_s};
    QTest::newRow("of today") << QByteArray(R"({"message": {"message": "ValueError: x", "extraInfo":
        {"py_callstack": "Traceback:\n  line 1\n", "timestamp": "1700000000"}}})")
                              << "ValueError: x" << traceback << 1700000000.0;
    QTest::newRow("with a code") << QByteArray(R"({"message": {"message": "E", "errorCode": 7, "extraInfo":
        {"py_callstack": "", "timestamp": 12.5}}})")
                                 << "E" << QStringList() << 12.5;
    QTest::newRow("the older one") << QByteArray(R"({"message": "E: y", "timestamp": 5})") << "E: y"
                                   << QStringList() << 5.0;
    QTest::newRow("without a time") << QByteArray(R"({"message": "E"})") << "E" << QStringList() << -1.0;
    QTest::newRow("a time that is none")
        << QByteArray(R"({"message": {"message": "E", "extraInfo": {"timestamp": "soon"}}})") << "E"
        << QStringList() << -1.0;
    QTest::newRow("a time that is no number")
        << QByteArray(R"({"message": {"message": "E", "extraInfo": {"timestamp": "nan"}}})") << "E"
        << QStringList() << -1.0;
    QTest::newRow("fields of other types")
        << QByteArray(R"({"message": {"message": "E", "extraInfo": [1, {"py_callstack": 3}]}})") << "E"
        << QStringList() << -1.0;
}

void RootCauseTest::bothFormsOfTheFileAreRead()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, message);
    QFETCH(QStringList, traceback);
    QFETCH(double, timestamp);
    write(0, text);
    const auto file = readErrorFile(path(0));
    QVERIFY(file);
    QCOMPARE(file->message, message);
    QCOMPARE(file->traceback, traceback);
    QCOMPARE(file->timestamp.value_or(-1), timestamp);
}

void RootCauseTest::whatIsNoErrorFileIsNotRead_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("half written") << QByteArray(R"({"message": {"mess)");
    QTest::newRow("a list") << QByteArray(R"(["message"])");
    QTest::newRow("no message") << QByteArray(R"({"timestamp": 5})");
    QTest::newRow("nothing in it") << QByteArray(R"({"message": {}})");
    QTest::newRow("a message of another type") << QByteArray(R"({"message": 3})");
}

void RootCauseTest::whatIsNoErrorFileIsNotRead()
{
    QFETCH(QByteArray, text);
    write(0, text);
    QVERIFY(!readErrorFile(path(0)));
    QVERIFY(!readErrorFile(m_home->filePath(u"missing"_s)));
    QVERIFY(!readErrorFile(m_home->path()));
}

void RootCauseTest::aPipeInItsPlaceHoldsNobodyUp()
{
    QCOMPARE(mkfifo(QFile::encodeName(path(0)).constData(), 0600), 0);
    QVERIFY(!readErrorFile(path(0)));
}

void RootCauseTest::aLargeFileIsNotRead()
{
    write(0, R"({"message": ")" + QByteArray(1024 * 1024, 'x') + R"("})");
    QVERIFY(!readErrorFile(path(0)));
}

void RootCauseTest::itsTextIsPlainAndBounded()
{
    const QByteArray lines = QByteArray("line\\n").repeated(1000) + "\\u001b[31m<b>red</b>\\u0007";
    write(0, R"({"message": {"message": ")" + QByteArray(5000, 'm') +
                 R"(\nmore", "extraInfo": {"py_callstack": ")" + lines + QByteArray(5000, 'r') + R"("}}})");
    const auto file = readErrorFile(path(0));
    QVERIFY(file);
    QCOMPARE(file->message.size(), 1001);
    QVERIFY(!file->message.contains('\n'_L1));
    QCOMPARE(file->traceback.size(), 200);
    QVERIFY(file->traceback.last().startsWith(u"<b>red</b>\u2407rrr"_s));
    QCOMPARE(file->traceback.last().size(), 2001);
}

void RootCauseTest::wholeSecondsAreMadeFinerByTheFilesOwnTime()
{
    const auto setTime = [&](double seconds) {
        const timespec time{time_t(seconds), long((seconds - std::floor(seconds)) * 1e9)};
        const std::array<timespec, 2> times{time, time};
        QCOMPARE(utimensat(AT_FDCWD, QFile::encodeName(path(0)).constData(), times.data(), 0), 0);
    };
    write(0, R"({"message": "E", "timestamp": "1700000000"})");
    setTime(1700000000.25);
    QCOMPARE(readErrorFile(path(0))->timestamp.value(), 1700000000.25);
    setTime(1700000003.25);
    QCOMPARE(readErrorFile(path(0))->timestamp.value(), 1700000000.0);
}

void RootCauseTest::theEarliestTimestampIsTheRootCause()
{
    end(0, 1000);
    end(1, 1001);
    end(2, 1002);
    writeTime(0, 900.5);
    writeTime(1, 900.25);
    writeTime(2, 900.75);
    const auto cause = rootCause(m_state);
    QVERIFY(cause);
    QCOMPARE(cause->rank, Rank(1));
    QCOMPARE(cause->pid, 101);
    QCOMPARE(cause->reason, u"RuntimeError: rank 1"_s);
    QCOMPARE(cause->traceback, (QStringList{u"Traceback"_s, u"  here"_s}));
}

void RootCauseTest::aFailureWithoutAFileCountsWithItsEnd()
{
    end(0, 1000);
    end(1, 1000.5);
    writeTime(1, 1000.25);
    QCOMPARE(causeRank(), 0);
    end(0, 1000.4);
    QCOMPARE(causeRank(), 1);
}

void RootCauseTest::aRankThatWasTornDownCountsOnlyWithAFile()
{
    end(0, 1000);
    end(1, 999, RankPhase::Ended);
    QCOMPARE(causeRank(), 0);
    writeTime(1, 1000.5);
    QCOMPARE(causeRank(), 0);
    writeTime(1, 999.5);
    QCOMPARE(causeRank(), 1);
}

void RootCauseTest::equalTimesGoByTheOrderOfExit()
{
    end(0, 1001);
    end(1, 1000);
    writeTime(0, 900);
    writeTime(1, 900);
    QCOMPARE(causeRank(), 1);
}

void RootCauseTest::ranksThatEndedWellAreNotToBlame()
{
    QCOMPARE(causeRank(), -1);
    end(0, 1000, RankPhase::Exited);
    m_state.ranks[0].status = ExitStatus{};
    writeTime(0, 1);
    QCOMPARE(causeRank(), -1);
    end(1, 1000);
    QCOMPARE(causeRank(), 1);
}

void RootCauseTest::otherLaunchersHaveNoErrorFiles()
{
    LaunchPlan plan = *m_state.plan;
    plan.launcher = u"davincirun"_s;
    m_state.plan = std::make_shared<const LaunchPlan>(plan);
    end(0, 1000);
    writeTime(0, 900);
    QCOMPARE(causeRank(), -1);
}

void RootCauseTest::theReportHasMessageAndTraceback()
{
    end(2, 1000);
    writeTime(2, 900);
    m_state.failure = rootCause(m_state);
    const QString report = verdictText(firstSight(m_state, nullptr, QLocale::c()), m_state);
    QVERIFY2(report.contains("on box, pid 102\nRuntimeError: rank 2\n"_L1), qPrintable(report));
    QVERIFY2(report.contains("\n  Traceback\n    here\n"_L1), qPrintable(report));
}

void RootCauseTest::theFailureRoundTrips()
{
    end(1, 1000);
    writeTime(1, 900);
    const auto failure = rootCause(m_state);
    QVERIFY(failure);
    QCOMPARE(fromJsonText<Failure>(jsonTextOf(*failure)), failure);
}

} // namespace tst_rootcause

RANKDECK_TEST(tst_rootcause, RootCauseTest)
#include "tst_rootcause.moc"
