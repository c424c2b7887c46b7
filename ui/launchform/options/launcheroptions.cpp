#include "launchform/options/launcheroptions.h"

#include "base/listcomma.h"
#include "launch/options/launchers.h"
#include "launch/planning/wrappers.h"
#include "launchform/options/optiontexts.h"
#include "launchform/options/tablecheckline.h"

#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

/// Returns the text in the user's language; none for null.
static QString shown(const char *text)
{
    return text ? tr(text) : QString();
}

static OptionWords wordsOf(const OptionRow &row)
{
    return {{row.name()}, shown(row.form.label), shown(row.form.help)};
}

template <typename T>
static ValueIn<T> valueOf(const OptionRow &row)
{
    return std::get<SpecField<T>>(row.field);
}

/// Returns `text` with the absolute path that `typed` stands for, if that differs and is known.
static QString directoryHelp(const QString &text, const QString &typed, const QString &path)
{
    if (path.isEmpty() || path == typed || path.startsWith(QLatin1String(runDirectoryPlaceholder)))
        return tr("%1.").arg(text);
    return tr("%1: %2").arg(text, path);
}

static const ProcessPlan *firstProcess(const PreviewResult &result)
{
    return result.plan && !result.plan->processes.empty() ? &result.plan->processes.front() : nullptr;
}

static QString logDirOf(const PreviewResult &result)
{
    if (result.plan && !result.plan->emptyDirectory.isEmpty())
        return result.plan->emptyDirectory;
    const ProcessPlan *process = firstProcess(result);
    return process ? QFileInfo(process->logFile).path() : QString();
}

/// Returns the presets of --wrap, for rank 0; the user edits the rank.
static QList<LinePreset> wrapperLines()
{
    QList<LinePreset> lines;
    for (const WrapperPreset &preset : wrapperPresets())
        lines << LinePreset{QStringLiteral("0:") + preset.name, inBrackets(preset.purpose, preset.command)};
    return lines;
}

/// Returns "Completed: 8 devices on 1 server."
static QString tableSummary(const RankTable &table)
{
    const int devices = table.deviceCount();
    const int servers = int(table.servers.size());
    return tr("Completed: %1 on %2.", "8 devices on 1 server")
        .arg(tr("%n devices", "%n device", devices), tr("%n servers", "%n server", servers));
}

static QString tableHelp(const PreviewResult &result)
{
    if (!result.tableStatus.isEmpty())
        return tr("Not completed yet (%1): Launch waits for it.").arg(result.tableStatus);
    if (result.plan)
        return tableSummary(result.plan->rankTable);
    return tr("A rank table, or the directory that contains jobstart_hccl.json.");
}

static QString defaultTable(const PreviewResult &result)
{
    return result.defaultTableVariable.isEmpty()
               ? tr("default: %1").arg(result.defaultTablePath)
               : tr("from %1: %2").arg(result.defaultTableVariable, result.defaultTablePath);
}

// Options whose fields are more than their row says.

static void addRankTable(OptionGroup &options, const OptionRow &row, TableCheckLine *check)
{
    OptionWords words = wordsOf(row);
    const bool isGuessed = words.help.isEmpty(); // Where the option is not needed.
    if (!isGuessed)
        words.names << QStringLiteral("--rank-table");
    TextField *table = options.addPath(words, valueOf<QString>(row), PathKind::File,
                                       tr("Choose a rank table"), shown(row.form.unset));
    table->addLine(check, check->button());
    table->onContext([table, check, isGuessed](const PreviewResult &result) {
        if (isGuessed) {
            table->setPlaceholder(defaultTable(result));
            table->setHelp(tableHelp(result));
        }
        check->setCheck(result.check);
    });
}

static void addConvertedTable(OptionGroup &options, const OptionRow &row)
{
    TextField *converted = options.addPath(wordsOf(row), valueOf<QString>(row), PathKind::Directory,
                                           tr("Choose a file for the converted table"));
    converted->onContext([converted](const PreviewResult &result) {
        converted->setPlaceholder(shownPath(result.defaultConvertedPath));
    });
}

static void addWorkDir(OptionGroup &options, const OptionRow &row)
{
    TextField *field = options.addPath(wordsOf(row), valueOf<QString>(row), PathKind::Directory,
                                       tr("Choose the work directory"), shown(row.form.unset));
    field->onContext([field](const PreviewResult &result) {
        const ProcessPlan *process = firstProcess(result);
        field->setHelp(directoryHelp(tr("Where every rank starts"), result.spec.workDir,
                                     process ? process->workDir : QString()));
    });
}

/// The row's help ends without a full stop: a path may follow.
static void addLogDir(OptionGroup &options, const OptionRow &row)
{
    TextField *field = options.addPath(wordsOf(row), valueOf<QString>(row), PathKind::Directory,
                                       tr("Choose the log directory"), shown(row.form.unset));
    field->onContext([field, help = shown(row.form.help)](const PreviewResult &result) {
        field->setHelp(directoryHelp(help, field->text(), logDirOf(result)));
    });
}

static void addName(OptionGroup &options, const OptionRow &row)
{
    TextField *name = options.addText(wordsOf(row), valueOf<QString>(row), shown(row.form.unset));
    name->onContext([name, unset = shown(row.form.unset)](const PreviewResult &result) {
        name->setPlaceholder(result.plan && result.spec.name.isEmpty() ? result.plan->name : unset);
    });
}

static void addSshConfig(OptionGroup &options, const OptionRow &row)
{
    options.addPath(wordsOf(row), valueOf<QString>(row), PathKind::File, tr("Choose an ssh configuration"),
                    shown(row.form.unset));
}

static void addUnsetVariables(OptionGroup &options, const OptionRow &row)
{
    options.addText(wordsOf(row), wordsText(valueOf<QStringList>(row)), shown(row.form.unset));
}

static void addUmask(OptionGroup &options, const OptionRow &row)
{
    options.addText(wordsOf(row), octalText(valueOf<int>(row), row.name()), shown(row.form.unset));
}

static void addWrappers(OptionGroup &options, const OptionRow &row)
{
    options.addLines(wordsOf(row), linesText(valueOf<QStringList>(row)), shown(row.form.unset),
                     wrapperLines());
}

static void addStreams(OptionGroup &options, const OptionRow &row)
{
    const bool isTee = row.name() == QLatin1String("--tee");
    OptionWords words = wordsOf(row);
    words.names << row.name().mid(2);
    words.help = words.help.arg(tr("NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL."));
    options.addText(words, streamsText(isTee ? StreamsOption::Tee : StreamsOption::Redirects));
}

// The field of an option by its type.

static void addField(OptionGroup &options, const OptionRow &row, SpecField<int> field)
{
    const int least = row.range.least == OptionRange().least ? -1 : row.range.least;
    options.addNumber(wordsOf(row), field,
                      {least, row.range.most, shown(row.form.unit), shown(row.form.unset)});
}

static void addField(OptionGroup &options, const OptionRow &row, SpecField<bool> field)
{
    options.addSwitch(wordsOf(row), field);
}

static void addField(OptionGroup &options, const OptionRow &row, SpecField<QString> field)
{
    if (!row.form.choices) {
        options.addText(wordsOf(row), ValueIn<QString>(field), shown(row.form.unset));
        return;
    }
    QStringList choices = QString::fromUtf8(row.form.choices).split(QLatin1Char('|'));
    const bool isOpen = choices.removeOne(QStringLiteral("…"));
    options.addChoice(wordsOf(row), field, choices,
                      isOpen ? OptionGroup::Choice::OrTyped : OptionGroup::Choice::OnlyThese);
}

static void addField(OptionGroup &options, const OptionRow &row, SpecField<QStringList> field)
{
    options.addLines(wordsOf(row), linesText(field), shown(row.form.unset));
}

static void addField(OptionGroup &options, const OptionRow &row, SpecField<QList<QStringList>> field)
{
    options.addLines(wordsOf(row), commandsText(field, row.name()), shown(row.form.unset));
}

static void addField(OptionGroup &options, const OptionRow &row, SpecField<QMap<QString, QString>>)
{
    options.addLines(wordsOf(row), variablesText(), shown(row.form.unset));
}

static void addField(OptionGroup &options, const OptionRow &row,
                     SpecField<QMap<int, QMap<QString, QString>>> field)
{
    options.addLines(wordsOf(row), variablesByRankText(field, row.name()), shown(row.form.unset));
}

/// Others are as on the command line.
template <typename T>
static void addField(OptionGroup &options, const OptionRow &row, T)
{
    options.addText(wordsOf(row), processesOptionText(row.name()), shown(row.form.unset));
}

using AddField = void (*)(OptionGroup &, const OptionRow &);
constexpr std::pair<const char *, AddField> ownFields[] = {
    {"--converted-rank-table", addConvertedTable},
    {"--work-dir", addWorkDir},
    {"--log-dir", addLogDir},
    {"--log_dir", addLogDir},
    {"--name", addName},
    {"--ssh-config", addSshConfig},
    {"--unset-env", addUnsetVariables},
    {"--umask", addUmask},
    {"--wrap", addWrappers},
    {"--redirects", addStreams},
    {"--tee", addStreams},
};

static void addOption(OptionGroup &options, const OptionRow &row)
{
    for (const auto &[name, add] : ownFields) {
        if (row.name() == QLatin1String(name)) {
            add(options, row);
            return;
        }
    }
    std::visit([&](auto field) { addField(options, row, field); }, row.field);
}

static void addOptions(OptionGroup &options, OptionRows rows, std::initializer_list<const char *> names)
{
    for (const char *name : names)
        addOption(options, *optionRow(rows, QLatin1String(name)));
}

/// Adds those that the form shows and has not yet, by their topics.
static void addOthers(OptionGroup &options, OptionRows rows)
{
    using enum OptionTopic;
    for (const OptionTopic topic : {Launcher, Logs, Environment, Terminal, Watching, StartAndEnd}) {
        for (const OptionRow &row : rows) {
            const bool isThere = std::ranges::any_of(options.fields(), [&](const OptionField *field) {
                return field->names().contains(row.name());
            });
            if (row.form.label && row.topic == topic && !isThere)
                addOption(options, row);
        }
    }
}

static void addByLocalRank(OptionGroup &options)
{
    options.addLines({{QStringLiteral("args")},
                      tr("Arguments by rank"),
                      tr("Arguments after the command, one line per local rank; all ranks or none.")},
                     argumentsByRankText(fieldOf<&ProcessesOptions::args>, QStringLiteral("args")),
                     QStringLiteral("0: --lead\n1:"));
    options.addLines({{QStringLiteral("envs")},
                      tr("Variables by rank"),
                      tr("Variables of a local rank, one per line; all ranks or none.")},
                     variablesByRankText(fieldOf<&ProcessesOptions::envs>, QStringLiteral("envs")),
                     QStringLiteral("0:SEED=1\n1:SEED=2"));
}

void addLauncherOptions(OptionGroup &options, const Launcher &launcher,
                        const std::function<TableCheckLine *()> &makeTableCheck)
{
    const OptionRows own = launcher.rows();
    const OptionRows common = commonRows();
    const bool isMsrun = launcher.rows == msrunRows;
    const bool isProcesses = launcher.rows == processesRows;
    const auto addTable = [&](const char *name) {
        addRankTable(options, *optionRow(own, QLatin1String(name)), makeTableCheck());
    };
    if (launcher.needsRankTable)
        addTable("--rank-table");
    else if (isMsrun)
        addOptions(options, own,
                   {"--worker_num", "--local_worker_num", "--master_addr", "--master_port", "--node_rank"});
    else if (isProcesses)
        addOptions(options, own, {"--nproc", "--nnodes", "--node-rank", "--master-addr", "--master-port"});
    addOptions(options, common, {"--work-dir"});
    addOptions(options, own, {isMsrun ? "--log_dir" : "--log-dir"});
    if (launcher.rows != wrapRows) {
        options.addTitle(tr("Options"));
        addOptions(options, common, {"--name", "--env", "--conda-env", "--grace"});
    }
    if (isMsrun) {
        addOptions(options, own, {"--cluster_time_out"});
        addTable("--rank_table_file");
    }
    addOthers(options, own);
    if (isProcesses)
        addByLocalRank(options);
    if (isMsrun)
        addOptions(options, davincirunRows(), {"--no-destroy"});
    addOptions(options, common, {"--no-raise"});
}

void addNodeOptions(OptionGroup &options)
{
    for (const OptionRow &row : commonRows()) {
        if (row.topic == OptionTopic::Nodes && row.form.label)
            addOption(options, row);
    }
}

void addRareOptions(OptionGroup &options, const Launcher &launcher)
{
    // A launcher may spell one of them differently; those that it shows are not rare.
    static const QStringList shownBefore{QStringLiteral("--work-dir"), QStringLiteral("--name"),
                                         QStringLiteral("--env"),      QStringLiteral("--conda-env"),
                                         QStringLiteral("--grace"),    QStringLiteral("--no-raise")};
    std::vector<OptionRow> rare;
    for (const OptionRow &row : commonRows()) {
        const bool isOwn = std::ranges::any_of(
            launcher.rows(), [&](const OptionRow &own) { return row.key && qstrcmp(own.key, row.key) == 0; });
        if (!isOwn && !shownBefore.contains(row.name()))
            rare.push_back(row);
    }
    addOthers(options, rare);
}

} // namespace rankdeck
