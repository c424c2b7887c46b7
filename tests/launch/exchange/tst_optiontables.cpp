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

    bool isTaken() const { return verdict != QLatin1String("no"); }
    QString name() const
    {
        static const QRegularExpression end(QStringLiteral("[ =(:]"));
        return theirs.section(end, 0, 0).remove(QLatin1Char('"'));
    }
    QString line() const
    {
        const auto code = [](const QString &text) {
            return text.startsWith(QStringLiteral("–")) ? text : QLatin1Char('`') + text + QLatin1Char('`');
        };
        return QStringLiteral("| %1 | %2 | %3 | %4 |").arg(code(theirs), code(ours), verdict, why);
    }
};

std::optional<TableRow> rowOf(const QString &line)
{
    QStringList cells = line.split(QLatin1Char('|'));
    if (cells.size() != 6 || line.startsWith(QLatin1String("| ---")))
        return std::nullopt;
    for (QString &cell : cells)
        cell = cell.trimmed();
    for (const int index : {1, 2})
        cells[index].remove(QLatin1Char('`'));
    return TableRow{cells[1], cells[2], cells[3], cells[4]};
}

QString textOf(const QString &path)
{
    QFile file(sourcePath("") + path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString pathOf(const QString &page)
{
    return QStringLiteral("resources/manual/en/launchers/%1.md").arg(page);
}

/// Lines of the section "## HEADING" of a page.
QStringList sectionOf(const QString &page, const QString &heading)
{
    const QString text = textOf(pathOf(page));
    const QString start = QStringLiteral("\n## %1\n").arg(heading);
    const auto at = text.indexOf(start);
    return at < 0
               ? QStringList()
               : text.mid(at + start.size()).section(QStringLiteral("\n## "), 0, 0).split(QLatin1Char('\n'));
}

QList<TableRow> rowsOf(const QString &page, const QString &heading)
{
    QList<TableRow> rows;
    for (const QString &line : sectionOf(page, heading)) {
        const auto row = rowOf(line);
        if (row && !row->verdict.isEmpty() && row->verdict != QLatin1String("verdict"))
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
    QVERIFY2(row.ours == ours, qPrintable(QStringLiteral("The line should be\n") + wanted.line()));
}

QString usageOf(const LaunchOption &option)
{
    return (option.name + QLatin1Char(' ') + option.valueName).trimmed();
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
    facts.hostName = QStringLiteral("box");
    facts.currentDirectory = QStringLiteral("/home/user");
    facts.temporaryDirectory = QStringLiteral("/tmp");
    facts.addresses = QStringList{QStringLiteral("127.0.0.1"), QStringLiteral("192.0.2.9")};
    facts.environment = environment;
    const auto imported = importCommandLine(line, environment);
    if (!imported)
        return imported.error();
    if (page == QLatin1String("msrun"))
        return planMsrun(imported->spec, facts);
    if (page == QLatin1String("torchrun"))
        return planProcesses(imported->spec, facts);
    const auto table = readRankTable(testData("ranktables/template2_2servers.json"));
    return planDavincirun(imported->spec, *table, QStringLiteral("/tables/t.json"), facts);
}

/// The command line that a page gives as its example.
QString exampleOf(const QString &page)
{
    static const QRegularExpression example(QStringLiteral("rank 1 in `([^`]*)`"));
    return example.match(textOf(pathOf(page))).captured(1);
}

const QStringList launcherPages{QStringLiteral("msrun"), QStringLiteral("torchrun"),
                                QStringLiteral("davincirun")};

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
    rowsAsData({QStringLiteral("msrun"), QStringLiteral("torchrun"), QStringLiteral("davincirun"),
                QStringLiteral("start_processes"), QStringLiteral("linklink")},
               {QStringLiteral("Options"), QStringLiteral("Options of relatives"), QStringLiteral("Keys"),
                QStringLiteral("Variables of each process"), QStringLiteral("Variables that are read"),
                QStringLiteral("Functions")});
}

void OptionTablesTest::everyDifferenceHasItsReason()
{
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    const QStringList verdicts{QStringLiteral("same"), QStringLiteral("more"), QStringLiteral("no")};
    QVERIFY2(verdicts.contains(row.verdict), qPrintable(line));
    QVERIFY2(row.verdict == QLatin1String("same") || row.why.endsWith(QLatin1Char('.')), qPrintable(line));
    QVERIFY2(row.theirs != QStringLiteral("–") || row.verdict == QLatin1String("more"), qPrintable(line));
}

void OptionTablesTest::anOptionIsTakenAsTheTableSays_data()
{
    rowsAsData(launcherPages, {QStringLiteral("Options"), QStringLiteral("Options of relatives")});
}

void OptionTablesTest::anOptionIsTakenAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    if (row.theirs == QStringLiteral("–"))
        return; // everyOptionOfOursStandsInATable() sees to these.
    const QStringList script{QStringLiteral("train.py")};
    const auto plain = importCommandWords(QStringList{page} + script);
    const auto taken = importCommandWords(QStringList{page} + *splitCommandLine(row.theirs) + script);
    QVERIFY(plain);
    QString ours;
    if (!taken) {
        QVERIFY2(!row.isTaken(), qPrintable(taken.error().sentence()));
        QCOMPARE(taken.error().where, row.name());
        QVERIFY(!taken.error().what.isEmpty());
        ours = QStringLiteral("– refused");
    } else {
        const QString notes = taken->notes.join(QLatin1Char(' '));
        QVERIFY2(row.isTaken() == notes.isEmpty(), qPrintable(line + notes));
        QVERIFY2(row.isTaken() || notes.contains(row.name()), qPrintable(line + notes));
        ours =
            taken->isWrapped ? QStringLiteral("– wrapped, with a note") : wordsOf(taken->spec, plain->spec);
        const auto commandLine = launcherCommandLine(taken->spec.launcher);
        for (const LaunchOption &option : commandLine->own) {
            if (ours.isEmpty() && row.isTaken() && option.name == row.name())
                ours = usageOf(option);
        }
        if (ours.isEmpty())
            ours = row.isTaken() ? QStringLiteral("– taken, changes nothing")
                                 : QStringLiteral("– left out, with a note");
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
    const QString launcher = page == QLatin1String("torchrun") ? QStringLiteral("processes") : page;
    QStringList usages;
    const auto commandLine = launcherCommandLine(launcher);
    for (const LaunchOption &option : commandLine->own) {
        const auto rows = rowsOf(page, QStringLiteral("Options"));
        const bool stands = std::ranges::any_of(rows, [&](const TableRow &row) {
            if (row.theirs == QStringLiteral("–"))
                return row.ours == usageOf(option);
            const QStringList words = row.ours.split(QLatin1Char(' '));
            return std::ranges::any_of(words, [&](const QString &word) {
                return word.section(QLatin1Char('='), 0, 0) == option.name;
            });
        });
        const TableRow wanted{QStringLiteral("–"), usageOf(option), QStringLiteral("more"), option.help};
        QVERIFY2(stands, qPrintable(QStringLiteral("This line is missing:\n") + wanted.line()));
        usages << usageOf(option);
    }
    for (const TableRow &row : rowsOf(page, QStringLiteral("Options")))
        QVERIFY2(row.theirs != QStringLiteral("–") || usages.contains(row.ours), qPrintable(row.line()));
}

void OptionTablesTest::theOptionsOfEveryLauncherAreListed()
{
    const QString page = QStringLiteral("README");
    QStringList wanted;
    const LaunchCommandLine commandLine = *launcherCommandLine(QStringLiteral("davincirun"));
    for (const LaunchOption &option : commandLine.common) {
        const auto inCell = [](QString text) {
            return text.replace(QLatin1Char('|'), QLatin1String("\\|"));
        };
        wanted << QStringLiteral("| `%1` | %2 |").arg(inCell(usageOf(option)), inCell(option.help));
    }
    QStringList found = sectionOf(page, QStringLiteral("Options of every launcher"));
    const QString start = QStringLiteral("| `");
    found.removeIf([&](const QString &line) { return !line.startsWith(start); });
    if (qEnvironmentVariableIsSet("RANKDECK_WRITE_GOLDEN")) {
        const QString text = textOf(pathOf(page));
        writePage(page, text.left(text.indexOf(start)) + wanted.join(QLatin1Char('\n')) + QLatin1Char('\n'));
        QSKIP("written, not compared");
    }
    for (qsizetype index = 0; index < std::max(found.size(), wanted.size()); ++index)
        QCOMPARE(found.value(index), wanted.value(index));
}

void OptionTablesTest::anOptionOfTorchrunHasItsVariable()
{
    int tried = 0;
    for (const TableRow &row : rowsOf(QStringLiteral("torchrun"), QStringLiteral("Options"))) {
        if (!row.theirs.startsWith(QLatin1String("--")))
            continue;
        QString name =
            QStringLiteral("PET_") + row.name().mid(2).replace(QLatin1Char('-'), QLatin1Char('_')).toUpper();
        QProcessEnvironment environment;
        environment.insert(name, QStringLiteral("1"));
        QCOMPARE(torchrunVariables(environment).names, QStringList{name});
        ++tried;
    }
    QVERIFY(tried > 20);
}

void OptionTablesTest::aKeyIsTakenAsTheTableSays_data()
{
    rowsAsData({QStringLiteral("start_processes")}, {QStringLiteral("Keys")});
}

void OptionTablesTest::aKeyIsTakenAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    if (row.theirs == QStringLiteral("–"))
        return;
    const auto read = [](const QString &key, QStringList *notes) {
        const QString start = key.contains(QLatin1String("\"entrypoint\""))
                                  ? QString()
                                  : QStringLiteral("\"entrypoint\": \"./train\", ");
        return processesSpecFromJson(QStringLiteral("{%1%2}").arg(start, key).toUtf8(), notes);
    };
    QStringList notes;
    const auto plain = read(QStringLiteral("\"tee\": null"), nullptr);
    const auto taken = read(row.theirs, &notes);
    QVERIFY2(plain, qPrintable(plain.error().sentence()));
    QString ours = QStringLiteral("– refused");
    if (!taken) {
        QVERIFY2(!row.isTaken(), qPrintable(taken.error().sentence()));
        QCOMPARE(taken.error().where, row.name());
    } else {
        QVERIFY2(row.isTaken() == notes.isEmpty(), qPrintable(line + notes.join(QLatin1Char(' '))));
        QStringList keys;
        for (const auto &change : nlohmann::json::diff(toJson(*plain), toJson(*taken))) {
            const QStringList path =
                QString::fromStdString(change["path"].get<std::string>()).split(QLatin1Char('/'));
            keys << path.mid(1, path.value(1) == QLatin1String("processes") ? 2 : 1).join(QLatin1Char('.'));
        }
        keys.removeDuplicates();
        keys.sort();
        ours = !keys.isEmpty() ? keys.join(QLatin1String(", "))
               : row.isTaken() ? QStringLiteral("– taken, changes nothing")
                               : QStringLiteral("– left out, with a note");
    }
    compareRow(page, row, ours);
}

void OptionTablesTest::everyKeyOfOursStandsInTheTable()
{
    QStringList ours;
    for (const TableRow &row : rowsOf(QStringLiteral("start_processes"), QStringLiteral("Keys")))
        ours << row.ours.split(QLatin1String(", "));
    const nlohmann::json spec = toJson(processesDefaults());
    for (const auto &[key, value] : spec["processes"].items()) {
        if (key == "nproc_of") // A word of the command line: a file says how many there are.
            continue;
        const QString name = QStringLiteral("processes.") + QString::fromStdString(key);
        QVERIFY2(ours.contains(name), qPrintable(name));
    }
}

void OptionTablesTest::aVariableIsSetAsTheTableSays_data()
{
    rowsAsData(launcherPages, {QStringLiteral("Variables of each process")});
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
    const QString name =
        row.theirs == QStringLiteral("–") ? row.ours.section(QLatin1Char('='), 0, 0) : row.name();
    const bool isSet = process->setVariables.contains(name);
    QVERIFY2(isSet == row.isTaken(), qPrintable(line));
    compareRow(page, row,
               isSet ? name + QLatin1Char('=') + process->setVariables.value(name)
                     : QStringLiteral("– not set"));
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
    for (const TableRow &row : rowsOf(page, QStringLiteral("Variables of each process")))
        known << row.ours.section(QLatin1Char('='), 0, 0);
    for (const ProcessPlan &process : plan->processes) {
        for (const QString &name : process.setVariables.keys())
            QVERIFY2(known.contains(name), qPrintable(name));
    }
}

void OptionTablesTest::aVariableIsReadAsTheTableSays_data()
{
    rowsAsData(launcherPages, {QStringLiteral("Variables that are read")});
}

void OptionTablesTest::aVariableIsReadAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    QProcessEnvironment environment;
    environment.insert(row.name(), row.theirs.section(QLatin1Char('='), 1));
    const auto plain = planOf(page, exampleOf(page), {});
    const auto plan = planOf(page, exampleOf(page), environment);
    QVERIFY(plain);
    QVERIFY2(plan, qPrintable(plan.error().sentence()));
    const bool changes = plan->processes != plain->processes;
    QVERIFY2(changes || !row.isTaken(), qPrintable(line));
    compareRow(page, row, changes ? QStringLiteral("– read") : QStringLiteral("– not used"));
}

/// The names that a source declares outside of classes and of namespace detail, and that users may call, in
/// order.
static QStringList functionsIn(const QString &source)
{
    static const QRegularExpression python(QStringLiteral("^(?:def |class )?([A-Za-z]\\w*)(?:\\(| = |:$)"),
                                           QRegularExpression::MultilineOption);
    static const QRegularExpression cpp(
        QStringLiteral("^(?:[A-Za-z][\\w:<>]* )+(?:[\\w:<>]+ )*(\\w+)\\(|^class (\\w+)"),
        QRegularExpression::MultilineOption);
    static const QRegularExpression detail(QStringLiteral("^namespace detail\n.*?^} // namespace detail"),
                                           QRegularExpression::MultilineOption |
                                               QRegularExpression::DotMatchesEverythingOption);
    QStringList names;
    for (const auto &match :
         (source.endsWith(QLatin1String(".h")) ? cpp : python).globalMatch(textOf(source).remove(detail)))
        names << (match.captured(1).isEmpty() ? match.captured(2) : match.captured(1));
    names.removeDuplicates();
    return names;
}

static const QMap<QString, QString> sourcesOfFunctions{
    {QStringLiteral("davincirun"), QStringLiteral("app/python/rankdeck/davincirunsdk.py")},
    {QStringLiteral("start_processes"), QStringLiteral("app/python/rankdeck/elastic.py")},
    {QStringLiteral("linklink"), QStringLiteral("core/collective/group/distributed.h")},
};
/// What the Python package has besides the functions of what it stands in for.
static const QStringList ownFunctions{QStringLiteral("RankdeckError"),
                                      QStringLiteral("DistributedRuntimeError"),
                                      QStringLiteral("find_rankdeckctl"),
                                      QStringLiteral("ask"),
                                      QStringLiteral("Run"),
                                      QStringLiteral("call")};

void OptionTablesTest::aFunctionIsThereAsTheTableSays_data()
{
    rowsAsData(sourcesOfFunctions.keys(), {QStringLiteral("Functions")});
}

void OptionTablesTest::aFunctionIsThereAsTheTableSays()
{
    QFETCH(QString, page);
    QFETCH(QString, line);
    const TableRow row = *rowOf(line);
    const bool isThere =
        functionsIn(sourcesOfFunctions.value(page)).contains(row.ours.section(QLatin1Char('('), 0, 0));
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
    for (const TableRow &row : rowsOf(page, QStringLiteral("Functions")))
        known << row.ours.section(QLatin1Char('('), 0, 0);
    const QStringList functions = functionsIn(sourcesOfFunctions.value(page));
    QVERIFY(functions.size() > 4);
    for (const QString &name : functions)
        QVERIFY2(known.contains(name) || ownFunctions.contains(name), qPrintable(name));
}

} // namespace tst_optiontables

RANKDECK_TEST(tst_optiontables, OptionTablesTest)
#include "tst_optiontables.moc"
