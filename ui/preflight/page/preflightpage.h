#pragma once

#include "base/oneshottimer.h"
#include "preflight/pairs/pairtable.h"
#include "preflight/preflight.h"
#include "widgets/labels.h"
#include "widgets/widgetparts.h"

class QSpinBox;

namespace rankdeck
{

class PreflightList;
class SelfTestView;

/// Shows a preflight while it runs and afterwards: its checks, the pictures of its self-test, and what can be
/// done next. Only shows the values it is given; the caller runs the preflight.
class PreflightPage : public QWidget
{
    Q_OBJECT

public:
    enum class State {
        Empty, ///< No preflight yet.
        Running,
        Passed,   ///< Nothing failed.
        Failed,   ///< A check failed, or the preflight could not run.
        Cancelled ///< By the user, before its end.
    };

    PreflightPage();

    /// Clears the page for a new preflight. @param launch a few words about the launch.
    void begin(const QString &launch);
    void setProgress(const QString &sentence) { m_progress->setText(sentence); }
    void add(const PreflightCheck &check);
    /// Shows the results of the self-test so far.
    void setSelfTest(const SelfTestResults &results, const RankNames &names);
    /// Shows the report of a preflight that has ended, cancelled or not.
    void finish(const PreflightReport &report);
    /// Shows that the preflight could not run. @param sentence why.
    void fail(const QString &sentence);

    State state() const { return m_state; }
    /// Returns the options in the fields; they are kept in the settings.
    PreflightOptions options() const;
    PreflightList *list() const { return m_list; }
    SelfTestView *pictures() const { return m_pictures; }
    /// Writes the report as JSON, whole or not at all, and shows how that went.
    void saveJson(const QString &path);

public Q_SLOTS:
    /// Emits cancelRequested(); the preflight then ends as cancelled.
    void cancel();
    /// Copies the report as text to the clipboard.
    void copy();

Q_SIGNALS:
    void cancelRequested();
    void runAgainRequested();
    /// Emitted when the user wants this change of the launch's environment, see PreflightCheck::fix, and
    /// another check.
    void fixRequested(const QString &fix);
    /// Emitted when the user wants to launch, even if checks failed.
    void launchRequested();
    /// Emitted when the user wants to change the launch in the form.
    void changeRequested();
    void closeRequested();

protected:
    void showEvent(QShowEvent *event) override;

private:
    QWidget *makeFields();
    QWidget *makeButtons();
    QPushButton *addButton(QLayout *layout, const QString &text, const char *name,
                           void (PreflightPage::*wanted)());
    void setState(State state);
    void colour();
    /// Offers the fix of the selected check.
    void offerFix();
    void wantFix();
    void showPictures();
    void rememberOptions() const;
    void chooseFile();

    State m_state = State::Empty;
    bool m_isCancelled = false;
    PreflightReport m_report;
    RankNames m_names;
    OneShotTimer m_pictureTimer{200}; ///< Draws the pictures at most every 200 ms.
    ElidedLabel *m_title;
    QLabel *m_summary;
    ElidedLabel *m_progress;
    QLineEdit *m_imports;
    QSpinBox *m_limit;
    QCheckBox *m_onlyProblems;
    QTabWidget *m_tabs;
    PreflightList *m_list;
    SelfTestView *m_pictures;
    NoteLabel *m_note;
    QPushButton *m_fix = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_again = nullptr;
    QPushButton *m_copy = nullptr;
    QPushButton *m_save = nullptr;
    QPushButton *m_launch = nullptr;
};

} // namespace rankdeck
