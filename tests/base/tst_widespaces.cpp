#include "base/widespaces.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_widespaces
{

using namespace rankdeck;

class WideSpacesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void partsAreJoined_data();
    void partsAreJoined();
    void aWordIsFilledIn_data();
    void aWordIsFilledIn();
};

/// Parts are separated by bars.
void joinedRow(const char *name, const char *parts, const char *text)
{
    QTest::newRow(name) << QString::fromUtf8(parts).split(u'|') << QString::fromUtf8(text);
}

void WideSpacesTest::partsAreJoined_data()
{
    QTest::addColumn<QStringList>("parts");
    QTest::addColumn<QString>("text");
    joinedRow("English", "One.|Two.", "One. Two.");
    joinedRow("nothing", "", "");
    joinedRow("an empty part", "One.||Two.", "One. Two.");
    joinedRow("sentences", "停止。|继续。", "停止。继续。");
    joinedRow("a sentence before Latin", "停止。|rank 3 继续。", "停止。rank 3 继续。");
    joinedRow("words", "停止|rank 3", "停止 rank 3");
    joinedRow("brackets", "3 行|（2 个 rank）", "3 行（2 个 rank）");
}

void WideSpacesTest::partsAreJoined()
{
    QFETCH(const QStringList, parts);
    QTEST(joinedBySpaces(parts), "text");
}

void filledRow(const char *name, const char *text, const char *word, const char *filled)
{
    QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(word) << QString::fromUtf8(filled);
}

void WideSpacesTest::aWordIsFilledIn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("filled");
    filledRow("English", "Stop %1…", "node 3", "Stop node 3…");
    filledRow("Latin", "停止 %1…", "rank 3", "停止 rank 3…");
    filledRow("Chinese", "停止 %1…", "节点 a", "停止节点 a…");
    filledRow("on both sides", "转储 %1 的调用栈", "所选节点", "转储所选节点的调用栈");
    filledRow("at the ends", "%1", "节点", "节点");
    filledRow("no word", "停止 %1", "", "停止 ");
}

void WideSpacesTest::aWordIsFilledIn()
{
    QFETCH(const QString, text);
    QFETCH(const QString, word);
    QTEST(withWord(text, word), "filled");
}

} // namespace tst_widespaces

RANKDECK_TEST(tst_widespaces, WideSpacesTest)
#include "tst_widespaces.moc"
