#include "launchform/options/optiontexts.h"
#include "support/testmain.h"

#include <QtTest>

namespace tst_optiontexts
{

using namespace rankdeck;

/// Options that are more than one word, as they are typed.
class TestOptionTexts : public QObject
{
    Q_OBJECT

private:
    static SpecField<QMap<int, QMap<QString, QString>>> rankVariables()
    {
        return fieldOf<&CommonOptions::rankEnvironment>;
    }
    static SpecField<QList<QStringList>> before() { return fieldOf<&CommonOptions::before>; }
    static QString errorOf(const TextForm &form, const QString &text)
    {
        LaunchSpec spec;
        const auto error = form.read(spec, text);
        const bool isAsBefore = spec == LaunchSpec();
        return error && isAsBefore ? error->sentence() : QString();
    }

private Q_SLOTS:
    void variablesAreReadByRank()
    {
        LaunchSpec spec;
        const TextForm form = variablesByRankText(rankVariables(), u"--rank-env"_s);
        QVERIFY(!form.read(spec, u"1:B=x=y\n\n0:A=训练\n1: C=\n3:\n"_s));
        const QMap<int, QMap<QString, QString>> expected{
            {0, {{u"A"_s, u"训练"_s}}}, {1, {{u"B"_s, u"x=y"_s}, {u"C"_s, {}}}}, {3, {}}};
        QCOMPARE(spec.common.rankEnvironment, expected);
        QCOMPARE(form.write(spec), u"0:A=训练\n1:B=x=y\n1:C=\n3:"_s);
    }

    void aWrongVariableIsToldWithItsLine_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no rank") << u"0:A=1\nB=2"_s << u"--rank-env: Line 2: \"B=2\" does not begin"_s;
        QTest::newRow("no =") << u"0:A=1\n1:B=1\n0:C"_s << u"--rank-env: Line 3: \"C\" has no ="_s;
        QTest::newRow("twice") << u"0:A=1\n0:A=2"_s << u"--rank-env: Line 2: A is set twice"_s;
    }
    void aWrongVariableIsToldWithItsLine()
    {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const QString error = errorOf(variablesByRankText(rankVariables(), u"--rank-env"_s), text);
        QVERIFY2(error.startsWith(said), qPrintable(error));
    }

    void argumentsAreReadByRank()
    {
        LaunchSpec spec;
        const TextForm form = argumentsByRankText(fieldOf<&ProcessesOptions::args>, u"args"_s);
        QVERIFY(!form.read(spec, u"0: --lead 'a b'\n1:"_s));
        const QMap<int, QStringList> expected{{0, {u"--lead"_s, u"a b"_s}}, {1, {}}};
        QCOMPARE(spec.processes.args, expected);
        QVERIFY(errorOf(form, u"0: a\n0: b"_s).startsWith(u"args: Line 2: rank 0 is named twice"_s));
        QVERIFY(errorOf(form, u"0: 'a"_s).startsWith(u"args: Line 1: The quote"_s));
    }

    void aCommandMayGoOnOverSeveralLinesInQuotes()
    {
        LaunchSpec spec;
        const TextForm form = commandsText(before(), u"--before"_s);
        QVERIFY(!form.read(spec, u"sh -c 'one\ntwo'\n\ntrue\n"_s));
        const QList<QStringList> expected{{u"sh"_s, u"-c"_s, u"one\ntwo"_s}, {u"true"_s}};
        QCOMPARE(spec.common.before, expected);
        QVERIFY(errorOf(form, u"true\nsh -c 'one"_s).startsWith(u"--before: Line 2: The quote"_s));
    }

    void aUmaskIsOctal()
    {
        LaunchSpec spec;
        const TextForm form = commandLineText(*optionRow(commonRows(), u"--umask"_s));
        QVERIFY(!form.read(spec, u"027"_s));
        QCOMPARE(spec.common.umask, 027);
        QCOMPARE(form.write(spec), u"027"_s);
        QVERIFY(!form.read(spec, u" "_s));
        QCOMPARE(spec.common.umask, -1);
        QCOMPARE(form.write(spec), QString());
        QVERIFY(errorOf(form, u"89"_s).contains(u"not a file mode mask"_s));
    }

    void streamsAreReadAsOnTheCommandLine()
    {
        LaunchSpec spec;
        const TextForm form = streamsText(*optionRow(processesRows(), u"--redirects"_s));
        QCOMPARE(form.write(spec), u"ALL"_s);
        QVERIFY(!form.read(spec, u"0:OUT,1:3"_s));
        const QMap<int, Streams> expected{{0, Streams::Out}, {1, Streams::All}};
        QCOMPARE(spec.processes.redirects, expected);
        QCOMPARE(spec.processes.defaultRedirect, Streams::None);
        // The other option is left alone.
        QCOMPARE(spec.processes.defaultTee, Streams::All);
        QCOMPARE(form.write(spec), u"0:OUT,1:ALL"_s);
        QVERIFY(errorOf(form, u"SOME"_s).startsWith(u"--redirects"_s));
    }
};

} // namespace tst_optiontexts

RANKDECK_TEST(tst_optiontexts, TestOptionTexts)
#include "tst_optiontexts.moc"
