#include "launch/plan/launchplan.h"
#include "support/liverun.h"
#include "support/testmain.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QProcess>

#include <limits>

namespace tst_soak
{

using namespace rankdeck;

/// A run that goes on and on while commands ask about it: none of Rankdeck's processes may use more memory or
/// more descriptors in the end than it did after the warm-up.
///
/// A few seconds by default, half a minute where CI is set; RANKDECK_SOAK_MINUTES=20 for a real soak.
class SoakTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aProcessThatGrowsIsNamed_data();
    void aProcessThatGrowsIsNamed();
    void anOpenedFileIsCounted();
    void everyRoleStaysAsItWas();

private:
    static constexpr int limitMs = 15000;
    static constexpr qint64 maxGrowthKb = 2048;

    struct Sample {
        qint64 memoryKb = 0; ///< Anonymous memory, swapped out or not.
        int descriptors = 0;

        bool isRead() const { return memoryKb > 0 && descriptors > 0; }
    };
    struct Role {
        QString name;
        qint64 pid = 0;
        Sample first;
        Sample last;
    };

    static Sample sampleOf(qint64 pid);
    static QString growthProblem(const Role &role);
    static bool oneMoreLine(const QString &log);
    static Sample restOf(qint64 pid, const QString &log);
    static QString askProblem();
};

SoakTest::Sample SoakTest::sampleOf(qint64 pid)
{
    Sample sample;
    for (const QByteArray &line : linesOf(fileText(u"/proc/%1/status"_s.arg(pid)))) {
        if (line.startsWith("RssAnon:") || line.startsWith("VmSwap:"))
            sample.memoryKb += line.mid(line.indexOf(':') + 1).trimmed().split(' ').first().toLongLong();
    }
    const QDir open(u"/proc/%1/fd"_s.arg(pid));
    // Those of pipes and sockets are links to nothing, which System includes.
    sample.descriptors =
        int(open.entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot).size());
    return sample;
}

/// Says how a role differs from what it was; empty: it does not.
QString SoakTest::growthProblem(const Role &role)
{
    if (!role.first.isRead() || !role.last.isRead())
        return u"%1 (%2) cannot be read"_s.arg(role.name).arg(role.pid);
    if (role.last.descriptors != role.first.descriptors)
        return u"%1 had %2 descriptors and has %3"_s.arg(role.name)
            .arg(role.first.descriptors)
            .arg(role.last.descriptors);
    if (role.last.memoryKb - role.first.memoryKb > maxGrowthKb)
        return u"%1 had %2 kB and has %3 kB"_s.arg(role.name)
            .arg(role.first.memoryKb)
            .arg(role.last.memoryKb);
    return {};
}

/// Waits until a rank has printed again.
bool SoakTest::oneMoreLine(const QString &log)
{
    const qint64 size = QFile(log).size();
    return QTest::qWaitFor([&] { return QFile(log).size() > size; }, limitMs);
}

/// The least of ten samples, a line of a rank apart: a process may have a file open for a moment.
SoakTest::Sample SoakTest::restOf(qint64 pid, const QString &log)
{
    Sample least{std::numeric_limits<qint64>::max(), std::numeric_limits<int>::max()};
    for (int look = 0; look < 10; ++look) {
        const Sample sample = sampleOf(pid);
        if (!sample.isRead() || !oneMoreLine(log))
            return {};
        least.memoryKb = std::min(least.memoryKb, sample.memoryKb);
        least.descriptors = std::min(least.descriptors, sample.descriptors);
    }
    return least;
}

/// Asks for what users and scripts ask for. Says which command has failed; empty: none.
QString SoakTest::askProblem()
{
    struct Question {
        const char *command;
        QStringList options;
        int code = 0;
    };
    const QList<Question> questions{{"list", {u"--json"_s}},
                                    {"logs", {u"last"_s, u"--tail"_s, u"20"_s}},
                                    {"progress", {u"last"_s, u"--json"_s}},
                                    {"wait", {u"last"_s, u"--timeout"_s, u"1"_s}, 124}};
    for (const Question &question : questions) {
        const Outcome answer = ctl(QStringList{QLatin1String(question.command)} + question.options);
        if (answer.code != question.code)
            return u"%1: code %2, %3"_s.arg(QLatin1String(question.command))
                .arg(answer.code)
                .arg(QString::fromUtf8(answer.err));
    }
    return {};
}

void SoakTest::aProcessThatGrowsIsNamed_data()
{
    QTest::addColumn<qint64>("memoryKb");
    QTest::addColumn<int>("descriptors");
    QTest::addColumn<QString>("problem");
    QTest::newRow("as it was") << qint64(5000) << 20 << QString();
    QTest::newRow("2 MB more") << qint64(5000 + 2048) << 20 << QString();
    QTest::newRow("less memory") << qint64(4000) << 20 << QString();
    QTest::newRow("more than 2 MB more")
        << qint64(5000 + 2049) << 20 << u"agent had 5000 kB and has 7049 kB"_s;
    QTest::newRow("one descriptor more") << qint64(5000) << 21 << u"agent had 20 descriptors and has 21"_s;
    QTest::newRow("one descriptor less") << qint64(5000) << 19 << u"agent had 20 descriptors and has 19"_s;
    QTest::newRow("gone") << qint64(0) << 0 << u"agent (7) cannot be read"_s;
}

void SoakTest::aProcessThatGrowsIsNamed()
{
    QFETCH(qint64, memoryKb);
    QFETCH(int, descriptors);
    QFETCH(QString, problem);
    QCOMPARE(growthProblem({u"agent"_s, 7, {5000, 20}, {memoryKb, descriptors}}), problem);
}

/// With a real process: this one.
void SoakTest::anOpenedFileIsCounted()
{
    const qint64 self = QCoreApplication::applicationPid();
    Role role{u"test"_s, self, sampleOf(self), {}};
    QFile file(u"/dev/null"_s);
    QVERIFY(file.open(QIODevice::ReadOnly));
    role.last = sampleOf(self);
    QCOMPARE(role.last.descriptors, role.first.descriptors + 1);
    file.close();
    QByteArray grown(16 * 1024 * 1024, 'x');
    role.last = sampleOf(self);
    QVERIFY(grown.endsWith('x'));
    QVERIFY2(growthProblem(role).contains("kB and has"_L1), qPrintable(growthProblem(role)));
}

void SoakTest::everyRoleStaysAsItWas()
{
    bool isNumber = false;
    double minutes = qEnvironmentVariable("RANKDECK_SOAK_MINUTES").toDouble(&isNumber);
    if (!isNumber)
        minutes = qEnvironmentVariableIsSet("CI") ? 0.5 : 0.25;
    LiveRun run;
    run.start();
    QVERIFY(run.isUp());
    QProcess reader;
    reader.setStandardOutputFile(QProcess::nullDevice());
    reader.setStandardErrorFile(QProcess::nullDevice());
    reader.start(buildPath("bin/rankdeckctl"), {u"logs"_s, u"--follow"_s, u"last"_s});
    QVERIFY(reader.waitForStarted());

    const QString log = run.state().plan->processes.front().logFile;
    for (int command = 0; command < 3; ++command) { // The warm-up.
        const QString problem = askProblem();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    QTRY_VERIFY_WITH_TIMEOUT(run.counted(0) >= 40, limitMs);
    std::vector<Role> roles{{u"supervisor"_s, run.supervisor(), {}, {}},
                            {u"guardian"_s, run.guardian(), {}, {}},
                            {u"keeper"_s, run.keeper(), {}, {}},
                            {u"agent"_s, run.agent(), {}, {}},
                            {u"command"_s, run.ctlProcess().processId(), {}, {}},
                            {u"reader"_s, reader.processId(), {}, {}}};
    for (Role &role : roles)
        role.first = restOf(role.pid, log);

    const QDeadlineTimer end(std::chrono::milliseconds(qint64(minutes * 60000)));
    int rounds = 0;
    do {
        const QString problem = askProblem();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        ++rounds;
        QVERIFY(oneMoreLine(log));
    } while (!end.hasExpired());

    QStringList problems;
    for (Role &role : roles) {
        role.last = restOf(role.pid, log);
#ifdef __SANITIZE_ADDRESS__
        role.last.memoryKb = role.first.memoryKb; // It keeps what was freed.
#endif
        qInfo("%s: %lld kB, then %lld kB; %d descriptors, then %d", qPrintable(role.name),
              role.first.memoryKb, role.last.memoryKb, role.first.descriptors, role.last.descriptors);
        if (const QString problem = growthProblem(role); !problem.isEmpty())
            problems << problem;
    }
    qInfo("asked %d times, %d lines of a rank", rounds, run.counted(0));
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
    QVERIFY(run.goesOnWhole());
    reader.kill();
    reader.waitForFinished();
    ctl({u"stop"_s, u"last"_s});
    QTRY_VERIFY_WITH_TIMEOUT(run.alive().isEmpty(), limitMs);
}

} // namespace tst_soak

RANKDECK_TEST(tst_soak, SoakTest)
#include "tst_soak.moc"
