#pragma once

#include "demo/demolaunch.h"
#include "launchform/preview/planpreview.h"
#include "widgets/widgetparts.h"

class QMainWindow;

namespace rankdeck
{

class LaunchJob;
enum class LaunchWhen;
class Preflight;
class PreflightPage;

/// Launches without the form, one at a time. Progress is shown in the window's status bar, where the launch
/// can be cancelled; problems in a message box.
class Launching : public QObject
{
    Q_OBJECT

public:
    static constexpr int messageMs = 8000; ///< How long the status bar shows a message.

    /// @param window gets a button to cancel in its status bar.
    explicit Launching(QMainWindow *window);

    void start(const LaunchSpec &spec) { start(spec, LaunchWhen{}); }
    void start(const LaunchSpec &spec, LaunchWhen when);
    void startDemo(Demo demo = Demo::Training);
    bool isBusy() const { return m_job != nullptr; }

Q_SIGNALS:
    void launched(const QString &directory);

private:
    QMainWindow *m_window;
    QPushButton *m_cancel;
    LaunchJob *m_job = nullptr; ///< A child; null if nothing is being launched.
};

/// Runs preflights of launches, one at a time, and shows them in a page. Plans the launch again each time, as
/// the user may have corrected something outside the form.
class Preflighting : public QObject
{
    Q_OBJECT

public:
    /// @param page must outlive this.
    explicit Preflighting(PreflightPage *page, QObject *parent = nullptr);

    /// Starts a preflight; cancels the previous one.
    void start(const LaunchSpec &spec);
    /// Cancels the preflight and plans no launch.
    void stop();
    PreflightPage *page() const { return m_page; }

Q_SIGNALS:
    void launchRequested(const rankdeck::LaunchSpec &spec);
    /// The launch has taken over the fix of a check.
    void changed(const rankdeck::LaunchSpec &spec);

private:
    void make(const PlannedLaunch &planned);
    void cancel();
    void launch();
    void fix(const QString &fix);

    PreflightPage *m_page;
    std::optional<LaunchSpec> m_spec;
    Preflight *m_preflight = nullptr; ///< A child; null while a launch is being planned.
    int m_round = 0;                  ///< Plans of earlier rounds are ignored.
};

} // namespace rankdeck
