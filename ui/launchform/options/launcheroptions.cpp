#include "launchform/options/launcheroptions.h"

#include "base/listcomma.h"
#include "launch/options/launchers.h"
#include "launch/planning/wrappers.h"
#include "launchform/options/optiontexts.h"
#include "ranktable/findings/severityicon.h"

#include <QFileInfo>
#include <QStyle>

namespace rankdeck
{

static QString words(const TableCheck &check)
{
    // The field already shows why an unusable table cannot be launched.
    if (check.firstErrors.isEmpty() || !check.isUsable)
        return check.counts();
    return TableCheckLine::tr("%1 · first error: %2").arg(check.counts(), check.firstErrors.constFirst());
}

TableCheckLine::TableCheckLine()
    : m_sign(new QLabel)
    , m_text(plainLabel("tableCheckText"))
    , m_show(plainButton(tr("Show"), "showTableButton"))
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    m_text->setFont(small);
    m_show->setFont(small);
    m_show->setAccessibleName(tr("Show the rank table and its findings"));
    connect(m_show, &QPushButton::clicked, this, &TableCheckLine::showRequested);

    addParts(withoutMargins(new QHBoxLayout(this), 4),
             {{m_sign, 0, Qt::AlignTop}, {m_text, 1}, {m_show, 0, Qt::AlignTop}});
    hide();
    onPaletteChange(this, [this] { refresh(); });
}

void TableCheckLine::setCheck(const std::optional<TableCheck> &check)
{
    if (check == m_check)
        return;
    m_check = check;
    refresh();
}

void TableCheckLine::refresh()
{
    setVisible(m_check.has_value());
    if (!m_check)
        return;
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize) * 3 / 4;
    const qreal ratio = devicePixelRatioF();
    const bool isClean = m_check->errors + m_check->warnings + m_check->notes == 0;
    const Severity worst = m_check->errors > 0     ? Severity::Error
                           : m_check->warnings > 0 ? Severity::Warning
                                                   : Severity::Note;
    const QIcon icon =
        isClean ? noFindingIcon(palette(), side, ratio) : severityIcon(worst, palette(), side, ratio);
    m_sign->setPixmap(icon.pixmap(QSize(side, side), ratio));
    m_text->setText(words(*m_check));
    setTextColor(m_text, toneColor(isClean ? Tone::Good : toneOf(worst), palette()));
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

static QString tableHelp(const PreviewResult &result)
{
    if (!result.tableStatus.isEmpty())
        return tr("Not completed yet (%1): Launch waits for it.").arg(result.tableStatus);
    if (!result.plan)
        return tr("A rank table, or the directory that contains jobstart_hccl.json.");
    const int devices = result.plan->rankTable.deviceCount();
    const int servers = int(result.plan->rankTable.servers.size());
    return tr("Completed: %1 on %2.", "8 devices on 1 server")
        .arg(tr("%n devices", "%n device", devices), tr("%n servers", "%n server", servers));
}

// Options whose fields are more than their row says.

static void addRankTable(OptionGroup &options, const OptionRow &row)
{
    auto *check = named(new TableCheckLine, "tableCheckLine");
    const bool isGuessed = !row.formHelp; // Where the option is not needed.
    TextField *table = options.addPath(row, PathKind::File, tr("Choose a rank table"));
    if (!isGuessed)
        table->addName(u"--rank-table"_s);
    table->addLine(check, check->button());
    table->onContext([table, check, isGuessed](const PreviewResult &result) {
        if (isGuessed) {
            table->setPlaceholder(
                result.defaultTableVariable.isEmpty()
                    ? tr("default: %1").arg(result.defaultTablePath)
                    : tr("from %1: %2").arg(result.defaultTableVariable, result.defaultTablePath));
            table->setHelp(tableHelp(result));
        }
        check->setCheck(result.check);
    });
}

static void addConvertedTable(OptionGroup &options, const OptionRow &row)
{
    TextField *converted =
        options.addPath(row, PathKind::Directory, tr("Choose a file for the converted table"));
    converted->onContext([converted](const PreviewResult &result) {
        converted->setPlaceholder(shownPath(result.defaultConvertedPath));
    });
}

static void addWorkDir(OptionGroup &options, const OptionRow &row)
{
    TextField *field = options.addPath(row, PathKind::Directory, tr("Choose the work directory"));
    field->onContext([field](const PreviewResult &result) {
        const ProcessPlan *process = firstProcess(result);
        field->setHelp(directoryHelp(tr("Where every rank starts"), result.spec.workDir,
                                     process ? process->workDir : QString()));
    });
}

/// The row's help ends without a full stop: a path may follow.
static void addLogDir(OptionGroup &options, const OptionRow &row)
{
    TextField *field = options.addPath(row, PathKind::Directory, tr("Choose the log directory"));
    field->onContext([field, help = tr(row.formHelp)](const PreviewResult &result) {
        field->setHelp(directoryHelp(help, field->text(), logDirOf(result)));
    });
}

static void addName(OptionGroup &options, const OptionRow &row)
{
    TextField *name = options.addText(row);
    name->onContext([name, unset = tr(row.unset)](const PreviewResult &result) {
        name->setPlaceholder(result.plan && result.spec.name.isEmpty() ? result.plan->name : unset);
    });
}

static void addStreams(OptionGroup &options, const OptionRow &row)
{
    options.addText(row, streamsText(row))->addName(row.name().mid(2));
}

using AddField = void (*)(OptionGroup &, const OptionRow &);
constexpr std::pair<const char *, AddField> ownFields[] = {
    {"--rank-table", addRankTable},
    {"--rank_table_file", addRankTable},
    {"--converted-rank-table", addConvertedTable},
    {"--work-dir", addWorkDir},
    {"--log-dir", addLogDir},
    {"--log_dir", addLogDir},
    {"--name", addName},
    {"--ssh-config",
     [](OptionGroup &options, const OptionRow &row) {
         options.addPath(row, PathKind::File, tr("Choose an ssh configuration"));
     }},
    {"--unset-env",
     [](OptionGroup &options, const OptionRow &row) {
         options.addText(row, wordsText(row.field<QStringList>()));
     }},
    {"--umask",
     [](OptionGroup &options, const OptionRow &row) {
         options.addText(row, commandLineText(row));
     }},
    {"--wrap",
     [](OptionGroup &options, const OptionRow &row) {
         // For rank 0; the user edits the rank.
         const auto presets = listOf(wrapperPresets(), [](const WrapperPreset &preset) {
             return LinePreset{u"0:"_s + preset.name, inBrackets(preset.purpose, preset.command)};
         });
         options.addLines(row, linesText(row.field<QStringList>()), presets);
     }},
    {"--redirects", addStreams},
    {"--tee", addStreams},
};

/// Adds the field of an option by its type.
static void addByType(OptionGroup &options, const OptionRow &row)
{
    std::visit(
        [&](auto field) {
            using Way = decltype(field);
            if constexpr (std::same_as<Way, SpecField<int>>)
                options.addNumber(row);
            else if constexpr (std::same_as<Way, SpecField<bool>>)
                options.addSwitch(row);
            else if constexpr (std::same_as<Way, SpecField<QString>>)
                row.choices().isEmpty() ? options.addText(row) : options.addChoice(row);
            else if constexpr (std::same_as<Way, SpecField<QStringList>>)
                options.addLines(row, linesText(field));
            else if constexpr (std::same_as<Way, SpecField<QList<QStringList>>>)
                options.addLines(row, commandsText(field, row.name()));
            else if constexpr (std::same_as<Way, SpecField<QMap<QString, QString>>>)
                options.addLines(row, variablesText(field));
            else if constexpr (std::same_as<Way, SpecField<QMap<int, QMap<QString, QString>>>>)
                options.addLines(row, variablesByRankText(field, row.name()));
            else if constexpr (std::same_as<Way, SpecField<QMap<int, QStringList>>>)
                options.addLines(row, argumentsByRankText(field, row.name()));
            else
                options.addText(row, commandLineText(row));
        },
        row.member.field);
}

static void addOption(OptionGroup &options, const OptionRow &row)
{
    const auto *const own = std::ranges::find_if(
        ownFields, [&](const auto &each) { return row.name() == QLatin1String(each.first); });
    if (own != std::end(ownFields))
        own->second(options, row);
    else
        addByType(options, row);
}

/// Adds the options of these names that the rows have.
static void addOptions(OptionGroup &options, OptionRows rows, std::initializer_list<const char *> names)
{
    for (const char *name : names) {
        if (const OptionRow *row = optionRow(rows, QLatin1String(name)))
            addOption(options, *row);
    }
}

static bool hasFieldOf(const OptionGroup &options, const OptionRow &row)
{
    return std::ranges::any_of(options.fields(), [&](const OptionField *field) {
        return std::ranges::any_of(field->names(), [&](const QString &name) {
            return normalOption(name) == normalOption(row.name());
        });
    });
}

/// Adds, by topics, those that the form shows and neither group has yet.
static void addOthers(OptionGroup &options, OptionRows rows, const OptionGroup &shown)
{
    using enum OptionTopic;
    for (const OptionTopic topic : {Launcher, Logs, Environment, Terminal, Watching, StartAndEnd}) {
        for (const OptionRow &row : rows) {
            if (row.label && row.topic == topic && !hasFieldOf(options, row) && !hasFieldOf(shown, row))
                addOption(options, row);
        }
    }
}

void addLauncherOptions(OptionGroup &options, const Launcher &launcher)
{
    const OptionRows own = launcher.rows();
    const OptionRows common = commonRows();
    addOptions(options, own,
               {"--rank-table", "--worker_num", "--local_worker_num", "--master_addr", "--master_port",
                "--node_rank", "--nproc", "--nnodes", "--node-rank", "--master-addr", "--master-port"});
    addOptions(options, common, {"--work-dir"});
    addOptions(options, own, {"--log-dir", "--log_dir"});
    options.addTitle(tr("Options"));
    addOptions(options, common, {"--name", "--env", "--conda-env", "--grace"});
    addOptions(options, own, {"--cluster_time_out", "--rank_table_file"});
    addOthers(options, own, options);
    if (launcher.rows == msrunRows)
        addOptions(options, davincirunRows(), {"--no-destroy"});
    addOptions(options, common, {"--no-raise"});
}

void addNodeOptions(OptionGroup &options)
{
    for (const OptionRow &row : commonRows()) {
        if (row.topic == OptionTopic::Nodes && row.label)
            addOption(options, row);
    }
}

void addRareOptions(OptionGroup &options, const OptionGroup &shown)
{
    addOthers(options, commonRows(), shown);
}

} // namespace rankdeck
