#pragma once

#include "preflight/preflight.h"
#include "preflight/ranknames.h"

#include <QTimer>
#include <QWidget>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QTabWidget;

namespace rankdeck
{

class ElidedLabel;
class NoteLabel;
class PreflightList;
class SelfTestView;

/// A preflight while it is made and afterwards: its checks, the pictures of its self-test, and what can be
/// done next. Takes values; who makes the preflight is not its matter.
class PreflightPage : public QWidget
{
    Q_OBJECT

public:
    enum class State {
        Empty,    ///< Of no launch.
        Running,  ///<
        Passed,   ///< Nothing failed.
        Failed,   ///< Something did, or it could not be made.
        Cancelled ///< By the user, before its end.
    };

    explicit PreflightPage(QWidget *parent = nullptr);

    /// One begins; what was shown is forgotten. @param launch what is to be launched, in few words.
    void begin(const QString &launch);
    void setProgress(const QString &sentence);
    void add(const PreflightCheck &check);
    /// As far as the self-test is.
    void setSelfTest(const SelfTestResults &results, const RankNames &names);
    /// It has ended, cancelled or not.
    void finish(const PreflightReport &report);
    /// It could not be made. @param sentence why.
    void fail(const QString &sentence);

    State state() const { return m_state; }
    /// What the fields say; remembered from one window to the next.
    PreflightOptions options() const;
    PreflightList *list() const { return m_list; }
    SelfTestView *pictures() const { return m_pictures; }
    /// Write the report as JSON, whole or not at all; how that went is told in a line.
    void saveJson(const QString &path);

public Q_SLOTS:
    /// Asks for that; what is running then ends as cancelled.
    void cancel();
    /// The report as text, to the clipboard.
    void copy();

Q_SIGNALS:
    void cancelWanted();
    void runAgainWanted();
    /// Whatever was found.
    void launchWanted();
    /// In the launch form.
    void changeWanted();
    void closeWanted();

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    QLayout *makeFields();
    QLayout *makeButtons();
    QPushButton *addButton(QLayout *layout, const QString &text, const char *name,
                           void (PreflightPage::*wanted)());
    void setState(State state);
    void showSummary(const QString &summary);
    void colour();
    void showPictures();
    void rememberOptions() const;
    void chooseFile();

    State m_state = State::Empty;
    bool m_isCancelled = false;
    PreflightReport m_report;
    RankNames m_names;
    QTimer m_pictureTimer; ///< Events come by the thousand.
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
    QPushButton *m_cancel = nullptr;
    QPushButton *m_again = nullptr;
    QPushButton *m_copy = nullptr;
    QPushButton *m_save = nullptr;
    QPushButton *m_launch = nullptr;
};

} // namespace rankdeck
