#pragma once

#include "device/devicesample.h"
#include "device/npusmi/npusmirows.h"

#include <QList>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include <chrono>

namespace rankdeck
{

/// One `npu-smi info watch` for all cards: every few seconds a row for each chip, with what changes fast
/// (power, temperature, how busy it is), until it is stopped.
class DeviceStream : public QObject
{
    Q_OBJECT

public:
    /// What npu-smi takes.
    static constexpr std::chrono::seconds leastInterval{1};
    static constexpr std::chrono::seconds longestInterval{100};

    /// Starts it; what comes of it is told by signals, from the event loop.
    /// @param interval between two rows of a chip, within these.
    /// @param patience with one that prints no row, beyond three intervals.
    DeviceStream(const QString &npuSmi, std::chrono::seconds interval, std::chrono::milliseconds patience);
    ~DeviceStream() override;

    std::chrono::seconds interval() const { return m_interval; }
    /// While it runs; else 0.
    qint64 pid() const { return m_process->processId(); }
    void stop();
    bool isStopped() const { return m_isStopped; }

Q_SIGNALS:
    /// What came together, the newest of each chip.
    void sampled(const QList<rankdeck::DeviceSample> &samples);
    /// The last signal. Without stop(): it could not be started, knows no watch, or does not print line by
    /// line into a pipe.
    void ended();

private:
    void read();
    void tell();

    std::chrono::seconds m_interval;
    QProcess *m_process; ///< May outlive this.
    NpuSmiWatchRows m_rows;
    QList<DeviceSample> m_samples; ///< Not told yet.
    QTimer m_pause;                ///< Until they are: the rows of a moment come together.
    QTimer m_patience;
    bool m_isStopped = false;
};

} // namespace rankdeck
