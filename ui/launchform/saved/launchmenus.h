#pragma once

#include "launch/exchange/launchimport.h"
#include "launch/plan/launchplan.h"
#include "widgets/widgetparts.h"

#include <QMenu>

namespace rankdeck
{

class NoteLabel;

/// Imports a command line of msrun, torchrun, davincirun or rankdeckctl; while it is typed, the dialog says
/// which parts cannot be imported. Starts with the clipboard's text if that is such a line. Deletes itself.
class PasteDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PasteDialog(QWidget *parent = nullptr);

Q_SIGNALS:
    void imported(const rankdeck::ImportedLaunch &launch);

private:
    void showImport();
    void importLine();

    QPlainTextEdit *m_line;
    NoteLabel *m_note;
    QPlainTextEdit *m_notes; ///< Scrolls: a long command line may have many notes.
    QPushButton *m_fill;
    std::optional<ImportedLaunch> m_launch;
};

/// The menu that imports a command line into the launch form, and copies or saves the launch as one or as a
/// shell script.
class CommandLineMenu : public QMenu
{
    Q_OBJECT

public:
    explicit CommandLineMenu(QWidget *parent = nullptr);

    /// Sets the launch that is copied or saved.
    /// @param plan of `spec`; without one no script can be saved.
    void setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan);

public Q_SLOTS:
    void paste();

Q_SIGNALS:
    void imported(const rankdeck::ImportedLaunch &launch);
    /// Text for a status line.
    void said(const QString &text);
    void failed(const rankdeck::Error &error);

private:
    void copyPeer();
    void chooseScript();
    void saveScript(const QString &path);

    QAction *m_paste;
    QAction *m_copyPeer;
    QAction *m_copyOwn;
    QAction *m_saveScript;
    LaunchSpec m_spec;
    std::optional<LaunchPlan> m_plan;
};

/// The menu of the user's launch profiles: fills the launch form from one, or saves its launch as one. Files
/// are read and written in the background.
class ProfileMenu : public QMenu
{
    Q_OBJECT

public:
    explicit ProfileMenu(QWidget *parent = nullptr);

    /// Sets the launch that is saved.
    void setSpec(const LaunchSpec &spec);
    /// Looks for profiles again.
    void refresh();

Q_SIGNALS:
    void opened(const QString &name, const rankdeck::LaunchSpec &spec);
    /// Text for a status line.
    void said(const QString &text);
    void failed(const rankdeck::Error &error);

private:
    void showNames(const QStringList &names);
    void open(const QString &nameOrPath);
    void chooseFile();
    void askForName();
    void askToReplace(const QString &name);
    void save(const QString &name, bool replace);

    QAction *m_save;
    QAction *m_end; ///< The saved profiles precede it.
    QList<QAction *> m_saved;
    QStringList m_names;
    LaunchSpec m_spec;
};

} // namespace rankdeck
