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
    QTest::newRow("English") << QStringList{u"One."_s, u"Two."_s} << u"One. Two."_s;
    QTest::newRow("nothing") << QStringList() << QString();
    QTest::newRow("an empty part") << QStringList{u"One."_s, u""_s, u"Two."_s} << u"One. Two."_s;
    QTest::newRow("sentences") << QStringList{u"停止。"_s, u"继续。"_s} << u"停止。继续。"_s;
    QTest::newRow("a sentence before Latin")
        << QStringList{u"停止。"_s, u"rank 3 继续。"_s} << u"停止。rank 3 继续。"_s;
    QTest::newRow("words") << QStringList{u"停止"_s, u"rank 3"_s} << u"停止 rank 3"_s;
    QTest::newRow("brackets") << QStringList{u"3 行"_s, u"（2 个 rank）"_s} << u"3 行（2 个 rank）"_s;
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
    QTest::newRow("English") << u"Stop %1…"_s << u"node 3"_s << u"Stop node 3…"_s;
    QTest::newRow("Latin") << u"停止 %1…"_s << u"rank 3"_s << u"停止 rank 3…"_s;
    QTest::newRow("Chinese") << u"停止 %1…"_s << u"节点 a"_s << u"停止节点 a…"_s;
    QTest::newRow("on both sides") << u"转储 %1 的调用栈"_s << u"所选节点"_s << u"转储所选节点的调用栈"_s;
    QTest::newRow("at the ends") << u"%1"_s << u"节点"_s << u"节点"_s;
    QTest::newRow("no word") << u"停止 %1"_s << u""_s << u"停止 "_s;
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
