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
        urgencies << hints.value(u"urgency"_s).toInt();
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
        run.name = u"20261126-120000-train"_s;
        run.title = u"train"_s;
        run.directory = u"/runs/1"_s;
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
    QCOMPARE(good->summary, u"train: succeeded"_s);
    QVERIFY2(good->body.contains(u"1:15"_s), qPrintable(good->body));
    QVERIFY(!good->isBad);

    RunSummary failed = summary(RunPhase::Failed);
    failed.exitCode = 3;
    failed.verdict = u"Rank 3 failed first."_s;
    const auto bad = newsOf(running, failed);
    QVERIFY(bad && bad->isBad);
    QVERIFY2(bad->body.contains(u"Exit code 3"_s) && bad->body.contains(failed.verdict),
             qPrintable(bad->body));

    RunSummary stalled = running;
    stalled.remark = u"Rank 5 is silent."_s;
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
    news.take(before, now, {u"/runs/2"_s});
    QVERIFY(sent.isEmpty());
    news.take(before, now, {u"/runs/1"_s});
    QCOMPARE(sent.size(), 1);
    Preferences preferences;
    preferences.notifies = false;
    preferences.save();
    news.take(before, now, {u"/runs/1"_s});
    QCOMPARE(sent.size(), 1);
}

void RunNewsTest::theNotificationServiceIsCalled()
{
#ifdef RANKDECK_DBUS
    const QString program = QStandardPaths::findExecutable(u"dbus-daemon"_s);
    if (program.isEmpty())
        QSKIP("There is no dbus-daemon.");
    QProcess daemon;
    daemon.start(program, {u"--session"_s, u"--nofork"_s, u"--nopidfile"_s, u"--print-address=1"_s});
    QVERIFY(daemon.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(daemon.canReadLine(), 10000);
    const QByteArray address = daemon.readLine().trimmed();
    qputenv("DBUS_SESSION_BUS_ADDRESS", address);
    Service service;
    {
        QDBusConnection bus = QDBusConnection::connectToBus(QString::fromLatin1(address), u"standIn"_s);
        QVERIFY(bus.registerObject(u"/org/freedesktop/Notifications"_s, &service,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(u"org.freedesktop.Notifications"_s));
        showNotification({u"train: failed"_s, u"a <b>rank</b> & more"_s, true});
        QTRY_COMPARE_WITH_TIMEOUT(service.summaries, QStringList{u"train: failed"_s}, 10000);
        QCOMPARE(service.bodies.first(), u"a &lt;b&gt;rank&lt;/b&gt; &amp; more"_s);
        QCOMPARE(service.urgencies.first(), 2);
    }
    QDBusConnection::disconnectFromBus(u"standIn"_s);
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
    showNotification({u"one"_s, {}, false});
    QVERIFY2(clock.elapsed() < 1000, "The window waits for a bus.");
}

} // namespace tst_runnews

RANKDECK_WINDOW_TEST(tst_runnews, RunNewsTest)
#include "tst_runnews.moc"
