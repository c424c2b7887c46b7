#include "bundle/bundlearchive.h"
#include "bundle/writebundle.h"
#include "run/record/runreader.h"
#include "support/programs.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QDirIterator>
#include <QTest>

namespace tst_ascendfd
{

using namespace rankdeck;

/// The logs of a run in the folders that ascend-fd reads.
class AscendFdTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void logsAreWhereItLooks();
    void secretsAreMasked();
    void withoutALogNothingIsWritten();

private:
    QString archivePath() const { return m_home->path("fd.tar.gz"); }
    void write(const QString &name, const QByteArray &text) const
    {
        const QString path = m_home->path("home") + u"/ascend/log/"_s + name;
        QVERIFY(QDir().mkpath(QFileInfo(path).path()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    static QMap<QString, QByteArray> contentOf(const QString &path)
    {
        const QTemporaryDir folder;
        if (const auto error = unpackArchive(path, folder.path()))
            qFatal("%s", qPrintable(error->sentence()));
        QMap<QString, QByteArray> content;
        QDirIterator files(folder.path(), QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QString file = files.next();
            content.insert(file.mid(folder.path().size() + 1), fileText(file));
        }
        return content;
    }

    std::unique_ptr<TestHome> m_home;
};

void AscendFdTest::init()
{
    m_home = std::make_unique<TestHome>();
    qputenv("HOME", m_home->path("home").toLocal8Bit());
}

void AscendFdTest::logsAreWhereItLooks()
{
    RecordedRun run;
    run.startAll();
    run.print(3, "rank 3 says hello\n");
    run.finish(RunPhase::Failed, 1);
    const RunState state = *RunReader(run.directory()).open();
    const QString pid = QString::number(state.ranks[3].pid);
    write(u"debug/plog/plog-%1_20260307114332305.log"_s.arg(pid), "[ERROR] HCCL\n");
    write(u"run/plog/plog-%1_20260307114332305.log"_s.arg(pid), "Entry-HcclCommInitRootInfoInner\n");
    write(u"run/device-3/device-%1_20260307114332305.log"_s.arg(pid), "device\n");
    write(u"run/device-3/device-4_20260307114332305.log"_s, "another\n");
    write(u"debug/plog/plog-4_20260307114332305.log"_s, "another\n");
    const auto written = writeForAscendFd(state, archivePath());
    QVERIFY2(written, qPrintable(written ? QString() : written.error().sentence()));
    QVERIFY(written->summary(archivePath()).contains(u"ascend-fd parse -i"_s));
    const auto content = contentOf(archivePath());
    const QString node = content.firstKey().section('/'_L1, 0, 0);
    const QString plog = u"plog/plog-%1_20260307114332305.log"_s.arg(pid);
    QCOMPARE(content.keys(),
             (QStringList{node + u"/process_log/debug/"_s + plog,
                          node + u"/process_log/run/device-3/device-%1_20260307114332305.log"_s.arg(pid),
                          node + u"/process_log/run/"_s + plog, node + u"/rank-3.log"_s}));
    QCOMPARE(content.last(), QByteArray("rank 3 says hello\n"));
    QCOMPARE(content.first(), QByteArray("[ERROR] HCCL\n"));
}

void AscendFdTest::secretsAreMasked()
{
    qputenv("HF_TOKEN", "hf_0123456789");
    RecordedRun run;
    run.startAll();
    run.print(0, "token is hf_0123456789\n");
    run.finish(RunPhase::Failed, 1);
    const auto written = writeForAscendFd(*RunReader(run.directory()).open(), archivePath());
    qunsetenv("HF_TOKEN");
    QVERIFY(written);
    QCOMPARE(contentOf(archivePath()).last(), QByteArray("token is ***\n"));
    QCOMPARE(written->maskedNames, QStringList{u"HF_TOKEN"_s});
}

void AscendFdTest::withoutALogNothingIsWritten()
{
    RecordedRun run;
    run.startAll();
    run.finish(RunPhase::Failed, 1);
    const auto written = writeForAscendFd(*RunReader(run.directory()).open(), archivePath());
    QVERIFY(!written);
    QVERIFY(written.error().sentence().contains(u"no rank has written a log"_s));
    QVERIFY(!QFileInfo::exists(archivePath()));
}

} // namespace tst_ascendfd

RANKDECK_TEST(tst_ascendfd, AscendFdTest)
#include "tst_ascendfd.moc"
