#include "launchform/options/launchfields.h"

#include "launch/options/launchers.h"
#include "launch/text/commandline.h"
#include "launchform/nodes/nodepanel.h"
#include "launchform/options/launcheroptions.h"

#include <QCompleter>
#include <QDir>
#include <QEvent>
#include <QRegularExpression>

namespace rankdeck
{

constexpr QLatin1String commandOption("command");
constexpr QLatin1String msrun("msrun");
constexpr int leastLetters = 26; // Of a value.
constexpr QLatin1String processes("processes");

static QString commandHelp(const Launcher &launcher, const QString &line)
{
    const QLatin1String localRank("${local_rank}");
    if (asksForShell(QString(line).remove(localRank)))
        return LaunchFields::tr("Not run through a shell: $, ~, *, | and > are passed on literally.");
    if (launcher.replacesLocalRank && line.contains(localRank))
        return LaunchFields::tr("${local_rank} is each rank's number on this node.");
    return tr(launcher.commandHelp);
}

/// Returns the launcher, or davincirun if there is no such launcher.
static const Launcher &launcherOf(const QString &name)
{
    const Launcher *launcher = findLauncher(name);
    return launcher ? *launcher : launchers().front();
}

FoldedOptions::FoldedOptions(const QString &title, OptionGroup *options, QWidget *below, QWidget *parent)
    : QWidget(parent)
    , m_title(title)
    , m_options(options)
    , m_below(below)
    , m_button(flatButton(nullptr, {}, {}))
{
    m_button->setCheckable(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_button, &QToolButton::toggled, this, &FoldedOptions::setOpen);
    auto *layout = withoutMargins(new QVBoxLayout(this));
    addParts(layout, {{m_button, 0, Qt::AlignLeft}, m_options});
    if (m_below)
        layout->addWidget(m_below);
    setOpen(false);
    refresh();
}

void FoldedOptions::setOpen(bool open)
{
    m_button->setChecked(open);
    m_button->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_options->setVisible(open);
    if (m_below)
        m_below->setVisible(open);
}

void FoldedOptions::refresh()
{
    const int changed = m_options->changedFields();
    m_button->setText(changed == 0 ? m_title
                                   : tr("%1 (%2 set)", "title of options").arg(m_title).arg(changed));
}

QString launcherDescription(const QString &launcher)
{
    return tr(launcherOf(launcher).about);
}

LaunchSpec defaultsOf(const QString &launcher)
{
    return launcherOf(launcher).defaults();
}

LaunchSpec withSharedOptions(LaunchSpec next, const LaunchSpec &spec)
{
    const LaunchSpec defaults = defaultsOf(spec.launcher);
    const auto share = [&](auto LaunchSpec::*value) {
        if (spec.*value != defaults.*value)
            next.*value = spec.*value;
    };
    next.command = spec.command;
    next.name = spec.name;
    next.workDir = spec.workDir;
    next.environment = spec.environment;
    next.common = spec.common;
    next.nodes = spec.nodes;
    next.raiseOnFailure = spec.raiseOnFailure;
    share(&LaunchSpec::logDir);
    share(&LaunchSpec::graceSeconds);
    const int perNode = spec.msrun.localWorkerNum;
    if (spec.launcher == msrun && next.launcher == processes) {
        next.processes.nproc = perNode;
        if (perNode > 0 && spec.msrun.workerNum % perNode == 0)
            next.processes.nnodes = qMax(1, spec.msrun.workerNum / perNode);
    } else if (spec.launcher == processes && next.launcher == msrun) {
        next.msrun.localWorkerNum = spec.processes.nproc;
        next.msrun.workerNum = spec.processes.nproc * spec.processes.nnodes;
    }
    return next;
}

LaunchSpec withLogsBelow(LaunchSpec spec)
{
    if (!spec.logDir.isEmpty() && QDir::isRelativePath(spec.logDir) && !spec.workDir.isEmpty())
        spec.logDir = QDir::cleanPath(spec.workDir + '/'_L1 + spec.logDir);
    return spec;
}

/// Returns the button that fills the field with a script.
static QPushButton *scriptButton()
{
    auto *button = plainButton(LaunchFields::tr("Script…"), "scriptButton");
    button->setAccessibleName(LaunchFields::tr("Choose a Python script"));
    return button;
}

CommandField::CommandField(QWidget *parent)
    : Field(tr("&Command"), named(new QLineEdit, "commandEdit"), {}, scriptButton(), parent)
    , m_edit(static_cast<QLineEdit *>(editor()))
{
    useFixedFont(m_edit);
    m_edit->setPlaceholderText(u"python3 train.py --epochs 10"_s);
    connect(m_edit, &QLineEdit::textChanged, this, &CommandField::edited);
    connect(static_cast<QPushButton *>(button()), &QPushButton::clicked, this, &CommandField::browse);
}

void CommandField::setCommand(const QStringList &command)
{
    m_edit->setText(joinCommandLine(command));
    m_edit->setCursorPosition(0);
}

Result<QStringList> CommandField::command() const
{
    auto words = splitCommandLine(m_edit->text());
    if (words && words->isEmpty())
        return Error{tr("There is no command"), {}, tr("Type the program and its arguments.")};
    return words;
}

void CommandField::setHistory(const QStringList &commands)
{
    auto *completer = new QCompleter(commands, m_edit);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_edit->setCompleter(completer); // Deletes the one before, whose parent is the edit too.
}

void CommandField::showHelp(const QString &launcher)
{
    setHelp(commandHelp(launcherOf(launcher), m_edit->text()));
}

void CommandField::browse()
{
    QFileDialog *dialog = openFileDialog(this, tr("Choose a Python script"),
                                         {tr("Python scripts (*.py)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        setText(joinCommandLine({u"python3"_s, path}));
    });
    dialog->open();
}

LaunchFields::LaunchFields()
    : m_command(new CommandField(this))
    , m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 6, 0);
    setSpec(LaunchSpec());
    m_showsAll = false;
    connect(m_command, &CommandField::edited, this, [this] {
        m_edited.insert(m_command);
        edited();
    });
}

QList<QWidget *> LaunchFields::focusOrder() const
{
    QList<QWidget *> order{m_command->editor(), m_command->button()};
    for (const OptionField *field : m_options->fields())
        order += field->focusOrder();
    for (const FoldedOptions *folded : m_folded) {
        order += folded->button();
        for (const OptionField *field : folded->options()->fields())
            order += field->focusOrder();
        if (folded->options() == m_nodeOptions)
            order += m_nodes->focusOrder();
    }
    return order;
}

void LaunchFields::makePage(const QString &name)
{
    delete m_page;
    m_page = new QWidget;
    const Launcher &launcher = launcherOf(name);
    const LaunchSpec defaults = launcher.defaults();
    m_options = new OptionGroup(defaults);
    addLauncherOptions(*m_options, launcher);
    if (const auto *tableCheck = m_options->findChild<TableCheckLine *>())
        connect(tableCheck, &TableCheckLine::showRequested, this, &LaunchFields::showTableRequested);
    auto *rare = new OptionGroup(defaults);
    addRareOptions(*rare, *m_options);
    m_nodeOptions = new OptionGroup(defaults);
    addNodeOptions(*m_nodeOptions);
    m_nodes = new NodePanel;
    m_folded = {new FoldedOptions(tr("Nodes"), m_nodeOptions, m_nodes),
                new FoldedOptions(tr("More &options"), rare)};
    m_folded.first()->button()->setObjectName(u"nodeOptionsButton"_s);
    m_folded.last()->button()->setObjectName(u"moreOptionsButton"_s);

    auto *layout = withoutMargins(new QVBoxLayout(m_page));
    layout->addWidget(m_options);
    for (FoldedOptions *folded : std::as_const(m_folded))
        layout->addWidget(folded);
    layout->addStretch(1);
    m_layout->addWidget(m_page);
    m_edited = m_edited.contains(m_command) ? QSet<const Field *>{m_command} : QSet<const Field *>();
    for (const OptionField *field : fields()) {
        connect(field, &OptionField::edited, this, [this, field] {
            if (!m_filling)
                m_edited.insert(field);
            edited();
        });
    }
    alignNames();
}

void LaunchFields::alignNames()
{
    const QList<Field *> all = allFields();
    int nameWidth = 0;
    for (const Field *field : all)
        nameWidth = qMax(nameWidth, field->nameWidth());
    m_isNarrow = width() < nameWidth + leastLetters * fontMetrics().averageCharWidth();
    if (m_isNarrow)
        nameWidth = 0;
    for (Field *field : all)
        field->setNameWidth(nameWidth);
}

QSize LaunchFields::minimumSizeHint() const
{
    const QSize needed = QWidget::minimumSizeHint();
    return m_isNarrow ? needed
                      : needed.boundedTo({leastLetters * fontMetrics().averageCharWidth(), needed.height()});
}

void LaunchFields::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        alignNames();
}

void LaunchFields::setSpec(const LaunchSpec &spec)
{
    m_filling = true;
    const bool isOther = !m_page || spec.launcher != m_base.launcher;
    m_base = spec;
    if (isOther)
        makePage(spec.launcher);
    m_command->setCommand(spec.command);
    for (OptionField *field : fields())
        field->fill(spec);
    for (FoldedOptions *folded : std::as_const(m_folded))
        folded->setOpen(folded->options()->changedFields() > 0);
    m_filling = false;
    m_showsAll = true;
    m_problems.clear();
    if (isOther)
        Q_EMIT launcherChanged(spec.launcher);
    edited();
}

void LaunchFields::startWith(const LaunchSpec &spec)
{
    setSpec(spec);
    m_showsAll = false;
    m_edited.clear();
    showProblems();
}

LaunchSpec LaunchFields::spec() const
{
    LaunchSpec spec = m_base;
    const Result<QStringList> command = m_command->command();
    spec.command = command ? *command : QStringList();
    // Fields that cannot be read are reported by checkOwn().
    for (const OptionField *field : fields())
        static_cast<void>(field->read(spec));
    // The field is a number: who changes it does not want ranks to be counted.
    if (spec.processes.nproc != m_base.processes.nproc)
        spec.processes.nprocOf.clear();
    return spec;
}

void LaunchFields::setLauncher(const QString &launcher)
{
    if (launcher == m_base.launcher)
        return;
    const LaunchSpec left = spec();
    m_lastSpecs.insert(left.launcher, left);
    const LaunchSpec next = m_lastSpecs.value(launcher, defaultsOf(launcher));
    // The text is kept too: an incomplete command is not in the spec.
    const QString command = m_command->text();
    const bool showsAll = m_showsAll;
    const bool isCommandEdited = m_edited.contains(m_command);
    setSpec(withSharedOptions(next, left));
    m_command->setText(command);
    m_showsAll = showsAll;
    if (!isCommandEdited)
        m_edited.remove(m_command);
    showProblems();
}

void LaunchFields::setRankTable(const QString &path)
{
    const QString option = u"--rank-table"_s;
    if (!fieldOf(option))
        setLauncher(LaunchSpec().launcher);
    LaunchSpec table;
    table.rankTableFile = path;
    fieldOf(option)->fill(table);
}

void LaunchFields::setTerminals(const QString &ranks)
{
    LaunchSpec terminals;
    terminals.common.terminals = ranks;
    if (OptionField *field = fieldOf(u"--tty"_s))
        field->fill(terminals);
}

void LaunchFields::showContext(const PreviewResult &result)
{
    if (result.spec.launcher != m_base.launcher)
        return;
    for (const OptionField *field : fields())
        field->showContext(result);
}

bool LaunchFields::hasField(const QString &option) const
{
    return option == commandOption || fieldOf(option);
}

void LaunchFields::focusProblem()
{
    for (const Field *field : allFields()) {
        if (field->hasProblem()) {
            field->editor()->setFocus(Qt::OtherFocusReason);
            return;
        }
    }
}

void LaunchFields::edited()
{
    if (m_filling)
        return;
    checkOwn();
    showProblems();
    for (FoldedOptions *folded : std::as_const(m_folded))
        folded->refresh();
    m_nodes->setOptions(spec().nodes);
    Q_EMIT changed();
}

void LaunchFields::checkOwn()
{
    m_ownProblems.clear();
    if (const auto command = m_command->command(); !command)
        m_ownProblems.insert(commandOption, sentenceAt(commandOption, command.error()));
    m_command->showHelp(m_base.launcher);
    LaunchSpec unused = m_base;
    for (const OptionField *field : fields()) {
        const QString option = normalOption(field->names().first());
        if (const auto error = field->read(unused))
            m_ownProblems.insert(option, sentenceAt(option, *error));
    }
}

QString LaunchFields::problemOf(const Field *field) const
{
    const auto problemAt = [this](const QString &name) {
        const QString option = normalOption(name);
        return m_ownProblems.value(option, m_problems.value(option));
    };
    if (field == m_command)
        return problemAt(commandOption);
    for (const QString &name : static_cast<const OptionField *>(field)->names()) {
        if (const QString problem = problemAt(name); !problem.isEmpty())
            return inWindowWords(problem);
    }
    return {};
}

void LaunchFields::showProblems()
{
    for (Field *field : allFields())
        field->setProblem(m_showsAll || m_edited.contains(field) ? problemOf(field) : QString());
    for (FoldedOptions *folded : std::as_const(m_folded)) {
        const QList<OptionField *> &inside = folded->options()->fields();
        if (std::ranges::any_of(inside, &OptionField::hasProblem))
            folded->setOpen(true);
    }
}

QStringList LaunchFields::steps() const
{
    QStringList steps;
    for (const Field *field : allFields()) {
        if (const QString problem = problemOf(field); !problem.isEmpty())
            steps += tr("%1: %2", "field: what to do").arg(field->name(), problem);
    }
    return steps;
}

QString LaunchFields::inWindowWords(QString text) const
{
    static const QRegularExpression pattern(u"--[a-z][a-z_-]*"_s);
    for (qsizetype at = 0; (at = text.indexOf(pattern, at)) >= 0;) {
        const QString option = pattern.match(text, at).captured();
        const OptionField *field = fieldOf(normalOption(option));
        const QString words = field ? tr("\"%1\"", "name of a field").arg(field->name()) : option;
        qsizetype length = option.size();
        if (field && words.front() != u'"') { // No space stands beside a full-width quote.
            if (at > 0 && text.at(at - 1) == u' ') {
                --at;
                ++length;
            }
            if (at + length < text.size() && text.at(at + length) == u' ')
                ++length;
        }
        text.replace(at, length, words);
        at += words.size();
    }
    return text;
}

QList<Field *> LaunchFields::allFields() const
{
    QList<Field *> all{m_command};
    for (OptionField *field : fields())
        all += field;
    return all;
}

QList<OptionField *> LaunchFields::fields() const
{
    QList<OptionField *> all = m_options->fields();
    for (const FoldedOptions *folded : m_folded)
        all += folded->options()->fields();
    return all;
}

OptionField *LaunchFields::fieldOf(const QString &option) const
{
    for (OptionField *field : fields()) {
        for (const QString &name : field->names()) {
            if (normalOption(name) == option)
                return field;
        }
    }
    return nullptr;
}

} // namespace rankdeck
