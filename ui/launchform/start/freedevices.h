#pragma once

#include "background/iothread.h"
#include "device/sampling/devicesampler.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

#include <QPushButton>
#include <QWidget>

namespace rankdeck
{

class NoteLabel;

/// The facts about an NPU of this machine that matter to a launch.
struct DeviceHere {
    int number = 0;             ///< Device number, as programs use it.
    std::optional<bool> isFree; ///< Nothing if unknown.
    QStringList users;          ///< "python (pid 4711, 300 MB) of bob".
    QString illness;            ///< Its health; empty if that is OK or unknown.
    std::optional<qint64> freeMb;

    bool operator==(const DeviceHere &) const = default;
};

/// Samples the NPUs of this machine while the plan is shown. Lives in a thread of its own: it reads /proc and
/// the user database, and starts programs.
class DeviceWatcher : public QObject
{
    Q_OBJECT

public:
    void setWanted(bool isWanted);

Q_SIGNALS:
    /// Empty if this machine has no NPU.
    void seen(const QList<rankdeck::DeviceHere> &devices);
    void failed(const rankdeck::Error &error);

private:
    std::unique_ptr<DeviceSampler> m_sampler; ///< Null before the first use, and without a source.
};

/// The state of this machine's NPUs for a launch.
struct DeviceOffer {
    QString text;                     ///< The free NPUs, and the users of the others; empty without NPUs.
    QString problem;                  ///< Why the launch should not use its devices; shown first.
    std::optional<LaunchSpec> better; ///< The launch moved to free devices, if needed.
};
DeviceOffer deviceOffer(const QList<DeviceHere> &devices, const LaunchSpec &spec,
                        const std::optional<LaunchPlan> &plan);

/// Shows the NPUs of this machine below the plan of a launch: which are free, who uses the others, whether
/// the launch would use one of those, and a button that moves it to free ones. Hidden for a launch on other
/// nodes, and without NPUs. Samples only while it is on the screen.
class FreeDevices : public QWidget
{
    Q_OBJECT

public:
    FreeDevices();

    QWidget *button() const { return m_button; }
    void setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan);
    /// Starts or ends sampling, as its window is shown or hidden.
    void setWatching(bool isWatching);

Q_SIGNALS:
    void specRequested(const rankdeck::LaunchSpec &spec);

private:
    void refresh();

    IoThread m_thread;
    DeviceWatcher *m_watcher; ///< Lives in and is deleted by m_thread.
    NoteLabel *m_problem;
    NoteLabel *m_note;
    QPushButton *m_button;
    QList<DeviceHere> m_devices;
    QString m_failure; ///< Why the devices cannot be read.
    LaunchSpec m_spec;
    std::optional<LaunchPlan> m_plan;
    std::optional<LaunchSpec> m_better;
};

} // namespace rankdeck
