#pragma once

#include "launchform/previewresult.h"
#include "result.h"

#include <QDialog>
#include <QTimer>

class QPushButton;
class QScrollArea;

namespace rankdeck
{

class CommandLineMenu;
class FreeDevices;
class LaunchFields;
class LaunchHeading;
class LaunchJob;
class NoteLabel;
class PlanPanel;
class PlanPreview;
class ProfileMenu;
class RecentLaunches;

/// Asks for a launch, shows its plan, and starts it. Not modal; hides itself once the run is started. Closing
/// it while it waits for a rank table cancels the launch.
class LaunchForm : public QDialog
{
    Q_OBJECT

public:
    explicit LaunchForm(QWidget *parent = nullptr);
    ~LaunchForm() override;

    void setSpec(const LaunchSpec &spec);
    LaunchSpec spec() const;
    /// The other fields stay.
    void setRankTable(const QString &path);
    /// It has been launched from elsewhere: offer it again.
    void remember(const LaunchSpec &spec);

public Q_SLOTS:
    /// As the Launch button: nothing happens but a hint while something is wrong.
    void launch();
    /// As the Preflight button: nothing happens but a hint while there is no plan.
    void checkFirst();
    /// Cancels a launch that waits, then hides the form.
    void reject() override;

Q_SIGNALS:
    void launched(const QString &runDirectory);
    /// The form is hidden by then.
    void preflightWanted(const rankdeck::LaunchSpec &spec);
    /// Of the rank table that the fields name.
    void showTableWanted(const QString &path);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    QWidget *makeBody();
    QLayout *makeButtons();
    void connectMenus();
    void showError(const Error &error);
    void orderFocus();
    void launcherChanged(const QString &launcher);
    void fieldsChanged();
    /// To copy and to save.
    void offerLaunch(const std::optional<LaunchPlan> &plan);
    void requestPreview();
    void showPreview(const PreviewResult &result);
    void showProblems();
    void showRecent();
    void startJob();
    void endJob();
    void setEditable(bool editable);
    void askAboutErrors(const TableCheck &check);
    bool canLaunch() const;
    bool canCheck() const;

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
    LaunchJob *m_job = nullptr;            ///< A child; absent while nothing is being launched.
    std::optional<PreviewResult> m_result; ///< Of the newest look.
    std::optional<Error> m_lastError;      ///< Why the last attempt failed, until something is edited.
    QTimer m_lookAgain; ///< What is wrong outside (a table that is not there yet) may be mended outside.
};

} // namespace rankdeck
