#include "base/json.h"
#include "launch/exchange/torchrunimport.h"
#include "launch/options/launchers.h"
#include "launch/planning/planners.h"
#include "launch/text/commandline.h"
#include "ranktable/reading/ranktablereader.h"
#include "support/testhome.h"
#include "support/testmain.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

namespace tst_optiontables
{

using namespace rankdeck;

namespace
{

/// A line of a table: | theirs | ours | verdict | why |
struct TableRow {
    QString theirs; ///< "–": only Rankdeck has it.
    QString ours;
    QString verdict; ///< "same", "more" or "no".
    QString why;

    bool isTaken() const { return verdict != "no"_L1; }
    QString name() const
    {
        static const QRegularExpression end(u"[ =(:]"_s);
        return theirs.section(end, 0, 0).remove('"'_L1);
    }
    QString line() const
    {
        const auto code = [](const QString &text) {
            return text.startsWith(u"–"_s) ? text : '`'_L1 + text + '`'_L1;
        };
        return u"| %1 | %2 | %3 | %4 |"_s.arg(code(theirs), code(ours), verdict, why);
    }
};

std::optional<TableRow> rowOf(const QString &line)
{
    QStringList cells = line.split('|'_L1);
    if (cells.size() != 6 || line.startsWith("| ---"_L1))
        return std::nullopt;
    for (QString &cell : cells)
        cell = cell.trimmed();
    for (const int index : {1, 2})
        cells[index].remove('`'_L1);
    return TableRow{cells[1], cells[2], cells[3], cells[4]};
}

QString textOf(const QString &path)
{
    QFile file(sourcePath("") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString pathOf(const QString &page)
{
    return u"resources/manual/en/launchers/%1.md"_s.arg(page);
}

/// Lines of the section "## HEADING" of a page.
QStringList sectionOf(const QString &page, const QString &heading)
{
    const QString text = textOf(pathOf(page));
    const QString start = u"\n## %1\n"_s.arg(heading);
    const auto at = text.indexOf(start);
    return at < 0 ? QStringList() : text.mid(at + start.size()).section(u"\n## "_s, 0, 0).split('\n'_L1);
}

QList<TableRow> rowsOf(const QString &page, const QString &heading)
{
    QList<TableRow> rows;
    for (const QString &line : sectionOf(page, heading)) {
        const auto row = rowOf(line);
        if (row && !row->verdict.isEmpty() && row->verdict != "verdict"_L1)
            rows << *row;
    }
    return rows;
}

void writePage(const QString &page, const QString &text)
{
    QFile file(sourcePath("") + pathOf(page));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
}

/// Fails with the line that should stand in a page in place of `row`. With RANKDECK_WRITE_GOLDEN set the page
/// is written instead, to be looked at in a diff.
void compareRow(const QString &page, const TableRow &row, const QString &ours)
{
    TableRow wanted = row;
    wanted.ours = ours;
    if (qEnvironmentVariableIsSet("RANKDECK_WRITE_GOLDEN")) {
        writePage(page, textOf(pathOf(page)).replace(row.line(), wanted.line()));
        QSKIP("written, not compared");
    }
    QVERIFY2(row.ours == ours, qPrintable(u"The line should be\n"_s + wanted.line()));
}

QString usageOf(const LaunchOption &option)
{
    return (option.name + ' '_L1 + option.valueName).trimmed();
}

/// The words of a launch that say more than those of `plain`.
QString wordsOf(LaunchSpec spec, const LaunchSpec &plain)
{
    if (spec.command == plain.command)
        spec.command.clear();
    return joinCommandLine(launcherCommandLine(spec.launcher)->arguments(spec));
}

/// What is started on a host with nothing set but `environment`.
Result<LaunchPlan> planOf(const QString &page, const QString &line, const QProcessEnvironment &environment)
{
    HostFacts facts;
    facts.hostName = u"box"_s;
    facts.currentDirectory = u"/home/user"_s;
    facts.temporaryDirectory = u"/tmp"_s;
    facts.addresses = QStringList{u"127.0.0.1"_s, u"192.0.2.9"_s};
    facts.environment = environment;
    const auto imported = importCommandLine(line, environment);
    if (!imported)
        return imported.error();
    if (page == "msrun"_L1)
        return planMsrun(imported->spec, facts);
    if (page == "torchrun"_L1)
        return planProcesses(imported->spec, facts);
    const auto table = readRankTable(testData("ranktables/template2_2servers.json"));
    return planDavincirun(imported->spec, *table, u"/tables/t.json"_s, facts);
}

/// The command line that a page gives as its example.
QString exampleOf(const QString &page)
{
    static const QRegularExpression example(u"rank 1 in `([^`]*)`"_s);
    return example.match(textOf(pathOf(page))).captured(1);
}

const QStringList launcherPages{u"msrun"_s, u"torchrun"_s, u"davincirun"_s};

} // namespace

/// The pages that compare Rankdeck with the launchers that it stands in for say what the code does.
class OptionTablesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyDifferenceHasItsReason_data();
    void everyDifferenceHasItsReason();
    void anOptionIsTakenAsTheTableSays_data();
    void anOptionIsTakenAsTheTableSays();
    void everyOptionOfOursStandsInATable_data();
    void everyOptionOfOursStandsInATable();
    void theOptionsOfEveryLauncherAreListed();
    void anOptionOfTorchrunHasItsVariable();
    void aKeyIsTakenAsTheTableSays_data();
    void aKeyIsTakenAsTheTableSays();
    void everyKeyOfOursStandsInTheTable();
    void aVariableIsSetAsTheTableSays_data();
    void aVariableIsSetAsTheTableSays();
    void everyVariableThatIsSetStandsInATable_data();
    void everyVariableThatIsSetStandsInATable();
    void aVariableIsReadAsTheTableSays_data();
    void aVariableIsReadAsTheTableSays();
    void aFunctionIsThereAsTheTableSays_data();
    void aFunctionIsThereAsTheTableSays();
    void everyFunctionStandsInATable_data();
    void everyFunctionStandsInATable();

private:
    static void pagesOf(const QStringList &pages)
    {
        QTest::addColumn<QString>("page");
        for (const QString &page : pages)
            QTest::newRow(qPrintable(page)) << page;
    }
    static void rowsAsData(const QStringList &pages, const QStringList &headings)
    {
        QTest::addColumn<QString>("page");
        QTest::addColumn<QString>("line");
        for (const QString &page : pages) {
            for (const QString &heading : headings) {
                for (const TableRow &row : rowsOf(page, heading))
                    QTest::addRow("%s: %s", qPrintable(page), qPrintable(row.theirs + row.ours))
                        << page << row.line();
            }
        }
    }
};

void OptionTablesTest::everyDifferenceHasItsReason_data()
{
    rowsAsData({u"msrun"_s, u"torchrun"_s, u"davincirun"_s, u"start_processes"_s, u"linklink"_s},
               {u"Options"_s, u"Options of relatives"_s, u"Keys"_s, u"Variables of each process"_s,
                u"Variables that are read"_s, u"Functions"_s});
}

void OptionTablesTest::everyDifferenceHasItsReason()
{
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    const QStringList verdicts{u"same"_s, u"more"_s, u"no"_s};
    QVERIFY2(verdicts.contains(row.verdict), qPrintable(line));
    QVERIFY2(row.verdict == "same"_L1 || row.why.endsWith('.'_L1), qPrintable(line));
    QVERIFY2(row.theirs != u"–"_s || row.verdict == "more"_L1, qPrintable(line));
}

void OptionTablesTest::anOptionIsTakenAsTheTableSays_data()
{
    rowsAsData(launcherPages, {u"Options"_s, u"Options of relatives"_s});
}

void OptionTablesTest::anOptionIsTakenAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    if (row.theirs == u"–"_s)
        return; // everyOptionOfOursStandsInATable() sees to these.
    const QStringList script{u"train.py"_s};
    const auto plain = importCommandWords(QStringList{page} + script);
    const auto taken = importCommandWords(QStringList{page} + *splitCommandLine(row.theirs) + script);
    QVERIFY(plain);
    QString ours;
    if (!taken) {
        QVERIFY2(!row.isTaken(), qPrintable(taken.error().sentence()));
        QCOMPARE(taken.error().where, row.name());
        QVERIFY(!taken.error().what.isEmpty());
        ours = u"– refused"_s;
    } else {
        const QString notes = taken->notes.join(' '_L1);
        QVERIFY2(row.isTaken() == notes.isEmpty(), qPrintable(line + notes));
        QVERIFY2(row.isTaken() || notes.contains(row.name()), qPrintable(line + notes));
        ours = taken->isWrapped ? u"– wrapped, with a note"_s : wordsOf(taken->spec, plain->spec);
        const auto commandLine = launcherCommandLine(taken->spec.launcher);
        for (const LaunchOption &option : commandLine->own) {
            if (ours.isEmpty() && row.isTaken() && option.name == row.name())
                ours = usageOf(option);
        }
        if (ours.isEmpty())
            ours = row.isTaken() ? u"– taken, changes nothing"_s : u"– left out, with a note"_s;
    }
    compareRow(page, row, ours);
}

void OptionTablesTest::everyOptionOfOursStandsInATable_data()
{
    pagesOf(launcherPages);
}

void OptionTablesTest::everyOptionOfOursStandsInATable()
{
    QFETCH(QString, page);
    const QString launcher = page == "torchrun"_L1 ? u"processes"_s : page;
    QStringList usages;
    const auto commandLine = launcherCommandLine(launcher);
    for (const LaunchOption &option : commandLine->own) {
        const auto rows = rowsOf(page, u"Options"_s);
        const bool stands = std::ranges::any_of(rows, [&](const TableRow &row) {
            if (row.theirs == u"–"_s)
                return row.ours == usageOf(option);
            const QStringList words = row.ours.split(' '_L1);
            return std::ranges::any_of(
                words, [&](const QString &word) { return word.section('='_L1, 0, 0) == option.name; });
        });
        const TableRow wanted{u"–"_s, usageOf(option), u"more"_s, option.help};
        QVERIFY2(stands, qPrintable(u"This line is missing:\n"_s + wanted.line()));
        usages << usageOf(option);
    }
    for (const TableRow &row : rowsOf(page, u"Options"_s))
        QVERIFY2(row.theirs != u"–"_s || usages.contains(row.ours), qPrintable(row.line()));
}

void OptionTablesTest::theOptionsOfEveryLauncherAreListed()
{
    const QString page = u"README"_s;
    QStringList wanted;
    const LaunchCommandLine commandLine = *launcherCommandLine(u"davincirun"_s);
    for (const LaunchOption &option : commandLine.common) {
        const auto inCell = [](QString text) {
            return text.replace('|'_L1, "\\|"_L1);
        };
        wanted << u"| `%1` | %2 |"_s.arg(inCell(usageOf(option)), inCell(option.help));
    }
    QStringList found = sectionOf(page, u"Options of every launcher"_s);
    const QString start = u"| `"_s;
    found.removeIf([&](const QString &line) { return !line.startsWith(start); });
    if (qEnvironmentVariableIsSet("RANKDECK_WRITE_GOLDEN")) {
        const QString text = textOf(pathOf(page));
        writePage(page, text.left(text.indexOf(start)) + wanted.join('\n'_L1) + '\n'_L1);
        QSKIP("written, not compared");
    }
    for (qsizetype index = 0; index < std::max(found.size(), wanted.size()); ++index)
        QCOMPARE(found.value(index), wanted.value(index));
}

void OptionTablesTest::anOptionOfTorchrunHasItsVariable()
{
    int tried = 0;
    for (const TableRow &row : rowsOf(u"torchrun"_s, u"Options"_s)) {
        if (!row.theirs.startsWith("--"_L1))
            continue;
        QString name = u"PET_"_s + row.name().mid(2).replace('-'_L1, '_'_L1).toUpper();
        QProcessEnvironment environment;
        environment.insert(name, u"1"_s);
        QCOMPARE(torchrunVariables(environment).names, QStringList{name});
        ++tried;
    }
    QVERIFY(tried > 20);
}

void OptionTablesTest::aKeyIsTakenAsTheTableSays_data()
{
    rowsAsData({u"start_processes"_s}, {u"Keys"_s});
}

void OptionTablesTest::aKeyIsTakenAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    if (row.theirs == u"–"_s)
        return;
    const auto read = [](const QString &key, QStringList *notes) {
        const QString start =
            key.contains("\"entrypoint\""_L1) ? QString() : u"\"entrypoint\": \"./train\", "_s;
        return processesSpecFromJson(u"{%1%2}"_s.arg(start, key).toUtf8(), notes);
    };
    QStringList notes;
    const auto plain = read(u"\"tee\": null"_s, nullptr);
    const auto taken = read(row.theirs, &notes);
    QVERIFY2(plain, qPrintable(plain.error().sentence()));
    QString ours = u"– refused"_s;
    if (!taken) {
        QVERIFY2(!row.isTaken(), qPrintable(taken.error().sentence()));
        QCOMPARE(taken.error().where, row.name());
    } else {
        QVERIFY2(row.isTaken() == notes.isEmpty(), qPrintable(line + notes.join(' '_L1)));
        QStringList keys;
        for (const auto &change : nlohmann::json::diff(toJson(*plain), toJson(*taken))) {
            const QStringList path = QString::fromStdString(change["path"].get<std::string>()).split('/'_L1);
            keys << path.mid(1, path.value(1) == "processes"_L1 ? 2 : 1).join('.'_L1);
        }
        keys.removeDuplicates();
        keys.sort();
        ours = !keys.isEmpty() ? keys.join(", "_L1)
               : row.isTaken() ? u"– taken, changes nothing"_s
                               : u"– left out, with a note"_s;
    }
    compareRow(page, row, ours);
}

void OptionTablesTest::everyKeyOfOursStandsInTheTable()
{
    QStringList ours;
    for (const TableRow &row : rowsOf(u"start_processes"_s, u"Keys"_s))
        ours << row.ours.split(", "_L1);
    const nlohmann::json spec = toJson(processesDefaults());
    for (const auto &[key, value] : spec["processes"].items()) {
        if (key == "nproc_of") // A word of the command line: a file says how many there are.
            continue;
        const QString name = u"processes."_s + QString::fromStdString(key);
        QVERIFY2(ours.contains(name), qPrintable(name));
    }
}

void OptionTablesTest::aVariableIsSetAsTheTableSays_data()
{
    rowsAsData(launcherPages, {u"Variables of each process"_s});
}

void OptionTablesTest::aVariableIsSetAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    const auto plan = planOf(page, exampleOf(page), {});
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const auto process = std::ranges::find(plan->processes, Rank(1), &ProcessPlan::rank);
    QVERIFY(process != plan->processes.end());
    const QString name = row.theirs == u"–"_s ? row.ours.section('='_L1, 0, 0) : row.name();
    const bool isSet = process->setVariables.contains(name);
    QVERIFY2(isSet == row.isTaken(), qPrintable(line));
    compareRow(page, row, isSet ? name + '='_L1 + process->setVariables.value(name) : u"– not set"_s);
}

void OptionTablesTest::everyVariableThatIsSetStandsInATable_data()
{
    pagesOf(launcherPages);
}

void OptionTablesTest::everyVariableThatIsSetStandsInATable()
{
    QFETCH(QString, page);
    const auto plan = planOf(page, exampleOf(page), {});
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    QStringList known;
    for (const TableRow &row : rowsOf(page, u"Variables of each process"_s))
        known << row.ours.section('='_L1, 0, 0);
    for (const ProcessPlan &process : plan->processes) {
        for (const QString &name : process.setVariables.keys())
            QVERIFY2(known.contains(name), qPrintable(name));
    }
}

void OptionTablesTest::aVariableIsReadAsTheTableSays_data()
{
    rowsAsData(launcherPages, {u"Variables that are read"_s});
}

void OptionTablesTest::aVariableIsReadAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    QProcessEnvironment environment;
    environment.insert(row.name(), row.theirs.section('='_L1, 1));
    const auto plain = planOf(page, exampleOf(page), {});
    const auto plan = planOf(page, exampleOf(page), environment);
    QVERIFY(plain);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const bool changes = plan->processes != plain->processes;
    QVERIFY2(changes || !row.isTaken(), qPrintable(line));
    compareRow(page, row, changes ? u"– read"_s : u"– not used"_s);
}

/// The names that a source declares outside of classes and of namespace detail, and that users may call, in
/// order.
static QStringList functionsIn(const QString &source)
{
    static const QRegularExpression python(u"^(?:def |class )?([A-Za-z]\\w*)(?:\\(| = |:$)"_s,
                                           QRegularExpression::MultilineOption);
    static const QRegularExpression cpp(u"^(?:[A-Za-z][\\w:<>]* )+(?:[\\w:<>]+ )*(\\w+)\\(|^class (\\w+)"_s,
                                        QRegularExpression::MultilineOption);
    static const QRegularExpression detail(u"^namespace detail\n.*?^} // namespace detail"_s,
                                           QRegularExpression::MultilineOption |
                                               QRegularExpression::DotMatchesEverythingOption);
    QStringList names;
    for (const auto &match :
         (source.endsWith(".h"_L1) ? cpp : python).globalMatch(textOf(source).remove(detail)))
        names << (match.captured(1).isEmpty() ? match.captured(2) : match.captured(1));
    names.removeDuplicates();
    return names;
}

static const QMap<QString, QString> sourcesOfFunctions{
    {u"davincirun"_s, u"app/python/rankdeck/davincirunsdk.py"_s},
    {u"start_processes"_s, u"app/python/rankdeck/elastic.py"_s},
    {u"linklink"_s, u"core/collective/group/distributed.h"_s},
};
/// What the Python package has besides the functions of what it stands in for.
static const QStringList ownFunctions{
    u"RankdeckError"_s, u"DistributedRuntimeError"_s, u"find_rankdeckctl"_s, u"ask"_s, u"Run"_s, u"call"_s};

void OptionTablesTest::aFunctionIsThereAsTheTableSays_data()
{
    rowsAsData(sourcesOfFunctions.keys(), {u"Functions"_s});
}

void OptionTablesTest::aFunctionIsThereAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    const bool isThere = functionsIn(sourcesOfFunctions.value(page)).contains(row.ours.section('('_L1, 0, 0));
    QVERIFY2(isThere == row.isTaken(), qPrintable(line));
}

void OptionTablesTest::everyFunctionStandsInATable_data()
{
    pagesOf(sourcesOfFunctions.keys());
}

void OptionTablesTest::everyFunctionStandsInATable()
{
    QFETCH(QString, page);
    QStringList known;
    for (const TableRow &row : rowsOf(page, u"Functions"_s))
        known << row.ours.section('('_L1, 0, 0);
    const QStringList functions = functionsIn(sourcesOfFunctions.value(page));
    QVERIFY(functions.size() > 4);
    for (const QString &name : functions)
        QVERIFY2(known.contains(name) || ownFunctions.contains(name), qPrintable(name));
}

} // namespace tst_optiontables

RANKDECK_TEST(tst_optiontables, OptionTablesTest)
#include "tst_optiontables.moc"
