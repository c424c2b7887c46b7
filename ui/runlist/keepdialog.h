#pragma once

#include "run/runretention.h"

#include <QDialog>

class QLabel;
class QRadioButton;
class QSpinBox;

namespace rankdeck
{

/// Asks how long runs are kept after their end, and says which would go now.
class KeepDialog : public QDialog
{
    Q_OBJECT

public:
    KeepDialog(const KeepSetting &setting, const QList<RunSummary> &runs, QWidget *parent = nullptr);

    KeepSetting setting() const;

private:
    void sayWhatGoes();

    QList<RunSummary> m_runs;
    QRadioButton *m_forever;
    QRadioButton *m_limited;
    QSpinBox *m_days;
    QLabel *m_effect;
};

} // namespace rankdeck
