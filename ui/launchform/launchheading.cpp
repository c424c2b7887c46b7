#include "launchform/launchheading.h"

#include "launch/commandline.h"
#include "launch/launchers.h"
#include "launchform/launcherchoice.h"
#include "state/elidedlabel.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>

namespace rankdeck
{

namespace
{

QString recentText(const RecentLaunch &launch)
{
    constexpr qsizetype maxCommand = 70;
    QString command = joinCommandLine(launch.spec.command);
    if (command.size() > maxCommand)
        command = command.left(maxCommand - 1) + QChar(0x2026);
    const QString name = launch.spec.name.isEmpty() ? QString() : launch.spec.name + QStringLiteral(": ");
    const QString when = QLocale().toString(launch.launched.toLocalTime(), QStringLiteral("d MMM hh:mm"));
    return LaunchHeading::tr("%1%2 (%3, %4)").arg(name, command, launch.spec.launcher, when);
}

} // namespace

LaunchHeading::LaunchHeading(QWidget *parent)
    : QWidget(parent)
    , m_launcher(new QComboBox)
    , m_about(new ElidedLabel)
    , m_recent(new QComboBox)
{
    m_launcher->setObjectName(QStringLiteral("launcherCombo"));
    m_launcher->setAccessibleName(tr("Launcher"));
    m_launcher->addItems(launcherNames());
    QFont bold = m_launcher->font();
    bold.setBold(true);
    m_launcher->setFont(bold);
    connect(m_launcher, &QComboBox::textActivated, this, &LaunchHeading::launcherChosen);
    auto *launcher = new QLabel(tr("Launc&her"));
    launcher->setBuddy(m_launcher);
    m_about->setObjectName(QStringLiteral("launcherAbout"));

    m_recent->setObjectName(QStringLiteral("recentCombo"));
    m_recent->setAccessibleName(tr("Recent launches"));
    m_recent->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_recent->setMinimumContentsLength(16);
    connect(m_recent, &QComboBox::activated, this, &LaunchHeading::chooseRecent);
    auto *recent = new QLabel(tr("Recen&t launches"));
    recent->setBuddy(m_recent);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(launcher);
    layout->addWidget(m_launcher);
    layout->addWidget(m_about, 1);
    layout->addWidget(recent);
    layout->addWidget(m_recent);
    setLauncher(launcherNames().first());
}

void LaunchHeading::setLauncher(const QString &launcher)
{
    m_launcher->setCurrentText(launcher);
    m_about->setText(launcherDescription(launcher));
    m_launcher->setAccessibleDescription(m_about->text());
}

void LaunchHeading::setRecent(const QList<RecentLaunch> &launches)
{
    m_launches = launches;
    m_recent->clear();
    for (const RecentLaunch &launch : launches)
        m_recent->addItem(recentText(launch));
    m_recent->setCurrentIndex(-1);
    m_recent->setEnabled(!launches.isEmpty());
    m_recent->setPlaceholderText(launches.isEmpty() ? tr("None yet") : tr("Choose one to fill the form"));
}

QList<QWidget *> LaunchHeading::focusOrder() const
{
    return {m_launcher, m_recent};
}

void LaunchHeading::chooseRecent(int index)
{
    const LaunchSpec spec = m_launches.value(index).spec;
    // It is a list to take from: the fields may be edited after that, and it would go on naming what they
    // were.
    m_recent->setCurrentIndex(-1);
    Q_EMIT recentChosen(spec);
}

} // namespace rankdeck
