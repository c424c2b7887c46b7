#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QMenu>

namespace rankdeck
{

/// The launch profiles of this user, to fill the launch form from and to keep its launch in. Files are read
/// and written in the background.
class ProfileMenu : public QMenu
{
    Q_OBJECT

public:
    explicit ProfileMenu(QWidget *parent = nullptr);

    /// What saving is about.
    void setSpec(const LaunchSpec &spec);
    /// Look for profiles again.
    void refresh();

Q_SIGNALS:
    void opened(const QString &name, const rankdeck::LaunchSpec &spec);
    /// For a status line.
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
    QAction *m_end; ///< Saved profiles stand before it.
    QList<QAction *> m_saved;
    QStringList m_names;
    LaunchSpec m_spec;
};

} // namespace rankdeck
