#pragma once

#include "launchform/options/launchfields.h"
#include "launchform/saved/recentlaunches.h"

#include <QTimer>

class QScrollArea;

namespace rankdeck
{

class CommandLineMenu;
class FreeDevices;
class LaunchJob;
class PlanPanel;
class PlanPreview;
class ProfileMenu;
struct Preferences;

/// The head of the launch form: fills the form from a pasted command line or a recent launch, and chooses the
/// launcher.
class LaunchHeading : public QWidget
{
    Q_OBJECT

public:
    LaunchHeading();

    void setLauncher(const QString &launcher);
    void setRecent(const QList<RecentLaunch> &launches);
    QList<QWidget *> focusOrder() const { return {m_paste, m_recent, m_launcher}; }

Q_SIGNALS:
    /// The user chose a launcher.
    void launcherChosen(const QString &launcher);
    void recentChosen(const rankdeck::LaunchSpec &spec);
    void pasteRequested();

private:
    QPushButton *m_paste;
    QComboBox *m_launcher;
    ElidedLabel *m_about;
    QComboBox *m_recent;
    QList<RecentLaunch> m_launches;
};

/// The form that defines a launch, shows its plan, and starts it. Not modal; hides itself once the run has
/// started. Closing it while it waits for a rank table cancels the launch.
class LaunchForm : public QDialog
{
    Q_OBJECT

public:
    explicit LaunchForm(QWidget *parent = nullptr);

    void setSpec(const LaunchSpec &spec) { m_fields->setSpec(spec); }
    LaunchSpec spec() const { return m_fields->spec(); }
    /// Returns true if the Launch button would launch; if not, shows what is missing.
    bool canLaunch() const
    {
        return !m_job && m_result && m_result->errors.isEmpty() && !m_fields->hasOwnProblem();
    }
    /// Sets the rank table; the other fields stay as they are.
    void setRankTable(const QString &path);
    /// Adds a launch that was started elsewhere to the recent ones.
    void remember(const LaunchSpec &spec) { m_recent->add(spec); }

public Q_SLOTS:
    /// Asks for a command line to fill the form from.
    void pasteCommandLine();
    /// Does what the Launch button does; while there is a problem it only shows that.
    void launch();
    /// Does what the Preflight button does; while there is no plan it only shows the problem.
    void checkFirst();
    /// Cancels a launch that waits, then hides the form.
    void reject() override;

Q_SIGNALS:
    void launched(const QString &runDirectory);
    /// Emitted when the user wants a preflight; the form is hidden already.
    void preflightRequested(const rankdeck::LaunchSpec &spec);
    /// Emitted when the user wants to see the rank table in the fields.
    void showTableRequested(const QString &path);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    /// Enter presses the button that has the focus, and nothing else: a launch is not started by accident.
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// Fills a form that the user has not edited.
    void takePreferences(const Preferences &preferences);
    QWidget *makeBody();
    QLayout *makeButtons();
    void connectMenus();
    void showError(const Error &error)
    {
        m_lastError = error;
        showProblems();
    }
    void orderFocus();
    void launcherChanged(const QString &launcher);
    void fieldsChanged();
    /// Offers the launch to the menus that copy and save it.
    void offerLaunch(const std::optional<LaunchPlan> &plan);
    void requestPreview();
    void showPreview(const PreviewResult &result);
    void showProblems();
    void showRecent();
    void startJob();
    void endJob();
    void setEditable(bool editable);
    LaunchSpec wantedSpec() const { return withLogsBelow(spec()); }
    /// True also for a plan that cannot be carried out here: the preflight reports all that is missing.
    bool canCheck() const { return !m_job && m_result && m_result->plan && !m_fields->hasOwnProblem(); }

    LaunchHeading *m_heading;
    LaunchFields *m_fields;
    QScrollArea *m_scrollArea;
    PlanPanel *m_plan;
    FreeDevices *m_devices;
    NoteLabel *m_message;
    QPushButton *m_preflightButton;
    QPushButton *m_launchButton;
    QPushButton *m_cancelButton;
    QPushButton *m_closeButton;
    QPushButton *m_profileButton;
    QPushButton *m_commandLineButton;
    CommandLineMenu *m_commandLines;
    ProfileMenu *m_profiles;
    PlanPreview *m_preview;
    RecentLaunches *m_recent;
    LaunchJob *m_job = nullptr;            ///< A child; null while nothing is being launched.
    std::optional<PreviewResult> m_result; ///< The newest preview.
    bool m_isAsked = false;                ///< Launch was pressed before there was a preview.
    std::optional<Error> m_lastError;      ///< Why the last attempt failed, until something is edited.
    QTimer m_lookAgain;                    ///< Previews again: a missing table, for example, may appear.
};

} // namespace rankdeck
