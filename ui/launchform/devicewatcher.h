#pragma once

#include "device/devicesampler.h"
#include "result.h"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace rankdeck
{

/// An NPU of this machine, as a launch may want it.
struct DeviceHere {
    int number = 0;             ///< What programs count it by.
    std::optional<bool> isFree; ///< Nothing: it is not known who uses it.
    QStringList users;          ///< "python (pid 4711, 300 MB) of bob".
    QString illness;            ///< What its health is when that is not OK; empty: it is, or is not known.
    std::optional<qint64> freeMb;

    bool operator==(const DeviceHere &) const = default;
};

/// Looks at the NPUs of this machine while it is wanted. Lives in a thread of its own: it asks /proc and the
/// user data base, and starts programs.
class DeviceWatcher : public QObject
{
    Q_OBJECT

public:
    void setWanted(bool isWanted);

Q_SIGNALS:
    /// Empty where this machine has none.
    void seen(const QList<rankdeck::DeviceHere> &devices);
    void failed(const rankdeck::Error &error);

private:
    std::unique_ptr<DeviceSampler> m_sampler; ///< Once it has been wanted and there is a source.
};

} // namespace rankdeck

Q_DECLARE_METATYPE(QList<rankdeck::DeviceHere>)
