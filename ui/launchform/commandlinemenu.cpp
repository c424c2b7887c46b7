#include "launchform/commandlinemenu.h"

#include "background/inbackground.h"
#include "launch/launchexport.h"
#include "launchform/pastedialog.h"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QSaveFile>

namespace rankdeck
{

namespace
{

/// The launcher that a command line is copied for.
QString peerOf(const QString &launcher)
{
    return launcher == QLatin1String("processes") ? QStringLiteral("torchrun") : launcher;
}

std::optional<Error> write(const QString &text, const QString &path)
{
    const QByteArray content = text.toUtf8();
    QSaveFile file(path);
    const auto mode = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() &&
        file.setPermissions(mode) && file.commit())
        return std::nullopt;
    return Error{CommandLineMenu::tr("the script cannot be written: %1").arg(file.errorString()), path,
                 CommandLineMenu::tr("Choose another place.")};
}

} // namespace

CommandLineMenu::CommandLineMenu(QWidget *parent)
    : QMenu(parent)
    , m_paste(addAction(tr("&Paste a command line…"), this, &CommandLineMenu::paste))
    , m_copyPeer(addAction(QString(), this, &CommandLineMenu::copyPeer))
    , m_copyOwn(addAction(tr("Copy as &rankdeckctl command line"), this, &CommandLineMenu::copyOwn))
    , m_saveScript(addAction(tr("&Save as shell script…"), this, &CommandLineMenu::chooseScript))
{
    m_paste->setObjectName(QStringLiteral("pasteAction"));
    m_paste->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V));
    m_copyPeer->setObjectName(QStringLiteral("copyPeerAction"));
    m_copyOwn->setObjectName(QStringLiteral("copyOwnAction"));
    m_saveScript->setObjectName(QStringLiteral("saveScriptAction"));
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
    Q_EMIT said((QStringList(done) + copied.notes).join(QLatin1Char('\n')));
}

void CommandLineMenu::copyOwn()
{
    QGuiApplication::clipboard()->setText(exportCommandLine(m_spec));
    Q_EMIT said(tr("The rankdeckctl command line is on the clipboard."));
}

void CommandLineMenu::chooseScript()
{
    auto *dialog = new QFileDialog(parentWidget(), tr("Save as shell script"),
                                   QDir::current().filePath(m_plan->name + QStringLiteral(".sh")),
                                   tr("Shell scripts (*.sh);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("sh"));
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

} // namespace rankdeck
