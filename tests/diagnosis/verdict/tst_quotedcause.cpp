#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "support/testmain.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_quotedcause
{

using namespace rankdeck;

/// A verdict that names no rank still says what happened.
class TestQuotedCause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }
    void whatAllSayIsQuoted();
    void whatMostSayIsQuotedWhereNothingDecides();
    void ofMemoryItSaysWhatOthersHold();

private:
    static QByteArray raised(const char *exception)
    {
        return "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    step()\n" +
               QByteArray(exception) + '\n';
    }
    static Verdict verdictOn(const QList<QByteArray> &logs)
    {
        const QTemporaryDir folder;
        for (qsizetype rank = 0; rank < logs.size(); ++rank) {
            QFile log(folder.filePath(u"worker_%1.log"_s.arg(rank)));
            if (!log.open(QIODevice::WriteOnly) || log.write(logs[rank]) != logs[rank].size())
                qFatal("a log cannot be written");
        }
        const auto state = LogDirectory(folder.path()).open();
        return state ? diagnose(*state) : Verdict();
    }
};

void TestQuotedCause::whatAllSayIsQuoted()
{
    const Verdict verdict = verdictOn(QList<QByteArray>(4, raised("ValueError: bad batch")));
    QCOMPARE(verdict.rule, u"alike-error"_s);
    QCOMPARE(verdictTitle(verdict), u"All ranks failed alike: ValueError: bad batch"_s);
    QCOMPARE(verdict.trace.constLast(), u"ValueError: bad batch"_s);
}

void TestQuotedCause::whatMostSayIsQuotedWhereNothingDecides()
{
    const Verdict verdict = verdictOn({raised("KeyError: 'lr'"), raised("ValueError: bad batch"),
                                       raised("ValueError: bad batch"), "step 1\n"});
    QVERIFY(!verdict.hasRoot());
    QCOMPARE(verdictTitle(verdict),
             u"It is unclear which rank failed first (ranks 0-2): ValueError: bad batch"_s);
}

void TestQuotedCause::ofMemoryItSaysWhatOthersHold()
{
    const Verdict verdict = verdictOn(
        {raised("RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.96 GiB total "
                "capacity; 4.24 GiB already allocated; 4.24 GiB current active; 7.00 MiB free; 4.50 "
                "GiB reserved in total by PyTorch)"),
         "step 1\n"});
    QVERIFY2(textsOf(verdict.notes).contains(u"Other processes use 56 of 61 GiB of this card."_s),
             qPrintable(textsOf(verdict.notes).join(QLatin1Char(10)) + verdict.cause));
}

} // namespace tst_quotedcause

RANKDECK_TEST(tst_quotedcause, TestQuotedCause)
#include "tst_quotedcause.moc"
