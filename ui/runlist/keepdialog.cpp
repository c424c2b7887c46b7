#include "runlist/keepdialog.h"

#include <QDateTime>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{
constexpr int suggestedDays = 30;
} // namespace

KeepDialog::KeepDialog(const KeepSetting &setting, const QList<RunSummary> &runs, QWidget *parent)
    : QDialog(parent)
    , m_runs(runs)
    , m_forever(new QRadioButton(tr("Keep runs for &ever"), this))
    , m_limited(new QRadioButton(tr("Delete runs this long after their end:"), this))
    , m_days(new QSpinBox(this))
    , m_effect(new QLabel(this))
{
    setObjectName(QStringLiteral("keepDialog"));
    setWindowTitle(tr("Keep runs"));
    m_forever->setObjectName(QStringLiteral("keepForever"));
    m_limited->setObjectName(QStringLiteral("keepLimited"));
    m_days->setObjectName(QStringLiteral("keepDays"));
    m_days->setAccessibleName(tr("Days"));
    m_days->setRange(1, KeepSetting::mostDays);
    m_days->setSuffix(tr(" days"));
    m_days->setValue(setting.days.value_or(suggestedDays));
    m_effect->setObjectName(QStringLiteral("keepEffect"));
    m_effect->setTextFormat(Qt::PlainText);
    m_effect->setWordWrap(true);
    m_effect->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    (setting.days ? m_limited : m_forever)->setChecked(true);

    auto *limited = new QHBoxLayout;
    limited->addWidget(m_limited);
    limited->addWidget(m_days);
    limited->addStretch();
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_forever);
    layout->addLayout(limited);
    layout->addSpacing(6);
    layout->addWidget(m_effect);
    layout->addStretch();
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_limited, &QRadioButton::toggled, this, &KeepDialog::sayWhatGoes);
    connect(m_days, &QSpinBox::valueChanged, this, &KeepDialog::sayWhatGoes);
    sayWhatGoes();
}

KeepSetting KeepDialog::setting() const
{
    return m_limited->isChecked() ? KeepSetting{m_days->value()} : KeepSetting();
}

void KeepDialog::sayWhatGoes()
{
    m_days->setEnabled(m_limited->isChecked());
    if (!m_limited->isChecked()) {
        m_effect->setText(tr("Nothing is deleted unless you delete it."));
        return;
    }
    const auto count = int(expiredRuns(m_runs, setting(), QDateTime::currentDateTimeUtc()).size());
    const QString now = count == 0   ? tr("None is as old now.")
                        : count == 1 ? tr("One run is older and goes at once.")
                                     : tr("%n runs are older and go at once.", nullptr, count);
    m_effect->setText(
        now + QLatin1Char(' ') +
        tr("From then on this is looked after when a run ends and when the window opens. Logs in "
           "log directories of yours stay."));
}

} // namespace rankdeck
