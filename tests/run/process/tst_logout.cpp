#include "run/process/logout.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace tst_logout
{

using namespace rankdeck;

using Place = LogoutFacts::Place;

/// Made-up machines, each a folder in place of "/".
class LogoutTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_root = std::make_unique<QTemporaryDir>(); }
    void thePlaceIsReadFromTheControlGroup_data();
    void thePlaceIsReadFromTheControlGroup();
    void logindsConfigurationDecidesOverASession_data();
    void logindsConfigurationDecidesOverASession();
    void strongerFoldersReplaceDropIns();
    void lingeringKeepsTheManagerButNoSession();
    void theWarningSaysHowToKeepARun();
    void thisMachineCanBeAsked();

private:
    void write(const QString &path, const QByteArray &text) const
    {
        const QString full = m_root->path() + path;
        QVERIFY(QDir().mkpath(QFileInfo(full).path()));
        QFile file(full);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
    void beInSession() const
    {
        write(u"/proc/self/cgroup"_s, "0::/user.slice/user-1000.slice/session-3.scope\n");
    }
    LogoutFacts facts(const QString &user = u"ann"_s) const { return logoutFacts(m_root->path(), user); }

    std::unique_ptr<QTemporaryDir> m_root;
};

void LogoutTest::thePlaceIsReadFromTheControlGroup_data()
{
    QTest::addColumn<QByteArray>("cgroup");
    QTest::addColumn<Place>("place");
    QTest::newRow("ssh") << QByteArray("0::/user.slice/user-1000.slice/session-3.scope\n") << Place::Session;
    QTest::newRow("first version")
        << QByteArray("3:cpu:/\n1:name=systemd:/user.slice/user-0.slice/session-c1.scope\n")
        << Place::Session;
    QTest::newRow("desktop") << QByteArray("0::/user.slice/user-1000.slice/user@1000.service/app.slice/"
                                           "app-terminal.slice/vte-spawn-1.scope\n")
                             << Place::Manager;
    QTest::newRow("scope of one's own")
        << QByteArray("0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope\n")
        << Place::Manager;
    QTest::newRow("service") << QByteArray("0::/system.slice/slurmd.service\n") << Place::Elsewhere;
    QTest::newRow("container") << QByteArray("0::/\n") << Place::Elsewhere;
    QTest::newRow("nothing") << QByteArray() << Place::Elsewhere;
}

void LogoutTest::thePlaceIsReadFromTheControlGroup()
{
    QFETCH(QByteArray, cgroup);
    QFETCH(Place, place);
    write(u"/proc/self/cgroup"_s, cgroup);
    QCOMPARE(facts().place, place);
}

void LogoutTest::logindsConfigurationDecidesOverASession_data()
{
    QTest::addColumn<QByteArray>("main");
    QTest::addColumn<QByteArray>("dropIn");
    QTest::addColumn<QString>("user");
    QTest::addColumn<bool>("isKilled");
    const QString ann = u"ann"_s;
    const QString root = u"root"_s;
    const QByteArray yes = "[Login]\nKillUserProcesses=yes\n";
    QTest::newRow("no word of it") << QByteArray() << QByteArray() << ann << false;
    QTest::newRow("default no") << QByteArray("[Login]\n#KillUserProcesses=no\n") << QByteArray() << ann
                                << false;
    QTest::newRow("default yes") << QByteArray("[Login]\n#KillUserProcesses=yes\n") << QByteArray() << ann
                                 << true;
    QTest::newRow("yes") << yes << QByteArray() << ann << true;
    QTest::newRow("on, over a default no")
        << QByteArray("[Login]\n#KillUserProcesses=no\nKillUserProcesses = On\n") << QByteArray() << ann
        << true;
    QTest::newRow("another section") << QByteArray("[Other]\nKillUserProcesses=yes\n") << QByteArray() << ann
                                     << false;
    QTest::newRow("a drop-in wins") << yes << QByteArray("[Login]\nKillUserProcesses=no\n") << ann << false;
    QTest::newRow("root is left alone") << yes << QByteArray() << root << false;
    QTest::newRow("but not with an empty list")
        << yes << QByteArray("[Login]\nKillExcludeUsers=\n") << root << true;
    QTest::newRow("excluded") << yes << QByteArray("[Login]\nKillExcludeUsers=bob ann\n") << ann << false;
    QTest::newRow("only others") << yes << QByteArray("[Login]\nKillOnlyUsers=bob\n") << ann << false;
    QTest::newRow("only this one") << yes << QByteArray("[Login]\nKillOnlyUsers=bob ann\n") << ann << true;
}

void LogoutTest::logindsConfigurationDecidesOverASession()
{
    QFETCH(QByteArray, main);
    QFETCH(QByteArray, dropIn);
    QFETCH(QString, user);
    QFETCH(bool, isKilled);
    beInSession();
    write(u"/etc/systemd/logind.conf"_s, main);
    write(u"/run/systemd/logind.conf.d/50-local.conf"_s, dropIn);
    QCOMPARE(facts(user).isSessionKilled, isKilled);
}

void LogoutTest::strongerFoldersReplaceDropIns()
{
    beInSession();
    write(u"/usr/lib/systemd/logind.conf"_s, "[Login]\nKillUserProcesses=no\n");
    write(u"/usr/lib/systemd/logind.conf.d/50-kill.conf"_s, "[Login]\nKillUserProcesses=yes\n");
    QVERIFY(facts().isSessionKilled);
    write(u"/etc/systemd/logind.conf.d/50-kill.conf"_s, "");
    QVERIFY(!facts().isSessionKilled);
    write(u"/run/systemd/logind.conf.d/60-kill.conf"_s, "[Login]\nKillUserProcesses=yes\n");
    QVERIFY(facts().isSessionKilled);
}

void LogoutTest::lingeringKeepsTheManagerButNoSession()
{
    write(u"/etc/systemd/logind.conf"_s, "[Login]\nKillUserProcesses=yes\n");
    write(u"/var/lib/systemd/linger/ann"_s, "");
    beInSession();
    QCOMPARE(facts(), (LogoutFacts{Place::Session, true, true}));
    QVERIFY(!logoutWarning(facts()).isEmpty());
    write(u"/proc/self/cgroup"_s, "0::/user.slice/user-1000.slice/user@1000.service/app.slice/a.scope\n");
    QCOMPARE(facts(), (LogoutFacts{Place::Manager, false, true}));
    QCOMPARE(logoutWarning(facts()), QString());
}

void LogoutTest::theWarningSaysHowToKeepARun()
{
    QCOMPARE(logoutWarning({}), QString());
    QCOMPARE(logoutWarning({Place::Session, false, false}), QString());
    const QString session = logoutWarning({Place::Session, true, false});
    QVERIFY(session.contains("loginctl enable-linger"_L1));
    QVERIFY(session.contains("systemd-run --user --scope"_L1));
    const QString lingering = logoutWarning({Place::Session, true, true});
    QVERIFY(!lingering.contains("loginctl"_L1));
    QVERIFY(lingering.contains("systemd-run --user --scope"_L1));
    QVERIFY(logoutWarning({Place::Manager, false, false}).text().contains("loginctl enable-linger"_L1));
}

void LogoutTest::thisMachineCanBeAsked()
{
    // Whatever it says: a session that is left alone needs no warning, nor does a process elsewhere.
    const LogoutFacts here = logoutFacts();
    QCOMPARE(logoutWarning(here).isEmpty(), here.place == Place::Elsewhere ||
                                                (here.place == Place::Session && !here.isSessionKilled) ||
                                                (here.place == Place::Manager && here.lingers));
}

} // namespace tst_logout

RANKDECK_TEST(tst_logout, LogoutTest)
#include "tst_logout.moc"
