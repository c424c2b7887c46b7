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

void WideSpacesTest::partsAreJoined_data()
{
    QTest::addColumn<QStringList>("parts");
    QTest::addColumn<QString>("text");
    QTest::newRow("English") << QStringList{"One.", "Two."} << "One. Two.";
    QTest::newRow("nothing") << QStringList() << QString();
    QTest::newRow("an empty part") << QStringList{"One.", "", "Two."} << "One. Two.";
    QTest::newRow("sentences") << QStringList{"停止。", "继续。"} << "停止。继续。";
    QTest::newRow("a sentence before Latin")
        << QStringList{"停止。", "rank 3 继续。"} << "停止。rank 3 继续。";
    QTest::newRow("words") << QStringList{"停止", "rank 3"} << "停止 rank 3";
    QTest::newRow("brackets") << QStringList{"3 行", "（2 个 rank）"} << "3 行（2 个 rank）";
}

void WideSpacesTest::partsAreJoined()
{
    QFETCH(const QStringList, parts);
    QTEST(joinedBySpaces(parts), "text");
}

void WideSpacesTest::aWordIsFilledIn_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("filled");
    QTest::newRow("English") << "Stop %1…"
                             << "node 3"
                             << "Stop node 3…";
    QTest::newRow("Latin") << "停止 %1…"
                           << "rank 3"
                           << "停止 rank 3…";
    QTest::newRow("Chinese") << "停止 %1…"
                             << "节点 a"
                             << "停止节点 a…";
    QTest::newRow("on both sides") << "转储 %1 的调用栈"
                                   << "所选节点"
                                   << "转储所选节点的调用栈";
    QTest::newRow("at the ends") << "%1"
                                 << "节点"
                                 << "节点";
    QTest::newRow("no word") << "停止 %1"
                             << ""
                             << "停止 ";
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
