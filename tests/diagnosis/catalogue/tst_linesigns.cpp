#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/verdict/handmadecase.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_linesigns
{

using namespace rankdeck;

namespace
{

QString wordsOf(const LineSigns &signs)
{
    QStringList words;
    if (signs.entry)
        words << signs.entry->id;
    if (signs.isTracebackHead)
        words << u"traceback"_s;
    if (signs.isErrorWord)
        words << u"error"_s;
    if (signs.isFactWord)
        words << u"hccl"_s;
    return words.join(' '_L1);
}

} // namespace

class TestLineSigns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLineShowsItsSigns_data();
    void aLineShowsItsSigns();
    void aSignIsFoundAtTheEndOfALongLine();
};

void TestLineSigns::aLineShowsItsSigns_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char *name, const QByteArray &line, const char *wanted) {
        QTest::newRow(name) << line << QString::fromLatin1(wanted);
    };
    row("nothing in an empty line", "", "");
    row("nothing in a step", "epoch: 1 step: 1875, loss is 1.15", "");
    row("nothing in a word that only begins like one", "Errors: 0, ERRORS=0, NoException", "");
    row("an entry of the catalogue", "EI0006: Getting socket times out.", "hccl-EI0006");
    row("the heaviest of three entries", "EE9999 ValueError: NPU out of memory", "npu-memory");
    row("Python's traceback", "Traceback (most recent call last):", "traceback");
    row("the same behind a rank", "[rank3]: Traceback (most recent call last):", "traceback");
    row("the same behind a bar", " 50%|##| 1/2 [00:01]Traceback (most recent call last):", "traceback");
    row("faulthandler's first line", "Fatal Python error: Segmentation fault", "traceback");
    row("faulthandler's thread", "Current thread 0x00007f01 (most recent call first):", "traceback");
    row("not what only quotes it", "see (most recent call first): for how", "");
    row("a severity", "[ERROR] ME(4711): no", "error");
    row("the name of an exception", "torch raised an Error here", "error");
    row("torch's C++ log", "[E1122 10:00:00.000 ProcessGroup.cpp:1] watchdog", "error");
    row("the same before 2.0", "[E ProcessGroupNCCL.cpp:828] watchdog", "error");
    row("Chinese", "发生错误", "error");
    row("Chinese for an exception", "出现异常", "error");
    row("an exception of the catalogue", "ValueError: Error in it", "python-value-error error");
    row("HCCL's entry", "Entry-HcclCommInitRootInfo: ranks[8], rank[3]", "hccl");
    row("HCCL's timeout", "HCCL_EXEC_TIMEOUT set by environment to [1800]s", "hccl");
    row("HCCL's own place", "Local Information: server 10.0.0.1, device ID 2", "hccl");
    row("the scheduler's count", "alive node num: (3/8)", "hccl");
    row("bytes that are no text", "\xff\xfe[ERROR]\xff EI0005", "hccl-EI0005 error");
}

void TestLineSigns::aLineShowsItsSigns()
{
    QFETCH(QByteArray, line);
    QFETCH(QString, wanted);
    const ErrorCatalogue catalogue = smallCatalogue();
    const LineSigns found = catalogue.signsOf({line.data(), static_cast<std::size_t>(line.size())});
    QCOMPARE(wordsOf(found), wanted);
    QCOMPARE(found.isNothing(), wanted.isEmpty());
}

void TestLineSigns::aSignIsFoundAtTheEndOfALongLine()
{
    const ErrorCatalogue catalogue = smallCatalogue();
    std::string line(4'000'000, 'E');
    QVERIFY(catalogue.signsOf(line).isNothing());
    line += " EI0006";
    const ErrorEntry *entry = catalogue.signsOf(line).entry;
    QVERIFY(entry);
    QCOMPARE(entry->id, u"hccl-EI0006"_s);
}

} // namespace tst_linesigns

RANKDECK_TEST(tst_linesigns, TestLineSigns)
#include "tst_linesigns.moc"
