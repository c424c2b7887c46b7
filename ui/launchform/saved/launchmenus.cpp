#include "launchform/saved/launchmenus.h"

#include "background/inbackground.h"
#include "launch/exchange/launchexport.h"
#include "launch/options/launchers.h"
#include "launch/options/launchprofile.h"
#include "widgets/labels.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QInputDialog>
#include <QSaveFile>
#include <QShortcut>

#include <algorithm>

namespace rankdeck
{

/// Returns the program that a copied command line is for.
static QString peerOf(const QString &launcher)
{
    const auto table = launchers();
    const auto peer = std::ranges::find_if(
        table, [&](const Launcher &each) { return launcher == QLatin1String(each.spelling); });
    return peer == table.end() ? launcher : QString::fromLatin1(peer->name);
}

static std::optional<Error> write(const QString &text, const QString &path)
{
    const QByteArray content = text.toUtf8();
    QSaveFile file(path);
    const auto mode = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() &&
        file.setPermissions(mode) && file.commit())
        return std::nullopt;
    return Error{CommandLineMenu::tr("the script cannot be written: %1").arg(problemOf(file)), path,
                 CommandLineMenu::tr("Select another location.")};
}

PasteDialog::PasteDialog(QWidget *parent)
    : QDialog(parent)
    , m_line(named(new QPlainTextEdit, "pasteEdit", tr("Command line")))
    , m_note(new NoteLabel(u"pasteNote"_s))
    , m_notes(readOnlyText("pasteNotes", tr("Not imported, or changed")))
{
    setObjectName(u"pasteDialog"_s);
    setWindowTitle(tr("Paste a command line"));
    setAttribute(Qt::WA_DeleteOnClose);
    useFixedFont(m_line);
    m_line->setPlaceholderText(u"GLOG_v=2 msrun --worker_num=8 \\\n    --master_port=8118 train.py"_s);
    m_line->setTabChangesFocus(true);
    showLines(m_notes, 5);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_fill = named(buttons->addButton(tr("&Fill the form"), QDialogButtonBox::AcceptRole), "fillButton");
    connect(m_line, &QPlainTextEdit::textChanged, this, &PasteDialog::showImport);
    connect(buttons, &QDialogButtonBox::accepted, this, &PasteDialog::importLine);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(key)), this), &QShortcut::activated, this,
                &PasteDialog::importLine);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(labelOf(m_line, tr("A command &line or script of any launcher:")));
    addParts(layout, {{m_line, 1}, m_note, m_notes, buttons});
    m_fill->setDefault(true); // Has no effect before the dialog owns the button.
    resize(640, 340);
    const QString copied = QGuiApplication::clipboard()->text();
    // An empty line parses too, and a whole file on the clipboard is not a command line.
    constexpr qsizetype longest = 20'000;
    if (!copied.trimmed().isEmpty() && copied.size() < longest) {
        const auto launch = importCommandLine(copied, QProcessEnvironment::systemEnvironment());
        // Any text could be wrapped; only a launcher's line is offered unasked.
        if (launch && !launch->isWrapped)
            m_line->setPlainText(copied.trimmed());
    }
    showImport();
}

void PasteDialog::showImport()
{
    const QString line = m_line->toPlainText();
    const bool isEmpty = line.trimmed().isEmpty();
    const Result<ImportedLaunch> launch = importCommandLine(line, QProcessEnvironment::systemEnvironment());
    m_launch = launch && !isEmpty ? std::optional(*launch) : std::nullopt;
    m_fill->setEnabled(m_launch.has_value());
    Error problem = isEmpty || launch ? Error() : launch.error();
    problem.what = upperFirst(problem.what);
    m_note->setProblem(problem.sentence());
    const QStringList notes = m_launch ? m_launch->notes : QStringList();
    m_notes->setPlainText(notes.join('\n'_L1));
    m_notes->setVisible(!notes.isEmpty());
    m_note->setHelp(!m_launch ? QString()
                    : notes.isEmpty()
                        ? tr("Imported completely as %1.").arg(m_launch->spec.launcher)
                        : tr("A launch with %1. Left out or changed:").arg(m_launch->spec.launcher));
}

void PasteDialog::importLine()
{
    if (!m_launch)
        return;
    Q_EMIT imported(*m_launch);
    accept();
}

CommandLineMenu::CommandLineMenu(QWidget *parent)
    : QMenu(parent)
    , m_paste(named(addAction(tr("&Paste a command line…"), this, &CommandLineMenu::paste), "pasteAction"))
    , m_copyPeer(named(addAction(QString(), this, &CommandLineMenu::copyPeer), "copyPeerAction"))
    , m_copyOwn(named(addAction(tr("Copy as &rankdeckctl command line"), this,
                                [this] {
                                    QGuiApplication::clipboard()->setText(exportCommandLine(m_spec));
                                    Q_EMIT said(tr("The rankdeckctl command line is on the clipboard."));
                                }),
                      "copyOwnAction"))
    , m_saveScript(named(addAction(tr("&Save as shell script…"), this, &CommandLineMenu::chooseScript),
                         "saveScriptAction"))
{
    m_paste->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V));
    insertSeparator(m_copyPeer);
    setLaunch({}, {});
}

void CommandLineMenu::setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan)
{
    m_spec = spec;
    m_plan = plan;
    m_copyPeer->setText(tr("&Copy as %1 command line").arg(peerOf(spec.launcher)));
    m_copyPeer->setEnabled(!spec.command.isEmpty());
    m_copyOwn->setEnabled(!spec.command.isEmpty());
    m_saveScript->setEnabled(plan.has_value());
}

void CommandLineMenu::paste()
{
    auto *dialog = new PasteDialog(parentWidget());
    connect(dialog, &PasteDialog::imported, this, &CommandLineMenu::imported);
    dialog->open();
}

void CommandLineMenu::copyPeer()
{
    const PeerCommandLine copied = exportPeerCommandLine(m_spec);
    QGuiApplication::clipboard()->setText(copied.line);
    const QString done = tr("The %1 command line is on the clipboard.").arg(peerOf(m_spec.launcher));
    Q_EMIT said((QStringList(done) + copied.notes).join('\n'_L1));
}

void CommandLineMenu::chooseScript()
{
    QFileDialog *dialog = saveFileDialog(parentWidget(), tr("Save as shell script"),
                                         QDir::current().filePath(m_plan->name + u".sh"_s),
                                         {tr("Shell scripts (*.sh)"), tr("All files (*)")}, u"sh"_s);
    connect(dialog, &QFileDialog::fileSelected, this, &CommandLineMenu::saveScript);
    dialog->open();
}

void CommandLineMenu::saveScript(const QString &path)
{
    if (!m_plan)
        return;
    inBackground(
        this, [plan = *m_plan, path] { return write(exportShellScript(plan), path); },
        [this, path](const std::optional<Error> &error) {
            if (error)
                Q_EMIT failed(*error);
            else
                Q_EMIT said(tr("The script was saved as %1.").arg(path));
        });
}

ProfileMenu::ProfileMenu(QWidget *parent)
    : QMenu(parent)
    , m_save(named(addAction(tr("&Save as…"), this, &ProfileMenu::askForName), "saveProfileAction"))
    , m_end(nullptr)
{
    addAction(tr("&Open file…"), this, &ProfileMenu::chooseFile);
    m_end = insertSeparator(m_save);
    setSpec({});
    connect(this, &QMenu::aboutToShow, this, &ProfileMenu::refresh);
}

void ProfileMenu::setSpec(const LaunchSpec &spec)
{
    m_spec = spec;
    m_save->setEnabled(!spec.command.isEmpty());
}

void ProfileMenu::refresh()
{
    inBackground(this, profileNames, [this](const QStringList &names) { showNames(names); });
}

void ProfileMenu::showNames(const QStringList &names)
{
    if (names == m_names)
        return;
    m_names = names;
    qDeleteAll(m_saved);
    m_saved.clear();
    for (const QString &name : names) {
        // An "&" in a name is not a mnemonic.
        auto *action = new QAction(QString(name).replace('&'_L1, "&&"_L1), this);
        connect(action, &QAction::triggered, this, [this, name] { open(profilePath(name)); });
        m_saved += action;
    }
    insertActions(m_end, m_saved);
}

void ProfileMenu::open(const QString &nameOrPath)
{
    inBackground(
        this, [nameOrPath] { return loadProfile(nameOrPath); },
        [this, nameOrPath](const Result<LaunchSpec> &spec) {
            if (spec)
                Q_EMIT opened(QFileInfo(nameOrPath).completeBaseName(), *spec);
            else
                Q_EMIT failed(spec.error());
        });
}

void ProfileMenu::chooseFile()
{
    QFileDialog *dialog = openFileDialog(parentWidget(), tr("Open a launch profile"),
                                         {tr("Launch profiles (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ProfileMenu::open);
    dialog->open();
}

void ProfileMenu::askForName()
{
    auto *dialog = named(new QInputDialog(parentWidget()), "profileNameDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save as a launch profile"));
    dialog->setLabelText(tr("Its name, or a file that ends in .json:"));
    dialog->setTextValue(m_spec.name);
    dialog->setOkButtonText(tr("&Save"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString &name) {
        if (m_names.contains(name))
            askToReplace(name);
        else
            save(name, false);
    });
    dialog->open();
}

void ProfileMenu::askToReplace(const QString &name)
{
    auto *question = new QMessageBox(parentWidget());
    setUpBox(question, "replaceQuestion", QMessageBox::Question, tr("Replace the profile?"),
             tr("The profile \"%1\" exists already. Replace it?").arg(name));
    const auto *replace = question->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    question->setDefaultButton(question->addButton(QMessageBox::Cancel));
    connect(replace, &QPushButton::clicked, this, [this, name] { save(name, true); });
    question->open();
}

void ProfileMenu::save(const QString &name, bool replace)
{
    inBackground(
        this, [name, spec = m_spec, replace] { return saveProfile(name, spec, replace); },
        [this, name](const std::optional<Error> &error) {
            if (error) {
                Q_EMIT failed(*error);
                return;
            }
            Q_EMIT said(tr("Saved. To launch it: rankdeckctl run %1").arg(name));
            refresh();
        });
}

} // namespace rankdeck
