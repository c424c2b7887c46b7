#include "device/sampling/devicetool.h"

#include "base/program.h"

#include <QProcessEnvironment>
#include <QStandardPaths>

#include <algorithm>
#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr int killingMs = 1000; ///< Time for a killed tool to end; one that hangs in the kernel does not.
constexpr qsizetype longestRow = 4096;
constexpr qsizetype mostOutput = 1024 * 1024; ///< Ten times what 64 cards print.
constexpr std::chrono::milliseconds killingTime{2000};

struct EndTool {
    void operator()(QProcess *process) const
    {
        // The destructor of a QProcess that cannot be killed would wait for its end.
        if (process->state() == QProcess::NotRunning)
            delete process;
        else
            abandonTool(process);
    }
};

} // namespace

/// Prepares a driver's tool: without input, in English, in its own process group, ending with this process.
static void prepareTool(QProcess &process)
{
    QProcessEnvironment environment = withoutPreload();
    environment.insert(u"LC_ALL"_s, u"C"_s);
    // The driver's tools do not work with it.
    environment.remove(u"ASCEND_RT_VISIBLE_DEVICES"_s);
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setChildProcessModifier([] {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGKILL); // A program that hangs does not outlive who asked.
    });
}

/// Kills the tool with its children.
static void killTool(QProcess &process)
{
    // The process has not been waited for, so its pid cannot have been reused.
    const auto pid = static_cast<pid_t>(process.processId());
    if (pid > 0 && ::kill(-pid, SIGKILL) != 0)
        process.kill(); // The process may not be in its own group yet.
}

void abandonTool(QProcess *process)
{
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
        return;
    }
    QObject::connect(process, &QProcess::finished, process, &QObject::deleteLater);
    killTool(*process);
}

QString npuSmiPath()
{
    const QString name = u"npu-smi"_s;
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(name, {u"/usr/local/sbin"_s, u"/usr/local/bin"_s})
                           : found;
}

Result<DeviceReading> askNpuSmi(const QString &npuSmi, std::chrono::milliseconds limit)
{
    const auto unknown = [&](const QString &why) {
        return Error{tr("the users of the NPUs are unknown: %1").arg(why), npuSmi, {}};
    };
    const QDateTime time = QDateTime::currentDateTimeUtc();
    const std::unique_ptr<QProcess, EndTool> process(new QProcess);
    prepareTool(*process);
    process->setStandardErrorFile(QProcess::nullDevice());
    process->start(npuSmi, {u"info"_s});
    if (!process->waitForFinished(static_cast<int>(limit.count()))) {
        const QString why = process->state() == QProcess::NotRunning
                                ? problemOf(*process)
                                : tr("no answer within %1 s").arg(limit.count() / 1000);
        killTool(*process);
        process->waitForFinished(killingMs);
        return unknown(why);
    }
    const QByteArray text = process->readAllStandardOutput();
    if (process->exitStatus() != QProcess::NormalExit || process->exitCode() != 0)
        return unknown(QString::fromUtf8(text.left(200)).simplified());
    const NpuSmiReport report = parseNpuSmi(text);
    return DeviceReading{DeviceSource::Kind::NpuSmi, time, report.driverVersion, report.samples};
}

DeviceStream::DeviceStream(const QString &npuSmi, std::chrono::seconds interval,
                           std::chrono::milliseconds patience)
    : m_interval(interval)
    , m_process(new QProcess)
{
    connect(&m_pause, &QTimer::timeout, this, [this] { Q_EMIT sampled(std::exchange(m_samples, {})); });
    connect(&m_patience, &QTimer::timeout, this, [this] { killTool(*m_process); });
    m_patience.start(patience + 3 * m_interval);

    prepareTool(*m_process);
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::readyReadStandardOutput, this, &DeviceStream::read);
    connect(m_process, &QProcess::finished, this, &DeviceStream::ended);
    onFailedStart(
        *m_process, this, [this] { Q_EMIT ended(); }, Qt::QueuedConnection);
    QStringList command{npuSmi, u"info"_s, u"watch"_s, u"-d"_s, QString::number(m_interval.count())};
    // Older ones fill a block before they write into a pipe.
    const QString lineByLine = QStandardPaths::findExecutable(u"stdbuf"_s);
    if (!lineByLine.isEmpty())
        command = QStringList{lineByLine, u"-oL"_s} + command;
    m_process->start(command.first(), command.mid(1));
}

DeviceStream::~DeviceStream()
{
    m_process->disconnect(this);
    abandonTool(m_process);
}

void DeviceStream::stop()
{
    m_isStopped = true;
    m_pause.stop();
    killTool(*m_process);
}

void DeviceStream::read()
{
    while (m_process->canReadLine()) {
        const auto sample = m_rows.addLine(m_process->readLine().chopped(1));
        if (!sample || m_isStopped)
            continue;
        m_patience.start();
        if (DeviceSample *before = sampleOf(m_samples, sample->ids))
            *before = *sample;
        else if (m_samples.size() < mostChips)
            m_samples << *sample;
        if (!m_pause.isActive())
            m_pause.start();
    }
    if (m_process->bytesAvailable() > longestRow)
        killTool(*m_process);
}

StreamKeeper::StreamKeeper(QString npuSmi, std::chrono::milliseconds patience, WantedInterval wantedInterval)
    : m_npuSmi(std::move(npuSmi))
    , m_patience(patience)
    , m_wantedInterval(std::move(wantedInterval))
{
}

void StreamKeeper::update()
{
    const auto interval = m_cannotStream ? std::nullopt : m_wantedInterval();
    if (m_stream) {
        if (m_stream->interval() != interval)
            m_stream->stop();
        return;
    }
    if (!interval)
        return;
    m_stream.reset(new DeviceStream(m_npuSmi, *interval, m_patience));
    connect(m_stream.get(), &DeviceStream::sampled, this, &StreamKeeper::sampled);
    const qint64 pid = m_stream->pid();
    connect(m_stream.get(), &DeviceStream::ended, this, [this, pid] {
        if (pid > 0)
            Q_EMIT toolEnded(pid);
        m_cannotStream = m_cannotStream || !m_stream->isStopped();
        m_stream.reset();
        update();
    });
    if (pid > 0)
        Q_EMIT toolStarted(pid);
}

DeviceQuestion::DeviceQuestion(QString program, const QStringList &arguments, std::chrono::milliseconds limit)
    : m_program(std::move(program))
    , m_limit(limit)
    , m_process(new QProcess)
{
    prepareTool(*m_process);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &DeviceQuestion::readOutput);
    connect(m_process, &QProcess::readyReadStandardError, this, &DeviceQuestion::readOutput);
    connect(m_process, &QProcess::finished, this, &DeviceQuestion::finish);
    const auto tellFailure = [this] {
        m_patience.stop();
        Q_EMIT failed({tr("cannot be started: %1").arg(problemOf(*m_process)), m_program, {}});
        Q_EMIT ended();
    };
    onFailedStart(*m_process, this, tellFailure, Qt::QueuedConnection);
    connect(&m_patience, &QTimer::timeout, this, &DeviceQuestion::complain);
    m_patience.start(limit);
    m_process->start(m_program, arguments);
}

DeviceQuestion::~DeviceQuestion()
{
    m_process->disconnect(this);
    abandonTool(m_process); // Its destructor would wait for the end, which may never come.
}

void DeviceQuestion::readOutput()
{
    take(m_output, m_process->readAllStandardOutput());
    take(m_complaints, m_process->readAllStandardError());
}

void DeviceQuestion::take(QByteArray &kept, const QByteArray &output)
{
    if (m_isGivenUp)
        return;
    kept += output;
    if (kept.size() > mostOutput)
        giveUp(tr("prints endlessly"));
}

void DeviceQuestion::cancel()
{
    m_isGivenUp = true;
    m_output.clear();
    m_complaints.clear();
    killTool(*m_process);
    m_patience.start(killingTime);
}

void DeviceQuestion::giveUp(const QString &why)
{
    cancel();
    Q_EMIT failed({why, m_program, {}});
}

void DeviceQuestion::complain()
{
    if (!m_isGivenUp) {
        giveUp(
            tr("did not answer within %1 s and was killed").arg(static_cast<double>(m_limit.count()) / 1000));
        return;
    }
    Q_EMIT failed(
        {tr("cannot be killed: it hangs in the kernel (pid %1)").arg(m_process->processId()), m_program,
         tr("It is queried again after that process has ended; see dmesg for messages of the driver.")});
}

void DeviceQuestion::finish(int code, QProcess::ExitStatus status)
{
    m_patience.stop();
    readOutput();
    if (!m_isGivenUp) {
        const QByteArray output = m_output.trimmed().isEmpty() ? m_complaints : m_output;
        if (status != QProcess::NormalExit)
            Q_EMIT failed({tr("was ended by signal %1").arg(code), m_program, {}});
        else
            Q_EMIT answered(output.left(mostOutput), code);
    }
    Q_EMIT ended();
}

} // namespace rankdeck
