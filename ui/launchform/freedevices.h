#pragma once

#include "background/iothread.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "launchform/devicewatcher.h"

#include <QWidget>

class QPushButton;

namespace rankdeck
{

class NoteLabel;

/// What of a launch and of this machine's NPUs there is to be told of each other.
struct DeviceOffer {
    QString text;    ///< Which are free, who uses the others. Empty: there are none.
    QString problem; ///< Why the launch should not use those that it is going to; stands first.
    std::optional<LaunchSpec> better; ///< The launch on free devices, where it is not there already.
};
DeviceOffer deviceOffer(const QList<DeviceHere> &devices, const LaunchSpec &spec,
                        const std::optional<LaunchPlan> &plan);

/// The NPUs of this machine, below the plan of a launch: which are free, who uses the others, whether the
/// launch is going to use one of those, and a button that moves it to free ones. Not there while a launch is
/// for other nodes, or where there is no NPU. Looks only while it is on the screen.
class FreeDevices : public QWidget
{
    Q_OBJECT

public:
    explicit FreeDevices(QWidget *parent = nullptr);

    QWidget *button() const;
    void setLaunch(const LaunchSpec &spec, const std::optional<LaunchPlan> &plan);
    /// Its window has been shown or hidden.
    void setWatching(bool isWatching);

Q_SIGNALS:
    void specWanted(const rankdeck::LaunchSpec &spec);

private:
    void refresh();

    IoThread m_thread;
    DeviceWatcher *m_watcher; ///< Lives in and is deleted by m_thread.
    NoteLabel *m_problem;
    NoteLabel *m_note;
    QPushButton *m_button;
    QList<DeviceHere> m_devices;
    QString m_failure; ///< Why there is nothing newer.
    LaunchSpec m_spec;
    std::optional<LaunchPlan> m_plan;
    std::optional<LaunchSpec> m_better;
};

} // namespace rankdeck
