#include "launch/text/commandline.h"
#include "support/testmain.h"

#include <QtTest>

namespace tst_commandline
{

using namespace rankdeck;

namespace
{

QStringList words(std::initializer_list<const char *> list)
{
    QStringList strings;
    for (const char *word : list)
        strings += QString::fromUtf8(word);
    return strings;
}

} // namespace

class TestCommandLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsAsAShellGroupsWords_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QStringList>("words");

        QTest::newRow("nothing") << "" << QStringList();
        QTest::newRow("only space") << "  \t " << QStringList();
        QTest::newRow("words") << " python3  train.py --steps 5 "
                               << words({"python3", "train.py", "--steps", "5"});
        QTest::newRow("double quotes") << "p \"a b\" c" << words({"p", "a b", "c"});
        QTest::newRow("single quotes keep everything")
            << "p '{\"a\": \"\\n\"}'" << words({"p", "{\"a\": \"\\n\"}"});
        QTest::newRow("quotes inside a word") << "--name=\"a b\"c" << words({"--name=a bc"});
        QTest::newRow("an empty word") << "p '' \"\"" << words({"p", "", ""});
        QTest::newRow("an escaped space") << "p a\\ b" << words({"p", "a b"});
        QTest::newRow("escapes in double quotes") << "p \"\\\"x\\\" \\n\"" << words({"p", "\"x\" \\n"});
        QTest::newRow("a continued line") << "p a \\\n  b" << words({"p", "a", "b"});
        QTest::newRow("nothing is expanded")
            << "p $HOME ~ *.py | cat" << words({"p", "$HOME", "~", "*.py", "|", "cat"});
        QTest::newRow("other scripts") << "python3 训练.py" << words({"python3", "训练.py"});
    }
    void splitsAsAShellGroupsWords()
    {
        QFETCH(QString, line);
        const Result<QStringList> split = splitCommandLine(line);
        QVERIFY(split);
        QTEST(*split, "words");
    }

    void unfinishedQuotingIsAnErrorAtTheCommand_data()
    {
        QTest::addColumn<QString>("line");
        QTest::newRow("double quote") << "p \"a b";
        QTest::newRow("single quote") << "p it's";
        QTest::newRow("backslash at the end") << "p a\\";
        QTest::newRow("backslash at the end in quotes") << "p \"a\\";
    }
    void unfinishedQuotingIsAnErrorAtTheCommand()
    {
        QFETCH(QString, line);
        const Result<QStringList> split = splitCommandLine(line);
        QVERIFY(!split);
        QCOMPARE(split.error().where, u"command"_s);
    }

    void whatIsJoinedSplitsIntoTheSameWords_data()
    {
        QTest::addColumn<QStringList>("original");
        QTest::newRow("plain") << words({"python3", "train.py", "--lr=1e-3"});
        QTest::newRow("space") << words({"p", "a b", " "});
        QTest::newRow("empty") << words({"p", "", "x"});
        QTest::newRow("quotes") << words({"p", "it's", "\"quoted\"", "'", "\"'\""});
        QTest::newRow("backslashes") << words({"p", "a\\b", "\\", "\\\\n"});
        QTest::newRow("shell's signs") << words({"p", "$HOME", "a|b", "*", "#"});
        QTest::newRow("lines") << words({"python3", "-c", "print(1)\nprint(2)"});
    }
    void whatIsJoinedSplitsIntoTheSameWords()
    {
        QFETCH(QStringList, original);
        const Result<QStringList> again = splitCommandLine(joinCommandLine(original));
        QVERIFY(again);
        QCOMPARE(*again, original);
    }

    void plainWordsAreNotQuoted()
    {
        QCOMPARE(joinCommandLine(words({"python3", "/a/b.py", "--steps=5"})), u"python3 /a/b.py --steps=5"_s);
    }

    void noticesWhatOnlyAShellWouldDo_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<bool>("asks");
        QTest::newRow("plain") << "python3 train.py --lr 0.1" << false;
        QTest::newRow("variable") << "python3 $SCRIPT" << true;
        QTest::newRow("pipe") << "a | b" << true;
        QTest::newRow("variable in double quotes") << "p \"$X\"" << true;
        QTest::newRow("pipe in double quotes") << "p \"a|b\"" << false;
        QTest::newRow("single quotes") << "p '$X | y'" << false;
        QTest::newRow("escaped") << "p \\$X" << false;
    }
    void noticesWhatOnlyAShellWouldDo()
    {
        QFETCH(QString, line);
        QTEST(asksForShell(line), "asks");
    }
};

} // namespace tst_commandline

RANKDECK_TEST(tst_commandline, TestCommandLine)
#include "tst_commandline.moc"
