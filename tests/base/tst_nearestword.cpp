#include "base/nearestword.h"
#include "support/testmain.h"

namespace tst_nearestword
{

using namespace rankdeck;

/// A word that was mistyped is found again, and another word is not taken for it.
class NearestWordTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aSlipIsSeen_data();
    void aSlipIsSeen();
    void itIsAskedAsAQuestion();
};

void NearestWordTest::aSlipIsSeen_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char *word, const char *meant) {
        QTest::newRow(word) << QString::fromLatin1(word) << QString::fromLatin1(meant);
    };
    row("lst", "list");
    row("lisst", "list");
    row("lizt", "list");
    row("ilst", "list");
    row("list", "list");
    row("sotp", "stop");
    row("--jso", "--json");
    row("--nproc-pre-nod", "--nproc-per-node");
    row("stoop", "stop");
    row("dance", "");
    row("", "");
    row("--wat", "");
}

void NearestWordTest::aSlipIsSeen()
{
    QFETCH(QString, word);
    QFETCH(QString, meant);
    const QStringList known{u"list"_s, u"stop"_s, u"--json"_s, u"--raw"_s, u"--nproc-per-node"_s};
    QCOMPARE(nearestWord(word, known), meant);
}

void NearestWordTest::itIsAskedAsAQuestion()
{
    const QStringList known{u"list"_s};
    QCOMPARE(didYouMean(u"lst"_s, known), u"Did you mean list?"_s);
    QCOMPARE(didYouMean(u"dance"_s, known, u"Use list."_s), u"Use list."_s);
}

} // namespace tst_nearestword

RANKDECK_TEST(tst_nearestword, NearestWordTest)
#include "tst_nearestword.moc"
