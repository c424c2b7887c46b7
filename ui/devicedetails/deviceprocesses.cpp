#include "devicedetails/deviceprocesses.h"

#include "devicedetails/devicecolumns.h"

#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

enum Column { WhoseColumn, NameColumn, PidColumn, UserColumn, MemoryColumn };

QLabel *plainLabel(QWidget *parent, const char *name)
{
    auto *const label = new QLabel(parent);
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

QString nameOf(const LaunchPlan &plan, int process)
{
    if (process < 0 || static_cast<std::size_t>(process) >= plan.processes.size())
        return {};
    const ProcessPlan &its = plan.processes[static_cast<std::size_t>(process)];
    return its.role == Role::Worker ? DeviceProcesses::tr("rank %1").arg(its.rank.value)
                                    : DeviceProcesses::tr("scheduler");
}

} // namespace

DeviceProcesses::DeviceProcesses(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel(this, "deviceProcessesTitle"))
    , m_list(new QTreeWidget(this))
    , m_note(plainLabel(this, "deviceProcessesNote"))
{
    m_list->setObjectName(QStringLiteral("deviceProcesses"));
    m_list->setAccessibleName(tr("Processes on the NPU"));
    m_list->setHeaderLabels({tr("Whose"), tr("Process"), tr("Pid"), tr("User"), tr("MB")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_title->setBuddy(m_list);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_title);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_note);
    clear();
}

void DeviceProcesses::clear()
{
    m_shown = {};
    m_list->clear();
    m_title->clear();
    m_note->hide();
}

void DeviceProcesses::setProcess(const LaunchPlan &plan, int process, const RunSamples::Sample *sample,
                                 const QDateTime &oldSince)
{
    Shown shown;
    shown.process = process;
    shown.oldSince = oldSince;
    if (!oldSince.isValid() && sample && sample->device) {
        shown.users = sample->users;
        shown.codes = sample->device->errorCodes.value_or(QList<quint32>());
        shown.untold = sample->untoldUsers();
    }
    if (shown == m_shown)
        return;
    m_shown = shown;
    fill(plan);
}

void DeviceProcesses::fill(const LaunchPlan &plan)
{
    m_title->setText(tr("Processes on the NPU of %1").arg(nameOf(plan, m_shown.process)));
    m_list->clear();
    for (const DeviceUser &user : std::as_const(m_shown.users)) {
        auto *const item = new QTreeWidgetItem(m_list);
        item->setText(WhoseColumn, user.isForeign() ? tr("⚠ not of this run") : nameOf(plan, user.owner));
        item->setText(NameColumn, user.process.name);
        item->setText(PidColumn, QString::number(user.process.pid));
        item->setText(UserColumn, user.user);
        if (user.process.memoryMb)
            item->setText(MemoryColumn, QString::number(*user.process.memoryMb));
        for (const Column column : {PidColumn, MemoryColumn})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int column = 0; column < m_list->columnCount(); ++column)
        m_list->resizeColumnToContents(column);
    QStringList notes;
    if (m_shown.oldSince.isValid())
        notes << tr("It has not been read since %1.")
                     .arg(m_shown.oldSince.toLocalTime().toString(QStringLiteral("HH:mm:ss")));
    else if (!m_shown.untold && m_shown.users.isEmpty())
        notes << tr("Which processes use it is not known.");
    else if (m_shown.untold.value_or(0) > 0)
        notes << (m_shown.users.isEmpty() ? tr("Whose the processes on it are is not known.")
                                          : tr("Whose the others on it are is not known."))
              << whyUsersAreUntold();
    else if (m_shown.users.isEmpty())
        notes << tr("No process uses it.");
    QStringList codes;
    for (const quint32 code : std::as_const(m_shown.codes))
        codes << QStringLiteral("0x") + QStringLiteral("%1").arg(code, 8, 16, QLatin1Char('0')).toUpper();
    if (!codes.isEmpty())
        notes << tr("It reports %1.").arg(codes.join(QStringLiteral(", ")));
    m_note->setText(notes.join(QLatin1Char(' ')));
    m_note->setVisible(!notes.isEmpty());
}

} // namespace rankdeck
