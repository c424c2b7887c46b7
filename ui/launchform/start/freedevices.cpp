#include "launchform/start/freedevices.h"

#include "agent/preflight/holders.h"
#include "agent/preflight/preflightcheck.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/program.h"
#include "device/sampling/devicealarm.h"
#include "run/process/processload.h"
#include "widgets/labels.h"
#include "widgets/widgetparts.h"

#include <QLocale>

namespace rankdeck
{

static QString nameOf(const DeviceUser &user)
{
    const QString name = user.process.name.isEmpty() ? DeviceWatcher::tr("a process") : user.process.name;
    QString details = DeviceWatcher::tr("pid %1").arg(user.ownPid > 0 ? user.ownPid : user.process.pid);
    if (user.process.memoryMb)
        details = DeviceWatcher::tr("%1, %2 MB").arg(details).arg(*user.process.memoryMb);
    return user.user.isEmpty() ? DeviceWatcher::tr("%1 (%2)").arg(name, details)
                               : DeviceWatcher::tr("%1 (%2) of %3").arg(name, details, user.user);
}

static QList<DeviceHere> devicesIn(const DeviceReading &reading)
{
    const PidView view = pidViewOfAll();
    QList<DeviceHere> devices;
    for (qsizetype chip = 0; chip < reading.samples.size(); ++chip) {
        const DeviceSample &sample = reading.samples.at(chip);
        DeviceHere device{programNumber(reading.samples, chip), isFree(sample), {}, {}, freeMemoryMb(sample)};
        if (sample.health && *sample.health != DeviceHealth::Ok)
            device.illness = sample.healthWord;
        for (const DeviceUser &user : joinProcesses(sample.processes.value_or(QList<DeviceProcess>()), view))
            device.users << nameOf(user);
        devices << device;
    }
    return devices;
}

/// More users than this are only counted.
constexpr int mostUsersShown = 4;

/// Returns lines such as "Device 0: python (pid 4711) of bob".
static QStringList usersText(const QList<DeviceHere> &devices)
{
    QStringList lines;
    for (const DeviceHere &device : devices) {
        if (!device.users.isEmpty())
            lines << FreeDevices::tr("Device %1: %2")
                         .arg(QString::number(device.number), device.users.join(listComma()));
        else if (!device.illness.isEmpty())
            lines << FreeDevices::tr("Device %1: its health is %2").arg(device.number).arg(device.illness);
    }
    const auto more = static_cast<int>(lines.size()) - mostUsersShown;
    if (more > 0) {
        lines = lines.mid(0, mostUsersShown);
        lines << FreeDevices::tr("and %1 more").arg(more);
    }
    return lines;
}

/// Returns the devices of this machine that the plan uses, ascending.
static QList<int> usedBy(const LaunchPlan &plan)
{
    QList<int> used;
    for (const ProcessPlan &process : plan.processes) {
        const int device = deviceOf(process, QProcessEnvironment::systemEnvironment());
        if (process.role == Role::Worker && process.node == plan.thisNode && !used.contains(device))
            used << device;
    }
    std::ranges::sort(used);
    return used;
}

/// Returns an empty text if there is enough memory, or none is needed.
static QString shortageText(const QList<DeviceHere> &devices, const LaunchPlan &plan, const QList<int> &used)
{
    QList<int> tooFull;
    for (const DeviceHere &device : devices) {
        if (used.contains(device.number) && device.freeMb.value_or(plan.neededHbmMb) < plan.neededHbmMb)
            tooFull << device.number;
    }
    return tooFull.isEmpty() ? QString()
                             : FreeDevices::tr("Less than the required %1 MB of HBM is free on %2.")
                                   .arg(QLocale::c().toString(plan.neededHbmMb), devicesText(tooFull));
}

void DeviceWatcher::setWanted(bool isWanted)
{
    if (isWanted && !m_sampler) {
        const DeviceSource source = findDeviceSource();
        if (source.kind == DeviceSource::Kind::None) {
            Q_EMIT seen({});
            return;
        }
        DeviceSamplerSettings settings;
        settings.helper = rankdeckctlPath() ? *rankdeckctlPath() : QString();
        m_sampler = std::make_unique<DeviceSampler>(source, settings);
        connect(m_sampler.get(), &DeviceSampler::sampled, this,
                [this](const DeviceReading &reading) { Q_EMIT seen(devicesIn(reading)); });
        connect(m_sampler.get(), &DeviceSampler::failed, this, &DeviceWatcher::failed);
    }
    if (m_sampler)
        m_sampler->setWanted(this, isWanted);
}

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
    std::ranges::sort(free);
    QStringList lines{free.isEmpty()
                          ? FreeDevices::tr("NPUs of this machine: %1, none is free.").arg(devices.size())
                          : FreeDevices::tr("NPUs of this machine: %1, free: %2.")
                                .arg(devices.size())
                                .arg(numberRanges(free))};
    offer.text = (lines + usersText(devices)).join('\n'_L1);
    if (!plan)
        return offer;
    const QList<int> used = usedBy(*plan);
    QList<int> held;
    std::ranges::copy_if(used, std::back_inserter(held), [&](int device) { return taken.contains(device); });
    QStringList problems;
    if (!held.isEmpty())
        problems << FreeDevices::tr("This launch uses %1, which is already in use.").arg(devicesText(held));
    if (const QString shortage = shortageText(devices, *plan, used); !shortage.isEmpty())
        problems << shortage;
    offer.problem = problems.join('\n'_L1);
    const bool isOnFreeOnes = std::ranges::all_of(used, [&](int device) { return free.contains(device); });
    if (!isOnFreeOnes)
        offer.better = onDevices(spec, free);
    return offer;
}

FreeDevices::FreeDevices()
    : m_thread(u"devices"_s)
    , m_watcher(new DeviceWatcher)
    , m_problem(new NoteLabel(u"freeDevicesProblem"_s))
    , m_note(new NoteLabel(u"freeDevicesText"_s))
    , m_button(plainButton(tr("&Use free devices"), "useFreeDevicesButton"))
{
    setObjectName(u"freeDevices"_s);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 4, 0, 0);
    auto *notes = new QVBoxLayout;
    notes->setSpacing(2);
    addParts(notes, {m_problem, m_note});
    addParts(layout, {{notes, 1}, {m_button, 0, Qt::AlignTop}});
    hide();
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_better)
            Q_EMIT specRequested(*m_better);
    });
    connect(m_watcher, &DeviceWatcher::seen, this, [this](const QList<DeviceHere> &devices) {
        m_devices = devices;
        m_failure.clear();
        refresh();
    });
    connect(m_watcher, &DeviceWatcher::failed, this, [this](const Error &error) {
        m_devices.clear();
        m_failure = tr("The NPUs of this machine cannot be read: %1").arg(error.sentence());
        refresh();
    });
    m_thread.adopt(m_watcher);
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
