#include "base/json.h"
#include "bundle/bundlearchive.h"
#include "run/record/journal.h"
#include "run/record/rundirectory.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QDirIterator>

#include <memory>

namespace tst_bundlecommand
{

using namespace rankdeck;

/// rankdeckctl report --bundle, and what it makes of a bundle.
class BundleCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup() { killProcessesOf(*m_home); }
    void aFailedLaunchIsBundledAndReported();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    static QStringList words(const QString &text) { return text.split(' '_L1, Qt::SkipEmptyParts); }

    std::unique_ptr<TestHome> m_home;
};

void BundleCommandTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
}

void BundleCommandTest::aFailedLaunchIsBundledAndReported()
{
    QFile script(m_home->path("train.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    script.write("import os, sys, time\n"
                 "print('my token is', os.environ['HF_TOKEN'], sys.argv, flush=True)\n"
                 "if os.environ['RANK'] == '1':\n"
                 "    raise ValueError('bad value')\n"
                 "time.sleep(1000)\n");
    script.close();
    QFile variables(m_home->path("variables"));
    QVERIFY(variables.open(QIODevice::WriteOnly));
    variables.write("HF_TOKEN=variable-s3cret\n");
    variables.close();
    const Outcome launched = ctl({u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                                  QString::number(freePort()), u"--env-file"_s, variables.fileName(), u"--"_s,
                                  u"python3"_s, script.fileName(), u"--api-key=argument-s3cret"_s});
    QVERIFY2(launched.code == 1, launched.err.constData());
    QFile journal(journalPath(findRun(u"last"_s).value()));
    QVERIFY(journal.open(QIODevice::Append));
    journal.write(RunEvent::now(events::Note{Sentence(u"The disk was full."_s)}).toLine() + '\n');
    journal.close();
    const QString path = m_home->path("b.tar.gz");
    const Outcome written = ctl(words(u"report last --max-size 5 --bundle"_s) << path);
    QVERIFY2(written.code == 0, written.err.constData());
    QVERIFY2(written.out.contains("Values of "), written.out.constData());

    const Outcome before = ctl(words(u"report last --json"_s));
    const Outcome noted = ctl(words(u"report last"_s));
    QVERIFY(QDir(m_home->path("state/rankdeck/runs")).removeRecursively());
    const Outcome after = ctl({u"report"_s, path, u"--json"_s});
    QVERIFY2(after.code == 0, after.err.constData());
    const auto verdict = parseJson(after.out);
    QVERIFY(verdict);
    QCOMPARE(verdict->at("root_rank").get<int>(), 1);
    QCOMPARE(verdict->at("reason").get<QString>(), parseJson(before.out)->at("reason").get<QString>());
    const Outcome text = ctl({u"report"_s, path});
    QVERIFY2(text.out.contains("Rank 1 failed first: ValueError: bad value"), text.out.constData());
    for (const QByteArray &report : {text.out, noted.out})
        QVERIFY2(report.contains("\n\nNotes:\n  ") && report.contains("\n  The disk was full.\n"),
                 report.constData());

    const Outcome opened = ctl({u"open"_s, path, u"--json"_s});
    const auto listed = parseJson(opened.out);
    QVERIFY2(listed, opened.err.constData());
    QCOMPARE(listed->at("directory").get<QString>(), path);
    QCOMPARE(listed->at("processes").size(), std::size_t(2));
    QVERIFY(QDir::isRelativePath(listed->at("processes").at(1).at("log").get<QString>()));
    QCOMPARE(listed->at("verdict").at("root_rank").get<int>(), 1);
    const Outcome shown = ctl({u"open"_s, path});
    QVERIFY2(shown.out.contains("Rank 1 failed first: ValueError: bad value"), shown.out.constData());
    const Outcome logs = ctl({u"logs"_s, path, u"--rank"_s, u"1"_s});
    QVERIFY2(logs.code == 0 && logs.out.contains("ValueError: bad value"), logs.err.constData());
    const Outcome progress = ctl({u"progress"_s, path, u"--json"_s});
    const auto steps = parseJson(progress.out);
    QVERIFY2(steps, progress.err.constData());
    QCOMPARE(steps->at("directory").get<QString>(), path);
    QCOMPARE(steps->at("ranks").size(), std::size_t(2));
    const Outcome explained = ctl({u"explain"_s, path});
    QCOMPARE(explained.code, 0);
    QVERIFY2(explained.out.startsWith(path.toUtf8() + ":logs/"), explained.out.constData());
    for (const auto &evidence : listed->at("verdict").at("evidence")) {
        if (evidence.at("file").is_string() && !evidence.at("time").is_null())
            QVERIFY(evidence.at("time").get<QString>().endsWith(".000Z"_L1));
    }

    const QString folder = m_home->path("unpacked");
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(!unpackArchive(path, folder));
    int files = 0;
    QDirIterator each(folder, QDir::Files, QDirIterator::Subdirectories);
    while (each.hasNext()) {
        const QByteArray content = fileText(each.next());
        QVERIFY2(!content.contains("s3cret"), qPrintable(each.filePath()));
        ++files;
    }
    QVERIFY(files >= 12);
    QVERIFY(QDir(m_home->path("state/rankdeck/bundles")).isEmpty());
}

void BundleCommandTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("said");
    const auto row = [](const char *arguments, const char *said) {
        QTest::newRow(arguments) << QString::fromUtf8(arguments) << QString::fromUtf8(said);
    };
    row("report /usr/include", "no logs found");
    row("report /etc --bundle", "");
    row("report /etc --max-size 5", "works only with --bundle");
    row("report /etc --bundle /tmp/x --html", "cannot be combined");
    row("report /etc --output /tmp/x", "works only with --html");
    row("report /etc --bundle /tmp/x --max-size 0", "--max-size");
    row("report /etc --bundle /tmp/x --max-size 5000", "is more than 1000");
}

void BundleCommandTest::wrongUseIsOneSentence()
{
    QFETCH(QString, arguments);
    QFETCH(QString, said);
    verifyOneSentence(ctl(words(arguments)), said.toUtf8());
}

} // namespace tst_bundlecommand

RANKDECK_TEST(tst_bundlecommand, BundleCommandTest)
#include "tst_bundlecommand.moc"
