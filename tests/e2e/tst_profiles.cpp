#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QDir>

#include <memory>

namespace tst_profiles
{

using namespace rankdeck;

/// Launches kept as profiles and taken over from other launchers' command lines, as a user does it.
class ProfilesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aProfileIsSavedShownRunAndRemoved();
    void optionsAndACommandWinOverTheProfiles();
    void aCommandLineIsImportedAndLaunched();
    void aScriptDoesThePlanWithoutRankdeck();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }

    /// Not the default one, which another test may just be trying.
    static QString masterPort() { return u"--master-port=%1"_s.arg(freePort()); }

    std::unique_ptr<TestHome> m_home;
};

void ProfilesTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
}

void ProfilesTest::aProfileIsSavedShownRunAndRemoved()
{
    QVERIFY(ctl(words("profile save two processes --nproc 2 --name=w -- echo hello")).code == 0);
    QCOMPARE(ctl(words("profile list")).out, QByteArray("two\n"));
    const Outcome shown = ctl(words("profile show two"));
    QVERIFY(ctl(words("run --help")).out.startsWith("Usage: rankdeckctl run PROFILE"));
    QVERIFY(shown.out.endsWith("rankdeckctl processes --nproc=2 --name=w echo hello\n"));
    const Outcome run = ctl(words("run two") << masterPort());
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.out.count("hello"), 2);
    QCOMPARE(ctl(words("profile save two msrun t.py")).code, 2);
    QCOMPARE(ctl(words("profile save two --force msrun t.py")).code, 0);
    QCOMPARE(ctl(words("profile remove two")).code, 0);
    QCOMPARE(ctl(words("profile list")).out, QByteArray());
}

void ProfilesTest::optionsAndACommandWinOverTheProfiles()
{
    QVERIFY(ctl(words("profile save two processes --nproc 2 --name=w --env=A=1 -- sh -c")).code == 0);
    const Outcome run =
        ctl(QStringList{u"run"_s, u"two"_s, masterPort()} + words("--nproc=1 --env=B=2 printenv A B"));
    QVERIFY2(run.code == 0, run.err.constData());
    QCOMPARE(run.out, QByteArray("[w0]:1\n[w0]:2\n"));
    const Outcome plan = ctl(words("plan run --json two"));
    QVERIFY2(plan.code == 0, plan.err.constData());
    QVERIFY(plan.out.contains("\"world_size\": 2"));
}

void ProfilesTest::aCommandLineIsImportedAndLaunched()
{
    const Outcome imported = ctl({u"import"_s, u"--save"_s, u"t"_s,
                                  u"A=1 torchrun --nproc_per_node=2 --no_python printenv A > log 2>&1"_s});
    QVERIFY2(imported.code == 0, imported.err.constData());
    QCOMPARE(imported.out, QByteArray("rankdeckctl processes --nproc=2 --env=A=1 printenv A\n"));
    QVERIFY(imported.err.contains("> log 2>&1"));
    const Outcome run = ctl(words("run t") << masterPort());
    QCOMPARE(run.code, 0);
    QCOMPARE(run.out.count(":1\n"), 2);
}

void ProfilesTest::aScriptDoesThePlanWithoutRankdeck()
{
    const Outcome script = ctl(words("plan processes --script --nproc=2 -- sh -c"));
    QVERIFY2(script.code == 0, script.err.constData());
    QVERIFY(script.out.startsWith("#!/usr/bin/env bash\n"));
    QVERIFY(!script.out.contains("rankdeckctl"));
    QCOMPARE(script.out.count("LOCAL_RANK="), 2);
}

void ProfilesTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    for (const char *text :
         {"run", "run nothing", "profile", "profile list x", "profile show", "profile show nothing",
          "profile save", "profile save x", "profile save x mpirun a", "profile save .. msrun t.py",
          "profile remove nothing", "profile bogus x", "import", "import '", "plan run nothing"})
        QTest::newRow(text) << words(text);
}

void ProfilesTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    const Outcome outcome = ctl(arguments);
    verifyOneSentence(outcome);
}

} // namespace tst_profiles

RANKDECK_TEST(tst_profiles, ProfilesTest)
#include "tst_profiles.moc"
