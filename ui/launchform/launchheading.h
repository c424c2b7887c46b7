#pragma once

#include "launchform/recentlaunches.h"

#include <QWidget>

class QComboBox;

namespace rankdeck
{

class ElidedLabel;

/// The head of the launch form: which launcher, and the launches to take from.
class LaunchHeading : public QWidget
{
    Q_OBJECT

public:
    explicit LaunchHeading(QWidget *parent = nullptr);

    void setLauncher(const QString &launcher);
    void setRecent(const QList<RecentLaunch> &launches);
    QList<QWidget *> focusOrder() const;

Q_SIGNALS:
    /// By the user.
    void launcherChosen(const QString &launcher);
    void recentChosen(const rankdeck::LaunchSpec &spec);

private:
    void chooseRecent(int index);

    QComboBox *m_launcher;
    ElidedLabel *m_about;
    QComboBox *m_recent;
    QList<RecentLaunch> m_launches;
};

} // namespace rankdeck
