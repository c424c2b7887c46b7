#include "launchform/launchfields.h"

#include "launch/commandline.h"
#include "launch/environmenttext.h"
#include "launchform/field.h"
#include "launchform/pathedit.h"
#include "launchform/shownpath.h"
#include "launchform/tablecheckline.h"

#include <QCheckBox>
#include <QCompleter>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStringListModel>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

constexpr int fieldSpacing = 8;

template <typename Editor>
Editor *named(Editor *editor, const char *objectName)
{
    editor->setObjectName(QLatin1String(objectName));
    return editor;
}

QSpinBox *secondsSpin(int maximum, const char *objectName)
{
    auto *spin = named(new QSpinBox, objectName);
    spin->setRange(0, maximum);
    spin->setSuffix(LaunchFields::tr(" s"));
    return spin;
}

/// "Completed: 8 devices on 1 server."
QString tableSummary(const RankTable &table)
{
    const int devices = table.deviceCount();
    const int servers = int(table.servers.size());
    return LaunchFields::tr("Completed: %1 on %2.")
        .arg(devices == 1 ? LaunchFields::tr("1 device") : LaunchFields::tr("%n devices", nullptr, devices),
             servers == 1 ? LaunchFields::tr("1 server") : LaunchFields::tr("%n servers", nullptr, servers));
}

/// With what `typed` comes to, where it is not that already.
QString directoryHelp(const QString &text, const QString &typed, const QString &path)
{
    if (path.isEmpty() || path == typed)
        return text;
    return LaunchFields::tr("%1: %2").arg(text, shownPath(path));
}

} // namespace

LaunchFields::LaunchFields(QWidget *parent)
    : QWidget(parent)
    , m_command(named(new QLineEdit, "commandEdit"))
    , m_rankTable(named(new PathEdit(PathEdit::Kind::File, tr("Choose a rank table")), "rankTableEdit"))
    , m_tableCheck(named(new TableCheckLine, "tableCheckLine"))
    , m_workDir(named(new PathEdit(PathEdit::Kind::Directory, tr("Choose the work dir")), "workDirEdit"))
    , m_logDir(named(new PathEdit(PathEdit::Kind::Directory, tr("Choose the log dir")), "logDirEdit"))
    , m_name(named(new QLineEdit, "nameEdit"))
    , m_environment(named(new QPlainTextEdit, "environmentEdit"))
    , m_convertedTable(
          named(new PathEdit(PathEdit::Kind::Directory, tr("Choose where a converted table goes")),
                "convertedTableEdit"))
    , m_wait(secondsSpin(86400, "waitSpin"))
    , m_grace(secondsSpin(3600, "graceSpin"))
    , m_randomCache(named(new QCheckBox(tr("Random compiler cac&he")), "randomCacheCheck"))
    , m_destroy(named(new QCheckBox(tr("&Destroy when finished")), "destroyCheck"))
    , m_raise(named(new QCheckBox(tr("Raise on &failure")), "raiseCheck"))
{
    makeCommand();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->setSpacing(fieldSpacing);
    makeCommonFields(layout);
    makeOptions(layout);
    layout->addStretch(1);
    setSpec(LaunchSpec());

    for (QLineEdit *edit :
         {m_command, m_name, static_cast<QLineEdit *>(m_rankTable), static_cast<QLineEdit *>(m_workDir),
          static_cast<QLineEdit *>(m_logDir), static_cast<QLineEdit *>(m_convertedTable)})
        connect(edit, &QLineEdit::textChanged, this, &LaunchFields::edited);
    for (QSpinBox *spin : {m_wait, m_grace})
        connect(spin, &QSpinBox::valueChanged, this, &LaunchFields::edited);
    for (QCheckBox *check : {m_randomCache, m_destroy, m_raise})
        connect(check, &QCheckBox::toggled, this, &LaunchFields::edited);
    connect(m_environment, &QPlainTextEdit::textChanged, this, &LaunchFields::edited);
}

QWidget *LaunchFields::commandField() const
{
    return m_fields[LaunchField::Command];
}

QList<QWidget *> LaunchFields::focusOrder() const
{
    QList<QWidget *> order;
    for (const Field *field : std::as_const(m_fields)) {
        order += field->editor();
        if (field->button())
            order += field->button();
        if (field == m_fields[LaunchField::RankTable])
            order += m_tableCheck->button();
    }
    return order + QList<QWidget *>{m_randomCache, m_destroy, m_raise};
}

void LaunchFields::makeCommand()
{
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setPlaceholderText(QStringLiteral("python3 train.py --epochs 10"));
    auto *script = new QPushButton(tr("Script…"));
    script->setObjectName(QStringLiteral("scriptButton"));
    script->setAutoDefault(false);
    script->setAccessibleName(tr("Choose a Python script"));
    connect(script, &QPushButton::clicked, this, &LaunchFields::browseScript);
    m_fields.insert(LaunchField::Command, new Field(tr("&Command"), m_command, {}, script, this));
}

void LaunchFields::makeCommonFields(QVBoxLayout *layout)
{
    add(LaunchField::RankTable, new Field(tr("&Rank table"), m_rankTable, {}, m_rankTable->browseButton()),
        layout);
    m_fields[LaunchField::RankTable]->addBelow(m_tableCheck);
    connect(m_tableCheck, &TableCheckLine::showWanted, this, &LaunchFields::showTableWanted);
    add(LaunchField::WorkDir, new Field(tr("&Work dir"), m_workDir, {}, m_workDir->browseButton()), layout);
    m_logDir->setPlaceholderText(tr("in the run directory"));
    add(LaunchField::LogDir, new Field(tr("Lo&g dir"), m_logDir, {}, m_logDir->browseButton()), layout);
}

void LaunchFields::makeOptions(QVBoxLayout *layout)
{
    auto *title = new QLabel(tr("Options"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setContentsMargins(0, fieldSpacing, 0, 0);
    layout->addWidget(title);

    m_name->setPlaceholderText(tr("the script's name"));
    add(LaunchField::Name, new Field(tr("Run &name"), m_name, tr("What the run is called in the list.")),
        layout);

    m_environment->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_environment->setPlaceholderText(QStringLiteral("GLOG_v=2"));
    m_environment->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_environment->setTabChangesFocus(true);
    m_environment->setFixedHeight(m_environment->fontMetrics().lineSpacing() * 3 + 14);
    add(LaunchField::Environment,
        new Field(tr("&Environment"), m_environment,
                  tr("One NAME=value a line; wins over what the launcher sets.")),
        layout);

    add(LaunchField::ConvertedTable,
        new Field(tr("Con&verted table"), m_convertedTable,
                  tr("Where a v0.1 table is written as v1.0; {run}: run directory."),
                  m_convertedTable->browseButton()),
        layout);

    add(LaunchField::Wait,
        new Field(tr("Wa&it limit"), m_wait, tr("For a rank table that is not completed.")), layout);
    add(LaunchField::Grace, new Field(tr("Gr&ace"), m_grace, tr("Between SIGTERM and SIGKILL.")), layout);

    layout->addWidget(
        new Field({}, m_randomCache, tr("A fresh MS_COMPILER_CACHE_PATH, removed at the end.")));
    layout->addWidget(new Field({}, m_destroy, tr("End the other ranks when one fails.")));
    layout->addWidget(new Field({}, m_raise, tr("Open the error dialog by itself when a rank fails.")));

    int nameWidth = 0;
    for (const Field *field : std::as_const(m_fields))
        nameWidth = qMax(nameWidth, field->nameWidth());
    for (Field *field : findChildren<Field *>())
        field->setNameWidth(nameWidth);
}

void LaunchFields::add(LaunchField id, Field *field, QVBoxLayout *layout)
{
    m_fields.insert(id, field);
    layout->addWidget(field);
}

void LaunchFields::setSpec(const LaunchSpec &spec)
{
    m_filling = true;
    m_base = spec;
    m_command->setText(joinCommandLine(spec.command));
    m_command->setCursorPosition(0);
    m_rankTable->setText(spec.rankTableFile);
    m_workDir->setText(spec.workDir);
    m_logDir->setText(spec.logDir);
    m_name->setText(spec.name);
    m_environment->setPlainText(environmentText(spec.environment));
    m_convertedTable->setText(spec.convertedRankTable);
    m_wait->setValue(spec.rankTableWaitSeconds);
    m_grace->setValue(spec.graceSeconds);
    m_randomCache->setChecked(spec.randomCacheDir);
    m_destroy->setChecked(spec.destroyWhenFinished);
    m_raise->setChecked(spec.raiseOnFailure);
    m_filling = false;
    edited();
}

LaunchSpec LaunchFields::spec() const
{
    LaunchSpec spec = m_base;
    const Result<QStringList> command = splitCommandLine(m_command->text());
    spec.command = command ? *command : QStringList();
    spec.rankTableFile = m_rankTable->text();
    spec.workDir = m_workDir->text();
    spec.logDir = m_logDir->text();
    spec.name = m_name->text();
    const auto environment = parseEnvironmentText(m_environment->toPlainText());
    spec.environment = environment ? *environment : QMap<QString, QString>();
    spec.convertedRankTable = m_convertedTable->text();
    spec.rankTableWaitSeconds = m_wait->value();
    spec.graceSeconds = m_grace->value();
    spec.randomCacheDir = m_randomCache->isChecked();
    spec.destroyWhenFinished = m_destroy->isChecked();
    spec.raiseOnFailure = m_raise->isChecked();
    return spec;
}

void LaunchFields::setRankTable(const QString &path)
{
    m_rankTable->setText(path);
}

void LaunchFields::setCommandHistory(const QStringList &commands)
{
    auto *completer = new QCompleter(commands, m_command);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    m_command->setCompleter(completer); // Deletes the one before, whose parent is the edit too.
}

void LaunchFields::showContext(const PreviewResult &result)
{
    m_rankTable->setPlaceholderText(
        result.defaultTableVariable.isEmpty()
            ? tr("default: %1").arg(result.defaultTablePath)
            : tr("from %1: %2").arg(result.defaultTableVariable, result.defaultTablePath));
    m_convertedTable->setPlaceholderText(shownPath(result.defaultConvertedPath));

    QString table = tr("A rank table, or the directory of a jobstart_hccl.json.");
    if (!result.tableStatus.isEmpty())
        table = tr("Not completed yet (%1): Launch waits for it.").arg(result.tableStatus);
    else if (result.plan)
        table = tableSummary(result.plan->rankTable);
    m_fields[LaunchField::RankTable]->setHelp(table);
    m_tableCheck->setCheck(result.check);

    QString workDir;
    QString logDir;
    if (result.plan && !result.plan->processes.empty()) {
        workDir = result.plan->processes.front().workDir;
        logDir = QFileInfo(result.plan->processes.front().logFile).path();
    }
    m_fields[LaunchField::WorkDir]->setHelp(
        directoryHelp(tr("Where every rank starts"), result.spec.workDir, workDir));
    m_fields[LaunchField::LogDir]->setHelp(
        directoryHelp(tr("Where each rank's log goes"), result.spec.logDir, logDir));
    m_name->setPlaceholderText(result.plan && result.spec.name.isEmpty() ? result.plan->name
                                                                         : tr("the script's name"));
}

void LaunchFields::setProblems(const QMap<LaunchField, QString> &problems)
{
    m_problems = problems;
    showProblems();
}

void LaunchFields::focusProblem()
{
    for (const Field *field : std::as_const(m_fields)) {
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
    Q_EMIT changed();
}

void LaunchFields::checkOwn()
{
    m_ownProblems.clear();
    const QString line = m_command->text();
    const Result<QStringList> command = splitCommandLine(line);
    if (!command)
        m_ownProblems.insert(LaunchField::Command, sentenceAt(LaunchField::Command, command.error()));
    else if (command->isEmpty())
        m_ownProblems.insert(LaunchField::Command,
                             tr("There is no command. Type the program and its arguments."));

    const auto environment = parseEnvironmentText(m_environment->toPlainText());
    if (!environment)
        m_ownProblems.insert(LaunchField::Environment,
                             sentenceAt(LaunchField::Environment, environment.error()));

    m_fields[LaunchField::Command]->setHelp(
        asksForShell(line) ? tr("Not run by a shell: $, ~, *, | and > reach the program as they are.")
                           : tr("The program every rank runs. Quotes group words, as in a shell."));
}

void LaunchFields::showProblems()
{
    for (auto it = m_fields.cbegin(); it != m_fields.cend(); ++it)
        it.value()->setProblem(m_ownProblems.value(it.key(), m_problems.value(it.key())));
}

void LaunchFields::browseScript()
{
    auto *dialog = new QFileDialog(this, tr("Choose a Python script"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Python scripts (*.py)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        m_command->setText(joinCommandLine({QStringLiteral("python3"), path}));
    });
    dialog->open();
}

} // namespace rankdeck
