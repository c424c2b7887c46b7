#include "runnews/runnews.h"
#include "support/windowhome.h"
#include "support/windowtest.h"
#include "widgets/preferences.h"

#include <QTest>
#include <QWidget>

#ifdef RANKDECK_DBUS
#include <QDBusConnection>
#include <QProcess>
#include <QStandardPaths>
#endif

namespace tst_runnews
{

using namespace rankdeck;

/// Stands in for the desktop's notification service.
class Service : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QStringList summaries;
    QStringList bodies;
    QList<int> urgencies;

public Q_SLOTS:
    uint Notify(const QString & /*application*/, uint /*replaces*/, const QString & /*icon*/,
                const QString &summary, const QString &body, const QStringList & /*actions*/,
                const QVariantMap &hints, int /*timeout*/)
    {
        summaries << summary;
        bodies << body;
        urgencies << hints.value(QStringLiteral("urgency")).toInt();
        return 1;
    }
};

class RunNewsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endAndStallAreNews();
    void onlyTheGivenRunsAreToldAndOnlyWhenWanted();
    void theNotificationServiceIsCalled();
    void withoutABusNothingHappens();

private:
    static RunSummary summary(RunPhase phase)
    {
        RunSummary run;
        run.name = QStringLiteral("20261126-120000-train");
        run.title = QStringLiteral("train");
        run.directory = QStringLiteral("/runs/1");
        run.phase = phase;
        run.created = QDateTime::fromSecsSinceEpoch(1'000'000).toUTC();
        run.ended = run.created.addSecs(75);
        return run;
    }
};

void RunNewsTest::endAndStallAreNews()
{
    const RunSummary running = summary(RunPhase::Running);
    QVERIFY(!newsOf(running, running));
    QVERIFY(!newsOf(summary(RunPhase::Failed), summary(RunPhase::Failed)));

    const auto good = newsOf(running, summary(RunPhase::Succeeded));
    QVERIFY(good);
    QCOMPARE(good->summary, QStringLiteral("train: succeeded"));
    QVERIFY2(good->body.contains(QStringLiteral("1:15")), qPrintable(good->body));
    QVERIFY(!good->isBad);

    RunSummary failed = summary(RunPhase::Failed);
    failed.exitCode = 3;
    failed.verdict = QStringLiteral("Rank 3 failed first.");
    const auto bad = newsOf(running, failed);
    QVERIFY(bad && bad->isBad);
    QVERIFY2(bad->body.contains(QStringLiteral("Exit code 3")) && bad->body.contains(failed.verdict),
             qPrintable(bad->body));

    RunSummary stalled = running;
    stalled.remark = QStringLiteral("Rank 5 is silent.");
    const auto stall = newsOf(running, stalled);
    QVERIFY(stall);
    QCOMPARE(stall->body, stalled.remark);
    QVERIFY(!newsOf(stalled, stalled));
}

void RunNewsTest::onlyTheGivenRunsAreToldAndOnlyWhenWanted()
{
    const WindowHome home;
    QWidget window; // Is not shown, so it is not the active one.
    RunNews news(&window);
    QList<Notification> sent;
    news.sendTo([&sent](const Notification &notification) { sent << notification; });
    const QList<RunSummary> before{summary(RunPhase::Running)};
    const QList<RunSummary> now{summary(RunPhase::Succeeded)};
    news.take(before, now, {QStringLiteral("/runs/2")});
    QVERIFY(sent.isEmpty());
    news.take(before, now, {QStringLiteral("/runs/1")});
    QCOMPARE(sent.size(), 1);
    Preferences preferences;
    preferences.notifies = false;
    preferences.save();
    news.take(before, now, {QStringLiteral("/runs/1")});
    QCOMPARE(sent.size(), 1);
}

void RunNewsTest::theNotificationServiceIsCalled()
{
#ifdef RANKDECK_DBUS
    const QString program = QStandardPaths::findExecutable(QStringLiteral("dbus-daemon"));
    if (program.isEmpty())
        QSKIP("There is no dbus-daemon.");
    QProcess daemon;
    daemon.start(program, {QStringLiteral("--session"), QStringLiteral("--nofork"),
                           QStringLiteral("--nopidfile"), QStringLiteral("--print-address=1")});
    QVERIFY(daemon.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(daemon.canReadLine(), 10000);
    const QByteArray address = daemon.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    Service service;
    {
        QDBusConnection bus =
            QDBusConnection::connectToBus(QString::fromLatin1(address), QStringLiteral("standIn"));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &service,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
        showNotification({QStringLiteral("train: failed"), QStringLiteral("a <b>rank</b> & more"), true});
        QTRY_COMPARE_WITH_TIMEOUT(service.summaries, QStringList{QStringLiteral("train: failed")}, 10000);
        QCOMPARE(service.bodies.first(), QStringLiteral("a &lt;b&gt;rank&lt;/b&gt; &amp; more"));
        QCOMPARE(service.urgencies.first(), 2);
    }
    QDBusConnection::disconnectFromBus(QStringLiteral("standIn"));
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    daemon.kill();
    daemon.waitForFinished();
#else
    QSKIP("Built without QtDBus.");
#endif
}

void RunNewsTest::withoutABusNothingHappens()
{
    const WindowHome home;
    qunsetenv("DBUS_SESSION_BUS_ADDRESS");
    QElapsedTimer clock;
    clock.start();
    showNotification({QStringLiteral("one"), {}, false});
    QVERIFY2(clock.elapsed() < 1000, "The window waits for a bus.");
}

} // namespace tst_runnews

RANKDECK_WINDOW_TEST(tst_runnews, RunNewsTest)
#include "tst_runnews.moc"
