#include "base/json.h"
#include "launch/text/commandline.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <QRegularExpression>

#include <memory>

namespace tst_commandtable
{

using namespace rankdeck;
using Json = nlohmann::json;

/// What the table of commands says is what --help shows and the parser takes, for every command.
class CommandTableTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theHelpSaysAll_data() { commandsAsData(); }
    void theHelpSaysAll();
    void everyWayToAskForHelpIsTheSame_data() { commandsAsData(); }
    void everyWayToAskForHelpIsTheSame();
    void aLauncherBehindACommandIsAskedForHelp_data();
    void aLauncherBehindACommandIsAskedForHelp();
    void anUnknownOptionIsRefusedWithASuggestion_data() { commandsAsData(); }
    void anUnknownOptionIsRefusedWithASuggestion();
    void everyOptionIsKnownToTheParser_data() { commandsAsData(); }
    void everyOptionIsKnownToTheParser();
    void anExampleUsesOptionsThatThereAre_data() { commandsAsData(); }
    void anExampleUsesOptionsThatThereAre();
    void theGeneralHelpListsEveryCommand();
    void wrongCommandsAreRefusedWithASuggestion_data();
    void wrongCommandsAreRefusedWithASuggestion();
    void anErrorIsAnObjectWithJson();
    void anAnswerIsAnObjectWithItsSchema_data();
    void anAnswerIsAnObjectWithItsSchema();
    void dashAndUnderscoreAreAlike();
    void theVersionIsToldEverywhere();

private:
    void commandsAsData() const
    {
        QTest::addColumn<QString>("name");
        for (const Json &command : m_commands)
            QTest::newRow(command["name"].get<std::string>().c_str()) << command["name"].get<QString>();
    }
    Json command(const QString &name) const
    {
        for (const Json &command : m_commands) {
            if (command["name"].get<QString>() == name)
                return command;
        }
        return {};
    }
    static std::vector<Json> optionsOf(const Json &command)
    {
        std::vector<Json> options;
        for (const Json &section : command["sections"])
            options.insert(options.end(), section["options"].begin(), section["options"].end());
        return options;
    }
    void verifyKnown(const QString &name, const QStringList &words) const;
    static QStringList namesOf(const Json &option) { return option["names"].get<QStringList>(); }
    static bool isLauncher(const Json &command) { return !command["launcher"].get<QString>().isEmpty(); }
    /// rankdeckctl in this home, with the command's words first.
    static Outcome call(const QString &name, const QStringList &arguments)
    {
        return ctl(name.split(' '_L1) + arguments);
    }

    std::unique_ptr<TestHome> m_home;
    std::vector<Json> m_commands;
};

void CommandTableTest::initTestCase()
{
    m_home = std::make_unique<TestHome>();
    qputenv("XDG_CONFIG_HOME", m_home->path("config").toLocal8Bit());
    const auto table = parseJson(ctl({u"__table"_s}).out);
    QVERIFY(table);
    for (const Json &group : (*table)["groups"])
        m_commands.insert(m_commands.end(), group["commands"].begin(), group["commands"].end());
    QVERIFY(m_commands.size() > 30);
}

void CommandTableTest::theHelpSaysAll()
{
    QFETCH(QString, name);
    const Outcome outcome = call(name, {u"--help"_s});
    QCOMPARE(outcome.code, 0);
    const QString help = QString::fromUtf8(outcome.out);
    QVERIFY2(help.startsWith(u"Usage: rankdeckctl "_s + name), outcome.out.constData());
    for (const QString &line : help.split('\n'_L1))
        QVERIFY2(line.size() <= 80, qPrintable(line));
    const Json all = command(name);
    for (const Json &option : optionsOf(all)) {
        const QString row = u"%1 %2"_s.arg(namesOf(option).join(", "_L1), option["value"].get<QString>());
        const QRegularExpression line(u"\n  %1(  |\n)"_s.arg(QRegularExpression::escape(row.trimmed())));
        QVERIFY2(help.count(line) == 1, qPrintable(row));
        QVERIFY2(!option["help"].get<QString>().isEmpty(), qPrintable(row));
    }
    QVERIFY(help.contains("\nExit codes:\n  0 "_L1));
    QVERIFY(help.contains("\n  2     "_L1));
    QVERIFY(!all["examples"].empty());
    for (const Json &example : all["examples"])
        QVERIFY(help.contains(u"\n  "_s + example.get<QString>()));
}

void CommandTableTest::everyWayToAskForHelpIsTheSame()
{
    QFETCH(QString, name);
    const QByteArray help = call(name, {u"--help"_s}).out;
    QCOMPARE(call(name, {u"-h"_s}).out, help);
    QCOMPARE(ctl(QStringList{u"help"_s} + name.split(' '_L1)).out, help);
    // Also behind what is wrong, but for what follows "--".
    const Outcome wrong = call(name, {u"--nonsense"_s, u"-h"_s});
    QCOMPARE(wrong.out, help);
    QCOMPARE(wrong.code, 0);
    QCOMPARE(wrong.err, QByteArray());
    const Outcome behind = call(name, {u"--nonsense"_s, u"--"_s, u"-h"_s});
    QCOMPARE(behind.code, 2);
}

void CommandTableTest::aLauncherBehindACommandIsAskedForHelp_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<bool>("isHelp");
    const auto row = [](const char *line, bool isHelp) {
        QTest::newRow(line) << QString::fromLatin1(line).split(' '_L1) << isHelp;
    };
    row("plan msrun --nonsense -h", true);
    row("preflight msrun --nonsense value --help", true);
    row("profile save one msrun --nonsense=value -h", true);
    row("msrun --nonsense=value train.py -h", false);
    row("msrun --worker_num=1 --local_worker_num=2 train.py -h", false);
}

void CommandTableTest::aLauncherBehindACommandIsAskedForHelp()
{
    QFETCH(QStringList, words);
    QFETCH(bool, isHelp);
    const Outcome outcome = ctl(words);
    QCOMPARE(outcome.code, isHelp ? 0 : 2);
    QCOMPARE(outcome.out, isHelp ? ctl({u"help"_s, u"msrun"_s}).out : QByteArray());
}

void CommandTableTest::anUnknownOptionIsRefusedWithASuggestion()
{
    QFETCH(QString, name);
    // Rankdeck has no option of more letters, so one more is none of them.
    QString longest;
    for (const Json &option : optionsOf(command(name))) {
        const QString each = namesOf(option).last();
        longest = each.size() > longest.size() ? each : longest;
    }
    longest = longest.isEmpty() ? u"--help"_s : longest;
    const Outcome outcome = call(name, {longest + 'q'_L1});
    const QByteArray said = outcome.err;
    QCOMPARE(outcome.code, 2);
    QVERIFY2(said.contains("unknown option"), said.constData());
    QVERIFY2(said.contains("Did you mean " + longest.toUtf8() + '?'), said.constData());
    QVERIFY2(name == "run"_L1 || said.contains("rankdeckctl " + name.toUtf8() + " --help"), said.constData());
}

void CommandTableTest::everyOptionIsKnownToTheParser()
{
    QFETCH(QString, name);
    QStringList words;
    for (const Json &option : optionsOf(command(name))) {
        const QString value = option["value"].get<QString>();
        const bool takesValue = !value.isEmpty() && !value.startsWith('['_L1);
        for (const QString &each : namesOf(option))
            words << (takesValue ? each + u"=1"_s : each);
    }
    verifyKnown(name, words);
}

/// As few calls as possible: where the parser comes to the last word, it has known all before it. Else it did
/// not like one of them, e.g. its value, and each half is tried.
void CommandTableTest::verifyKnown(const QString &name, const QStringList &words) const
{
    if (words.isEmpty())
        return;
    // Nothing is done: at the end stands an option that there is not.
    const QString unknown = u"--zzzzzzzz"_s;
    const QStringList first(name == "run"_L1 ? 1 : 0, u"nobody"_s);
    const Outcome outcome = call(name, first + words + QStringList{unknown});
    QCOMPARE(outcome.code, 2);
    if (outcome.err.contains(unknown.toUtf8() + ": unknown"))
        return;
    if (words.size() == 1) {
        const QByteArray each = words.first().section('='_L1, 0, 0).toUtf8();
        QVERIFY2(!outcome.err.contains(each + ": unknown"), outcome.err.constData());
        return;
    }
    verifyKnown(name, words.mid(0, words.size() / 2));
    verifyKnown(name, words.mid(words.size() / 2));
}

void CommandTableTest::anExampleUsesOptionsThatThereAre()
{
    QFETCH(QString, name);
    const Json examples = command(name)["examples"];
    for (const Json &example : examples) {
        const auto split = splitCommandLine(example.get<QString>());
        QVERIFY(split);
        QStringList words = *split;
        if (words.takeFirst() != "rankdeckctl"_L1)
            continue; // Another program's options come first.
        QStringList known;
        for (const Json &each : m_commands) {
            if (!QString(words.join(' '_L1) + ' '_L1).contains(each["name"].get<QString>()))
                continue;
            for (const Json &option : optionsOf(each))
                known << namesOf(option);
            known << each["arguments"].get<QString>().split(QRegularExpression(u"\\s+"_s));
        }
        known.replaceInStrings(u"_"_s, u"-"_s);
        for (const QString &word : words) {
            if (word == "--"_L1 || word.endsWith(".py"_L1))
                break; // What follows is a command's.
            if (!word.startsWith("--"_L1))
                continue;
            const QString option = word.section('='_L1, 0, 0).replace('_'_L1, '-'_L1);
            QVERIFY2(known.contains(option), qPrintable(word));
        }
    }
}

void CommandTableTest::theGeneralHelpListsEveryCommand()
{
    const QByteArray help = ctl({u"--help"_s}).out;
    for (const Json &command : m_commands)
        QVERIFY(help.contains("\n  " + command["name"].get<QString>().toUtf8() + ' '));
    for (const QByteArray &line : linesOf(help))
        QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
    QVERIFY(!help.contains("supervise"));
    QVERIFY(!help.contains("__"));
    QCOMPARE(ctl({u"help"_s}).out, help);
    QCOMPARE(ctl({u"-h"_s}).out, help);
    for (const char *family : {"ranktable", "nodes", "profile"}) {
        const Outcome outcome = ctl({QLatin1String(family), u"-h"_s});
        QCOMPARE(outcome.code, 0);
        QVERIFY(outcome.out.startsWith(QByteArray("Usage: rankdeckctl ") + family + " ACTION"));
    }
}

void CommandTableTest::wrongCommandsAreRefusedWithASuggestion_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const char *line, const char *said) {
        QTest::newRow(line) << QString::fromLatin1(line) << QByteArray(said);
    };
    row("lst", "Did you mean list?");
    row("dance", "See rankdeckctl --help.");
    row("help lst", "Did you mean list?");
    row("ranktable", "ACTION is missing");
    row("nodes", "ACTION is missing");
    row("profile", "ACTION is missing");
    row("ranktable chekc", "Did you mean check?");
    row("ranktable dance", "Use check, show,");
    row("profile save", "PROFILE is missing");
    row("profile save name", "LAUNCHER is missing");
    row("profile list extra", "extra: one argument too many");
    row("plan", "LAUNCHER is missing");
    row("plan msrn", "Did you mean msrun?");
    row("delete", "RUN is missing");
    row("signal", "SIGNAL is missing");
    row("explain", "CODE or LINE or PATH or BUNDLE is missing");
    row("list --limit", "Write --limit N.");
    row("list extra", "extra: one argument too many");
    row("keep -3", "\"-3\" is not a number of days");
    row("list --json=yes", "this option takes no value");
}

void CommandTableTest::wrongCommandsAreRefusedWithASuggestion()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, said);
    const Outcome outcome = ctl(line.split(' '_L1));
    QCOMPARE(outcome.code, 2);
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY2(outcome.err.contains(said), outcome.err.constData());
}

void CommandTableTest::anErrorIsAnObjectWithJson()
{
    for (const char *line :
         {"list --json extra", "report --json nobody", "dump --json nobody",
          "explain --json /nowhere/file.log", "plan --json mpirun", "open --json /nowhere"}) {
        const Outcome outcome = ctl(QString::fromLatin1(line).split(' '_L1));
        QCOMPARE(outcome.code, 2);
        QCOMPARE(linesOf(outcome.err).size(), 1);
        const auto told = parseJson(outcome.out);
        QVERIFY2(told && told->contains("error"), outcome.out.constData());
        QCOMPARE(told->at("schema").get<int>(), 1);
        QVERIFY(!told->at("error").at("what").get<QString>().isEmpty());
    }
}

void CommandTableTest::anAnswerIsAnObjectWithItsSchema_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("key");
    const auto row = [](const char *line, const char *key) {
        QTest::newRow(line) << QString::fromLatin1(line) << QString::fromLatin1(key);
    };
    row("list --json", "runs");
    row("keep --json", "expired");
    row("profile list --json", "profiles");
    row("explain --json EI0006", "entries");
    row("ranktable check --json %1", "files");
    row("ranktable show --json %1", "servers");
    row("plan --json processes --nproc 2 -- true", "processes");
    row("preflight --json --limit 20 processes --standalone -- true", "checks");
    row("nodes test --json", "nodes");
    row("import --json msrun --worker_num=2 train.py", "command_line");
    row("wait --json last", "processes");
    row("stop --json last", "processes");
    row("report --json last", "has_failure");
    row("report --json last", "results");
    row("progress --json last", "ranks");
}

void CommandTableTest::anAnswerIsAnObjectWithItsSchema()
{
    QFETCH(QString, line);
    QFETCH(QString, key);
    const auto runs = RunSummaries().read();
    if (runs.isEmpty())
        QCOMPARE(ctl({u"processes"_s, u"--standalone"_s, u"--"_s, u"true"_s}).code, 0);
    const Outcome outcome = ctl(line.replace("%1"_L1, demoTable()).split(' '_L1), m_home->path());
    const auto told = parseJson(outcome.out);
    QVERIFY2(told && told->is_object(), outcome.err.constData());
    QCOMPARE(told->at("schema").get<int>(), 1);
    QVERIFY2(told->contains(key.toStdString()), outcome.out.constData());
    const QRegularExpression camelCase(u"\"[a-z]+[A-Z]\\w*\":"_s);
    QVERIFY2(!QString::fromUtf8(outcome.out).contains(camelCase), outcome.out.constData());
}

void CommandTableTest::dashAndUnderscoreAreAlike()
{
    QCOMPARE(call(u"keep"_s, {u"30"_s, u"--dry_run"_s}).code, 0);
    for (const char *line : {"plan --json msrun --worker-num=2 --local_worker_num=2 --bind-core=False true",
                             "plan --json davincirun --rank_table %1 --log_dir x true",
                             "plan --json processes --nproc_per_node 2 --log-dir= true"}) {
        const Outcome outcome =
            ctl(QString::fromLatin1(line).replace("%1"_L1, demoTable()).split(' '_L1), m_home->path());
        QVERIFY2(!outcome.err.contains("option"), outcome.err.constData());
    }
}

void CommandTableTest::theVersionIsToldEverywhere()
{
    const QByteArray version = ctl({u"--version"_s}).out;
    QVERIFY(version.startsWith("rankdeckctl "));
    for (const char *line : {"-V", "version", "list --version", "list -V", "msrun -V", "ranktable check -V"})
        QCOMPARE(ctl(QString::fromLatin1(line).split(' '_L1)).out, version);
}

} // namespace tst_commandtable

RANKDECK_TEST(tst_commandtable, CommandTableTest)
#include "tst_commandtable.moc"
