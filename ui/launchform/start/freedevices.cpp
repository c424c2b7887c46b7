#include "launchform/freedevices.h"

#include "agent/preflight/holders.h"
#include "launch/chosendevices.h"
#include "numberranges.h"
#include "state/notelabel.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Of a machine where all are in use the rest is counted.
constexpr int mostUsersShown = 4;

QString devicesText(const QList<int> &devices)
{
    return devices.size() == 1 ? FreeDevices::tr("device %1").arg(devices.first())
                               : FreeDevices::tr("devices %1").arg(numberRanges(devices));
}

/// Who uses what: "device 0: python (pid 4711) of bob".
QStringList usersText(const QList<DeviceHere> &devices)
{
    QStringList lines;
    for (const DeviceHere &device : devices) {
        if (!device.users.isEmpty())
            lines << FreeDevices::tr("Device %1: %2")
                         .arg(QString::number(device.number), device.users.join(QStringLiteral(", ")));
        else if (!device.illness.isEmpty())
            lines << FreeDevices::tr("Device %1: its health is %2").arg(device.number).arg(device.illness);
    }
    const auto more = static_cast<int>(lines.size()) - mostUsersShown;
    if (more > 0) {
        lines = lines.mid(0, mostUsersShown);
        lines << FreeDevices::tr("and %n more", nullptr, more);
    }
    return lines;
}

/// What the workers of the plan are going to use here, ascending.
QList<int> usedBy(const LaunchPlan &plan)
{
    QList<int> used;
    for (const ProcessPlan &process : plan.processes) {
        const int device = deviceOf(process, QProcessEnvironment::systemEnvironment());
        if (process.role == Role::Worker && process.node == plan.thisNode && !used.contains(device))
            used << device;
    }
    std::sort(used.begin(), used.end());
    return used;
}

/// Nothing when no memory is needed, or there is enough.
QString shortageText(const QList<DeviceHere> &devices, const LaunchPlan &plan, const QList<int> &used)
{
    QList<int> tooFull;
    for (const DeviceHere &device : devices) {
        if (used.contains(device.number) && device.freeMb.value_or(plan.neededHbmMb) < plan.neededHbmMb)
            tooFull << device.number;
    }
    return tooFull.isEmpty() ? QString()
                             : FreeDevices::tr("Of the %1 MB of HBM that a rank needs less is free on %2.")
                                   .arg(QLocale::c().toString(plan.neededHbmMb), devicesText(tooFull));
}

} // namespace

DeviceOffer deviceOffer(const QList<DeviceHere> &devices, const LaunchSpec &spec,
                        const std::optional<LaunchPlan> &plan)
{
    DeviceOffer offer;
    if (devices.isEmpty() || spec.nodes.isForNodes())
        return offer;
    QList<int> free;
    QList<int> taken;
    for (const DeviceHere &device : devices) {
        if (device.isFree.value_or(false) &&
            device.freeMb.value_or(spec.common.neededHbmMb) >= spec.common.neededHbmMb)
            free << device.number;
        else if (!device.isFree.value_or(true))
            taken << device.number;
    }
    std::sort(free.begin(), free.end());
    const QString count = FreeDevices::tr("NPUs of this machine: %1").arg(devices.size());
    QStringList lines{free.isEmpty() ? FreeDevices::tr("%1, none is free.").arg(count)
                                     : FreeDevices::tr("%1, free: %2.").arg(count, numberRanges(free))};
    offer.text = (lines + usersText(devices)).join(QLatin1Char('\n'));
    if (!plan)
        return offer;
    const QList<int> used = usedBy(*plan);
    QList<int> held;
    std::copy_if(used.begin(), used.end(), std::back_inserter(held),
                 [&](int device) { return taken.contains(device); });
    QStringList problems;
    if (!held.isEmpty())
        problems << FreeDevices::tr("This launch is going to use %1, in use already.").arg(devicesText(held));
    if (const QString shortage = shortageText(devices, *plan, used); !shortage.isEmpty())
        problems << shortage;
    offer.problem = problems.join(QLatin1Char('\n'));
    const bool isOnFreeOnes =
        std::all_of(used.begin(), used.end(), [&](int device) { return free.contains(device); });
    if (!isOnFreeOnes)
        offer.better = onDevices(spec, free);
    return offer;
}

FreeDevices::FreeDevices(QWidget *parent)
    : QWidget(parent)
    , m_thread(QStringLiteral("devices"))
    , m_watcher(new DeviceWatcher)
    , m_problem(new NoteLabel(QStringLiteral("freeDevicesProblem")))
    , m_note(new NoteLabel(QStringLiteral("freeDevicesText")))
    , m_button(new QPushButton(tr("&Use free devices")))
{
    setObjectName(QStringLiteral("freeDevices"));
    m_button->setObjectName(QStringLiteral("useFreeDevicesButton"));
    m_button->setAutoDefault(false);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 0, 0);
    auto *notes = new QVBoxLayout;
    notes->setSpacing(2);
    notes->addWidget(m_problem);
    notes->addWidget(m_note);
    layout->addLayout(notes, 1);
    layout->addWidget(m_button, 0, Qt::AlignTop);
    hide();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_better)
            Q_EMIT specWanted(*m_better);
    });
    qRegisterMetaType<QList<DeviceHere>>();
    qRegisterMetaType<Error>();
    connect(m_watcher, &DeviceWatcher::seen, this, [this](const QList<DeviceHere> &devices) {
        m_devices = devices;
        m_failure.clear();
        refresh();
    });
    connect(m_watcher, &DeviceWatcher::failed, this, [this](const Error &error) {
        // What was seen before is no longer so.
        m_devices.clear();
        m_failure = tr("The NPUs of this machine cannot be read: %1").arg(error.sentence());
        refresh();
    });
    m_thread.adopt(m_watcher);
}

QWidget *FreeDevices::button() const
{
    return m_button;
}

void FreeDevices::setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan)
{
    m_spec = spec;
    m_plan = plan;
    refresh();
}

void FreeDevices::setWatching(bool isWatching)
{
    QMetaObject::invokeMethod(
        m_watcher, [watcher = m_watcher, isWatching] { watcher->setWanted(isWatching); },
        Qt::QueuedConnection);
}

void FreeDevices::refresh()
{
    const DeviceOffer offer = deviceOffer(m_devices, m_spec, m_plan);
    m_better = offer.better;
    const bool isForHere = !m_spec.nodes.isForNodes();
    m_note->setHelp(m_failure.isEmpty() ? offer.text : m_failure);
    m_problem->setProblem(offer.problem);
    m_problem->setVisible(!offer.problem.isEmpty());
    m_button->setVisible(m_better.has_value());
    setVisible(isForHere && !(offer.text.isEmpty() && m_failure.isEmpty()));
}

} // namespace rankdeck
