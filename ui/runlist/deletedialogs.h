#pragma once

#include "run/record/rundeletion.h"
#include "widgets/widgetparts.h"

class QRadioButton;
class QSpinBox;

namespace rankdeck
{

/// Asks before runs are deleted, and says what is deleted. Logs outside the run directories are kept by
/// default.
class DeleteQuestion : public QMessageBox
{
    Q_OBJECT

public:
    /// @param runs at least one.
    /// @param refused the reasons why other chosen runs stay, one sentence each.
    DeleteQuestion(const QList<RunFiles> &runs, const QStringList &refused, QWidget *parent = nullptr);

Q_SIGNALS:
    void confirmed(bool withOutsideLogs);

private:
    QCheckBox *m_outside;
};

/// Asks how long runs are kept after their end, and says how many would be deleted now.
class KeepDialog : public QDialog
{
    Q_OBJECT

public:
    KeepDialog(const KeepSetting &setting, const QList<RunSummary> &runs, QWidget *parent = nullptr);

    KeepSetting setting() const;

private:
    void showEffect();

    QList<RunSummary> m_runs;
    QRadioButton *m_forever;
    QRadioButton *m_limited;
    QSpinBox *m_days;
    QLabel *m_effect;
};

} // namespace rankdeck
