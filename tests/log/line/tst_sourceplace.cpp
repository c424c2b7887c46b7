#include "log/line/sourceplace.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_sourceplace
{

using namespace rankdeck;

/// Lines of logs that name lines of source files.
class TestSourcePlace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPlaceIsRead_data();
    void aPlaceIsRead();
    void allPlacesAreRead();
    void otherLinesHaveNone();
};

void TestSourcePlace::aPlaceIsRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("path");
    QTest::addColumn<int>("line");
    QTest::newRow("Python") << "  File \"/x/my train.py\", line 14, in <module>"
                            << "/x/my train.py" << 14;
    QTest::newRow("frame of a rank") << "[rank0]:   File \"train.py\", line 7, in f"
                                     << "train.py" << 7;
    QTest::newRow("MindSpore") << "# In file /x/net.py:25, 8~20, 8-19"
                               << "/x/net.py" << 25;
    QTest::newRow("MindSpore, braces") << "In file /x/net.py(25)"
                                       << "/x/net.py" << 25;
    QTest::newRow("compiler") << "../src/op.cc:120:8: error: no"
                              << "../src/op.cc" << 120;
    QTest::newRow("warning") << "/usr/lib/x.py:14: UserWarning: slow"
                             << "/usr/lib/x.py" << 14;
    QTest::newRow("Chinese") << u"错误 File \"/x/训练.py\", line 3"_s << u"/x/训练.py"_s << 3;
}

void TestSourcePlace::aPlaceIsRead()
{
    QFETCH(QString, text);
    const QList<SourcePlace> places = sourcePlacesIn(text);
    QCOMPARE(places.size(), 1);
    QTEST(places[0].path, "path");
    QTEST(places[0].line, "line");
    QVERIFY(text.mid(places[0].begin, places[0].end - places[0].begin).contains(places[0].path));
}

void TestSourcePlace::allPlacesAreRead()
{
    const QString text = u"训 a.py:1 and b.py:2"_s;
    const QList<SourcePlace> places = sourcePlacesIn(text);
    QCOMPARE(places.size(), 2);
    QCOMPARE(places[1], (SourcePlace{u"b.py"_s, 2, 13, 19}));
}

void TestSourcePlace::otherLinesHaveNone()
{
    for (const char *const text : {"2026-11-26 20:00:01,000 step 3", "http://localhost:8080", "10.0.0.2:2222",
                                   "lr:0.1", "file.py", "File \"a.py\", line 0"})
        QVERIFY2(sourcePlacesIn(QString::fromLatin1(text)).isEmpty(), text);
}

} // namespace tst_sourceplace

RANKDECK_TEST(tst_sourceplace, TestSourcePlace)
#include "tst_sourceplace.moc"
