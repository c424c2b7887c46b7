#pragma once

#include "base/oneshottimer.h"
#include "device/npusmi/npusmireport.h"
#include "device/sampling/devicesource.h"

#include <QProcess>

#include <chrono>
#include <functional>
#include <memory>

namespace rankdeck
{

/// Kills the tool and deletes `process` once it has exited, without waiting: it may never exit.
void abandonTool(QProcess *process);

/// Returns the path of npu-smi, from PATH or where the driver's package installs it; empty if there is none.
QString npuSmiPath();

/// Runs `npu-smi info` once, which takes a second or more, and reads its output. Blocks; see DeviceSampler
/// for a way that does not. Fails if it fails or does not answer in time; then it is killed with its
/// children, and left alone if even that does not end it.
Result<DeviceReading> askNpuSmi(const QString &npuSmi, std::chrono::milliseconds limit);

/// Ends an object from within its own signals.
struct DeleteLater {
    void operator()(QObject *object) const
    {
        object->disconnect();
        object->deleteLater();
    }
};

/// One `npu-smi info watch` for all cards: every few seconds a row for each chip, with what changes fast.
class DeviceStream : public QObject
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds leastInterval{1}; ///< The range that npu-smi accepts.
    static constexpr std::chrono::seconds longestInterval{100};

    /// Starts the stream; signals are emitted from the event loop only.
    /// @param interval between two rows of a chip, within these.
    /// @param patience with one that prints no row, beyond three intervals.
    DeviceStream(const QString &npuSmi, std::chrono::seconds interval, std::chrono::milliseconds patience);
    ~DeviceStream() override;

    std::chrono::seconds interval() const { return m_interval; }
    qint64 pid() const { return m_process->processId(); } ///< Returns the pid while it runs, else 0.
    void stop();
    bool isStopped() const { return m_isStopped; }

Q_SIGNALS:
    /// The rows that came together, the newest of each chip.
    void sampled(const QList<rankdeck::DeviceSample> &samples);
    /// The last signal. Without stop(): the tool cannot start, has no watch, or prints no lines into pipes.
    void ended();

private:
    void read();

    std::chrono::seconds m_interval;
    QProcess *m_process; ///< May outlive this.
    NpuSmiWatchRows m_rows;
    QList<DeviceSample> m_samples; ///< Not emitted yet.
    OneShotTimer m_pause{100};     ///< Until they are emitted: rows of one moment are emitted together.
    OneShotTimer m_patience;
    bool m_isStopped = false;
};

/// Keeps a DeviceStream running while one is wanted. If one ends without being stopped, no other is started.
class StreamKeeper : public QObject
{
    Q_OBJECT

public:
    /// Returns the interval of the stream to run now; nothing for no stream.
    using WantedInterval = std::function<std::optional<std::chrono::seconds>()>;

    StreamKeeper(QString npuSmi, std::chrono::milliseconds patience, WantedInterval wantedInterval);

    /// Starts or stops the stream by the present interval; another one starts once the old one has exited.
    void update();

Q_SIGNALS:
    void sampled(const QList<rankdeck::DeviceSample> &samples);
    /// The tool runs as a child of this process, or no longer does.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    const QString m_npuSmi;
    const std::chrono::milliseconds m_patience;
    const WantedInterval m_wantedInterval;
    std::unique_ptr<DeviceStream, DeleteLater> m_stream; ///< Until it has ended.
    bool m_cannotStream = false;
};

/// Runs a program once to read its output. Deleting the question kills it; nothing waits for its exit.
class DeviceQuestion : public QObject
{
    Q_OBJECT

public:
    /// Starts the program; signals are emitted from the event loop only.
    DeviceQuestion(QString program, const QStringList &arguments, std::chrono::milliseconds limit);
    ~DeviceQuestion() override;

    /// Returns the pid of the program while it runs, else 0.
    qint64 pid() const { return m_process->processId(); }
    /// Kills the program; of the signals only ended() is to come, and failed() where it cannot be killed.
    void cancel();

Q_SIGNALS:
    /// The standard output, or if that is empty the standard error; may be empty.
    void answered(const QByteArray &output, int exitCode);
    /// Emitted if the program could not be started, printed too much, was ended by a signal, or was killed
    /// because it did not answer in time. Emitted again if it still exists 2 s later: it hangs in the kernel.
    void failed(const rankdeck::Error &error);
    void ended(); ///< The last signal, after either.

private:
    void readOutput();
    void take(QByteArray &kept, const QByteArray &output);
    void finish(int code, QProcess::ExitStatus status);
    void giveUp(const QString &why);
    void complain();

    const QString m_program;
    const std::chrono::milliseconds m_limit;
    QProcess *m_process; ///< Without a parent: it deletes itself when it has exited, however late.
    OneShotTimer m_patience;
    QByteArray m_output;
    QByteArray m_complaints; ///< Standard error.
    bool m_isGivenUp = false;
};

} // namespace rankdeck
