#include "diagnosis/logdirectory/consolelog.h"
#include "support/testmain.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_splitlog
{

using namespace rankdeck;

/// The lines of each rank in a log that is being written.
class SplitLogTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void theFilesStay();
    void whatTellsTooLittleAtFirstIsReadAgain();
    void aLineIsTakenOnceItsPrefixIsWhole();
    void aGreatLogIsTakenInSteps();
    void aLogThatWasCutBeginsAgain();

private:
    void append(const QByteArray &text) const
    {
        QFile log(m_folder->filePath(u"console.log"_s));
        QVERIFY(log.open(QIODevice::Append) && log.write(text) == text.size());
    }
    QByteArray rank(int number) const
    {
        QFile file(m_folder->filePath(u"rank-%1.log"_s.arg(number)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("none");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<SplitLog> m_split;
};

void SplitLogTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_split = std::make_unique<SplitLog>(m_folder->filePath(u"console.log"_s), m_folder->path());
}

void SplitLogTest::theFilesStay()
{
    append("start\n[rank0]: a\n[rank1]: b\n");
    QVERIFY(!m_split->step());
    QCOMPARE(m_split->ranks(), (std::set<int>{0, 1}));
    append("[rank1]: c\n");
    QVERIFY(!m_split->step());
    m_split.reset();
    QCOMPARE(rank(0), QByteArray("a\n"));
    QCOMPARE(rank(1), QByteArray("b\nc\n"));
}

/// "0: " is a label only if most lines have one, and not all the same.
void SplitLogTest::whatTellsTooLittleAtFirstIsReadAgain()
{
    append("0: a\n");
    QVERIFY(!m_split->step());
    QVERIFY(m_split->ranks().empty());
    append("1: b\n0: c\n");
    QVERIFY(!m_split->step());
    QCOMPARE(rank(0), QByteArray("a\nc\n"));
    QCOMPARE(rank(1), QByteArray("b\n"));
    for (int line = 0; line < 10; ++line)
        append("no label\n");
    QVERIFY(!m_split->step());
    QVERIFY(m_split->ranks().empty());
    QCOMPARE(rank(0), QByteArray());
}

void SplitLogTest::aLineIsTakenOnceItsPrefixIsWhole()
{
    append("[rank0]: a\n[ra");
    QVERIFY(!m_split->step());
    append("nk1]: b");
    QVERIFY(!m_split->step());
    QCOMPARE(rank(1), QByteArray("none"));
    QVERIFY(!m_split->update());
    QCOMPARE(rank(1), QByteArray("b"));
}

void SplitLogTest::aGreatLogIsTakenInSteps()
{
    const QByteArray line = "[rank0]: " + QByteArray(1000, 'x') + '\n';
    const qint64 lines = SplitLog::stepBytes / line.size() + 10;
    append(line.repeated(lines));
    QVERIFY(!m_split->step());
    QVERIFY(m_split->isBehind());
    QVERIFY(!m_split->step());
    QVERIFY(!m_split->isBehind());
    QCOMPARE(rank(0).count('\n'), lines);
    QCOMPARE(rank(0).size(), lines * 1001);
}

void SplitLogTest::aLogThatWasCutBeginsAgain()
{
    append("[rank0]: a\n[rank1]: b\n");
    QVERIFY(!m_split->step());
    QVERIFY(QFile::resize(m_split->path(), 0));
    append("[rank0]: c\n");
    QVERIFY(!m_split->step());
    QCOMPARE(m_split->ranks(), std::set<int>{0});
    QCOMPARE(rank(0), QByteArray("c\n"));
    QCOMPARE(rank(1), QByteArray());
}

} // namespace tst_splitlog

RANKDECK_TEST(tst_splitlog, SplitLogTest)
#include "tst_splitlog.moc"
