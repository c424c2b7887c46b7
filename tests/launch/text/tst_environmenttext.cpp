#include "launch/text/environmentrules.h"
#include "support/testmain.h"

#include <QtTest>

namespace tst_environmenttext
{

using namespace rankdeck;

using Variables = QMap<QString, QString>;

class TestEnvironmentText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsOneVariableALine()
    {
        const auto variables =
            parseEnvironmentText(u"GLOG_v=2\n\n# a remark\n  PATH_LIKE = a=b \nEMPTY=\n"_s);
        QVERIFY(variables);
        QCOMPARE(*variables,
                 (Variables{{u"GLOG_v"_s, u"2"_s}, {u"PATH_LIKE"_s, u" a=b "_s}, {u"EMPTY"_s, u""_s}}));
    }

    void saysWhichLineIsWrong_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("inMessage");
        QTest::newRow("no equals sign") << "A=1\nexport"
                                        << "Line 2";
        QTest::newRow("no name") << "=1"
                                 << "Line 1";
        QTest::newRow("space in the name") << "\nexport A=1"
                                           << "Line 2";
        QTest::newRow("twice") << "A=1\nB=2\nA=3"
                               << "Line 3";
    }
    void saysWhichLineIsWrong()
    {
        QFETCH(QString, text);
        QFETCH(QString, inMessage);
        const auto variables = parseEnvironmentText(text);
        QVERIFY(!variables);
        QVERIFY2(variables.error().what.contains(inMessage), qPrintable(variables.error().what));
        QCOMPARE(variables.error().where, u"--env"_s);
    }

    void whatIsWrittenReadsTheSame()
    {
        const Variables variables{{u"PLAIN"_s, u"1"_s},
                                  {u"EMPTY"_s, u""_s},
                                  {u"SPACES"_s, u"  a b "_s},
                                  {u"LINES"_s, u"a\nb\n"_s},
                                  {u"ESCAPES"_s, u"\\n \\\\ \\d"_s},
                                  {u"QUOTES"_s, u"\"'"_s}};
        const auto again = parseEnvironmentText(environmentText(variables));
        QVERIFY(again);
        QCOMPARE(*again, variables);
    }
};

} // namespace tst_environmenttext

RANKDECK_TEST(tst_environmenttext, TestEnvironmentText)
#include "tst_environmenttext.moc"
