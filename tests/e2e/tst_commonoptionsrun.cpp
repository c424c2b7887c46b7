#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QDir>

#include <algorithm>
#include <memory>

#include <sys/resource.h>

namespace tst_commonoptionsrun
{

using namespace rankdeck;

/// The options that every launcher takes, as the processes feel them.
class CommonOptionsRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void limitsHold();
    void variablesReachTheirRanks();
    void theInterpreterIsTheCondaEnvironments();
    void whatIsNotAllowedHereIsSaid();
    void wrongUseStartsNothing_data();
    void wrongUseStartsNothing();

private:
    static QString masterPort() { return u"--master-port=%1"_s.arg(freePort()); }
    Outcome run(const QStringList &options, const char *script) const
    {
        return ctl(QStringList{u"processes"_s, u"--name=w"_s, masterPort()} + options +
                   QStringList{u"--"_s, u"sh"_s, u"-c"_s, QString::fromUtf8(script)});
    }
    QString write(const char *name, const QByteArray &text, bool isProgram = false) const
    {
        QFile file(m_home->path(name));
        QDir().mkpath(QFileInfo(file).path());
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("a file of the test cannot be written");
        if (isProgram)
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }

    std::unique_ptr<TestHome> m_home;
};

void CommonOptionsRunTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void CommonOptionsRunTest::limitsHold()
{
    const Outcome outcome =
        run({u"--nice=3"_s, u"--umask=027"_s, u"--open-files=64"_s, u"--memory-limit=2G"_s},
            "echo $(nice) $(umask) $(ulimit -n) $(ulimit -v)");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const int nice = getpriority(PRIO_PROCESS, 0) + 3;
    QCOMPARE(outcome.out.trimmed(), "[w0]:" + QByteArray::number(nice) + " 0027 64 2097152");
}

void CommonOptionsRunTest::variablesReachTheirRanks()
{
    qputenv("RANKDECK_TEST_INHERITED", "x");
    const QString file = write("variables", "A=from file\nB=from file\n");
    const Outcome outcome = run({u"--nproc=2"_s, u"--env-file"_s, file, u"--env=B=from option"_s,
                                 u"--rank-env=1:A=its own"_s, u"--unset-env=RANKDECK_TEST_INHERITED"_s},
                                "echo \"$RANK,$A,$B,$RANKDECK_TEST_INHERITED\"");
    qunsetenv("RANKDECK_TEST_INHERITED");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QList<QByteArray> lines = linesOf(outcome.out);
    std::sort(lines.begin(), lines.end());
    QCOMPARE(lines, (QList<QByteArray>{"[w0]:0,from file,from option,", "[w1]:1,its own,from option,"}));
}

void CommonOptionsRunTest::theInterpreterIsTheCondaEnvironments()
{
    write("conda/envs/ms/conda-meta/history", {});
    const QString python =
        write("conda/envs/ms/bin/python3", "#!/bin/sh\necho \"$0 $LD_LIBRARY_PATH $@\"\n", true);
    const QString conda = m_home->path("conda/envs/ms");
    const Outcome outcome = ctl({u"processes"_s, u"--conda-env"_s, conda, u"--name=w"_s, masterPort(),
                                 u"--unset-env=LD_LIBRARY_PATH"_s, u"--"_s, u"python3"_s, u"train.py"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(outcome.out.trimmed(), u"[w0]:%1 %2/lib train.py"_s.arg(python, conda).toUtf8());
}

void CommonOptionsRunTest::whatIsNotAllowedHereIsSaid()
{
    rlimit files{};
    QCOMPARE(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_max == RLIM_INFINITY || files.rlim_max >= 2'000'000'000)
        QSKIP("any number of open files is allowed here");
    const Outcome outcome = run({u"--open-files=2000000001"_s}, "echo started");
    QVERIFY(outcome.code != 0);
    QVERIFY2(!outcome.out.contains("started"), outcome.out.constData());
    QVERIFY2((outcome.out + outcome.err).contains("open files"), outcome.err.constData());
}

void CommonOptionsRunTest::wrongUseStartsNothing_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("names");
    const auto row = [](const char *option, const char *names) {
        QTest::newRow(option) << QStringList{QString::fromUtf8(option)} << QByteArray(names);
    };
    row("--conda-env=none-of-this-name", "--conda-env");
    row("--env-file=/nonexistent/file",
        "/nonexistent/file: cannot read the file of variables: file not found");
    row("--env-file=/dev/null", "/dev/null: cannot read the file of variables: it is not a regular file");
    row("--rank-env=9:A=1", "--rank-env");
    row("--env=ASCEND_RT_VISIBLE_DEVICES=0, 1", "ASCEND_RT_VISIBLE_DEVICES");
    row("--bind-core={}x", "--bind-core");
    row("--nice=20", "--nice");
}

void CommonOptionsRunTest::wrongUseStartsNothing()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, names);
    const Outcome outcome = run(options, "echo started");
    verifyOneSentence(outcome, names);
    QVERIFY(!QDir(m_home->path("state/rankdeck/runs")).exists() ||
            QDir(m_home->path("state/rankdeck/runs")).isEmpty());
}

} // namespace tst_commonoptionsrun

RANKDECK_TEST(tst_commonoptionsrun, CommonOptionsRunTest)
#include "tst_commonoptionsrun.moc"
