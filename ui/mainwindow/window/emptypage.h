#pragma once

#include "demo/demolaunch.h"

#include <QWidget>

class QBoxLayout;

namespace rankdeck
{

/// Returns the logs and bundles that were opened last, the newest first.
QStringList recentPaths();
/// Makes `path` the newest of the recent paths, in the settings.
void addRecentPath(const QString &path);
/// The start page, shown before a run is chosen: the first steps, and the paths that were opened last.
class EmptyPage : public QWidget
{
    Q_OBJECT

public:
    EmptyPage();

Q_SIGNALS:
    void launchRequested();
    void pasteRequested();
    void rankTableRequested();
    void logsRequested();
    void bundleRequested();
    void demoRequested(rankdeck::Demo demo);
    /// One of recentPaths().
    void pathRequested(const QString &path);

protected:
    void showEvent(QShowEvent *event) override
    {
        QWidget::showEvent(event);
        showRecent();
    }

private:
    void showRecent();

    QWidget *m_recent = nullptr;
    QBoxLayout *m_layout;
};

} // namespace rankdeck
