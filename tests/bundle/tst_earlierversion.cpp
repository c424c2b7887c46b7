#include "bundle/openbundle.h"
#include "device/history/devicehistory.h"
#include "diagnosis/verdict/keptverdict.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "run/record/rundirectory.h"
#include "run/record/runreader.h"
#include "run/record/runstate.h"
#include "run/samples/loadhistory.h"
#include "run/samples/nodehistory.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QDir>
#include <QDirIterator>
#include <QTest>

#include <csignal>
#include <ctime>

namespace tst_earlierversion
{

using namespace rankdeck;

/// A run and its bundle that version 0.2.0 wrote, see tests/data/README.md.
class EarlierVersionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void itsRunIsShownAsItWas();
    void itsBundleIsShownAsItWas();

private:
    static constexpr char recordedAt[] = "/srv/training/work/state/rankdeck/runs/20261128-153139-train";

    static QByteArray textOf(const QString &path);
    QString copiedRun() const;
    static void verifyEnds(const RunState &state);
    static void verifySamples(const QString &directory);

    std::unique_ptr<TestHome> m_home;
};

void EarlierVersionTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("TZ", "UTC");
    tzset();
}

QByteArray EarlierVersionTest::textOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    return file.readAll();
}

/// Returns a directory with the run, whose paths lead there.
QString EarlierVersionTest::copiedRun() const
{
    const QString from = testData("earlier/run");
    const QString directory = m_home->path("20261128-153139-train");
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        QFile copy(directory + path.mid(from.size()));
        if (!QDir().mkpath(QFileInfo(copy).path()) || !copy.open(QIODevice::WriteOnly) ||
            copy.write(textOf(path).replace(recordedAt, directory.toUtf8())) < 0)
            qFatal("%s cannot be written", qPrintable(copy.fileName()));
    }
    return directory;
}

void EarlierVersionTest::verifyEnds(const RunState &state)
{
    QCOMPARE(state.name, u"20261128-153139-train"_s);
    QCOMPARE(state.ranks.size(), std::size_t(4));
    for (std::size_t rank = 0; rank < 4; ++rank) {
        const ExitStatus expected = rank == 2 ? ExitStatus{ExitStatus::Kind::Exited, 1}
                                              : ExitStatus{ExitStatus::Kind::Signalled, SIGTERM};
        QCOMPARE(state.ranks[rank].status, std::optional(expected));
        QCOMPARE(state.ranks[rank].phase, rank == 2 ? RankPhase::Failed : RankPhase::Ended);
        QCOMPARE(state.ranks[rank].started.toString(Qt::ISODateWithMs), u"2026-11-28T15:31:39.632Z"_s);
        QCOMPARE(state.plan->processes[rank].setVariables.value(u"RANK"_s), QString::number(rank));
    }
    QCOMPARE(state.ranks[2].pid, 25080);
    QCOMPARE(state.plan->processes[0].argv, (QStringList{u"python3"_s, u"train.py"_s}));
    QCOMPARE(state.plan->worldSize(), 4);
    QCOMPARE(state.failure->logTail.last(), u"ValueError: bad batch: token 50304 is out of range"_s);
    QCOMPARE(state.exitCode, 1);
    QVERIFY(state.notes.join(' '_L1).contains("OMP_NUM_THREADS is 1 in every rank"_L1));
}

void EarlierVersionTest::verifySamples(const QString &directory)
{
    const auto devices = DeviceHistory::from(textOf(deviceHistoryPath(directory, 0)));
    QVERIFY(devices);
    QCOMPARE(devices->moments.size(), 3);
    QCOMPARE(devices->chips.first().size(), 2);
    QCOMPARE(devices->chips.first()[1].ids.card, std::optional(CardId(5)));
    QCOMPARE(devices->chips.first()[1].hbm.total, std::optional<qint64>(65536));
    QCOMPARE(devices->chipsOfProcesses.first(), (QMap<int, qsizetype>{{0, 0}, {1, 1}}));
    const auto loads = LoadHistory::from(textOf(loadHistoryPath(directory, 0)));
    QVERIFY(loads);
    QCOMPARE(loads->moments.size(), 4);
}

void EarlierVersionTest::itsRunIsShownAsItWas()
{
    const QString directory = copiedRun();
    const auto state = RunReader(directory).open();
    QVERIFY2(state, qPrintable(state.error().sentence()));
    QCOMPARE(state->phase, RunPhase::Failed);
    verifyEnds(*state);
    QCOMPARE(state->spec->processes.nproc, 4);
    QCOMPARE(state->spec->environment.value(u"API_TOKEN"_s), u"notasecret99"_s);
    verifySamples(directory);
    const QString expected = QString::fromUtf8(textOf(testData("earlier/report.txt")));
    const auto shown = [&](const Verdict &verdict) {
        return verdictText(verdict, *state).replace(directory, QLatin1String(recordedAt)).split('\n'_L1);
    };
    QCOMPARE(shown(verdictOf(*state)), expected.split('\n'_L1));
    const auto kept = verdictFrom(textOf(verdictPath(directory)), *state->plan);
    QVERIFY(kept);
    QCOMPARE(shown(*kept), expected.split('\n'_L1));
}

void EarlierVersionTest::itsBundleIsShownAsItWas()
{
    const auto bundle = openBundle(testData("earlier/bundle.tar.gz"));
    QVERIFY2(bundle, qPrintable(bundle.error().sentence()));
    QCOMPARE(bundle->state.phase, RunPhase::Recorded);
    verifyEnds(bundle->state);
    QCOMPARE(bundle->origin, u"Opened from a report bundle that was made on n1 at 2026-11-28 "
                             "15:32:11 (run: failed); nothing runs here."_s);
    verifySamples(bundle->state.directory);
    QCOMPARE(bundle->report, QString::fromUtf8(textOf(testData("earlier/report.txt"))));
    QVERIFY(bundle->verdict);
    // Where logs are and what a run's end is called differs from the run's own report.
    const QStringList shown = verdictText(*bundle->verdict, bundle->state).split('\n'_L1);
    const QStringList report = bundle->report.split('\n'_L1);
    const qsizetype beginOfLogs = report.indexOf("Last lines of the log:"_L1);
    QVERIFY(beginOfLogs > 0);
    for (const QString &line : report.mid(0, beginOfLogs)) {
        if (!line.contains("stderr.log"_L1))
            QVERIFY2(shown.contains(line), qPrintable(line));
    }
}

} // namespace tst_earlierversion

RANKDECK_TEST(tst_earlierversion, EarlierVersionTest)
#include "tst_earlierversion.moc"
