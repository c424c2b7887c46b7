#include "launchform/profilemenu.h"

#include "background/inbackground.h"
#include "launch/launchprofile.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>

namespace rankdeck
{

ProfileMenu::ProfileMenu(QWidget *parent)
    : QMenu(parent)
    , m_save(addAction(tr("&Save as…"), this, &ProfileMenu::askForName))
    , m_end(nullptr)
{
    m_save->setObjectName(QStringLiteral("saveProfileAction"));
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
        // An "&" of a name is no mnemonic.
        auto *action = new QAction(QString(name).replace(QLatin1Char('&'), QLatin1String("&&")), this);
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
    auto *dialog = new QFileDialog(parentWidget(), tr("Open a launch profile"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Launch profiles (*.json)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, &ProfileMenu::open);
    dialog->open();
}

void ProfileMenu::askForName()
{
    auto *dialog = new QInputDialog(parentWidget());
    dialog->setObjectName(QStringLiteral("profileNameDialog"));
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
    auto *question = new QMessageBox(QMessageBox::Question, tr("Replace the profile?"),
                                     tr("There is a profile \"%1\" already. Replace it?").arg(name),
                                     QMessageBox::Cancel, parentWidget());
    question->setObjectName(QStringLiteral("replaceQuestion"));
    question->setTextFormat(Qt::PlainText);
    question->setAttribute(Qt::WA_DeleteOnClose);
    const auto *replace = question->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    question->setDefaultButton(QMessageBox::Cancel);
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
            Q_EMIT said(tr("Saved. It is launched by: rankdeckctl run %1").arg(name));
            refresh();
        });
}

} // namespace rankdeck
