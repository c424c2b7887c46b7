#include "device/asknpusmi.h"

#include "device/npusmi/npusmireport.h"
#include "device/toolprocess.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

#include <memory>

namespace rankdeck
{

namespace
{

/// What can be killed at all has ended by then.
constexpr int killingTime = 1000;

struct EndTool {
    void operator()(QProcess *process) const
    {
        // The destructor of one that cannot be killed would wait for its end.
        if (process->state() == QProcess::NotRunning)
            delete process;
        else
            abandonTool(process);
    }
};

QString tr(const char *text)
{
    return QCoreApplication::translate("AskNpuSmi", text);
}

} // namespace

QString npuSmiPath()
{
    const QString name = QStringLiteral("npu-smi");
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(
                                 name, {QStringLiteral("/usr/local/sbin"), QStringLiteral("/usr/local/bin")})
                           : found;
}

Result<DeviceReading> askNpuSmi(const QString &npuSmi, std::chrono::milliseconds limit)
{
    DeviceReading reading;
    reading.source = DeviceSource::Kind::NpuSmi;
    reading.time = QDateTime::currentDateTimeUtc();
    const std::unique_ptr<QProcess, EndTool> process(new QProcess);
    prepareTool(*process);
    process->setStandardErrorFile(QProcess::nullDevice());
    process->start(npuSmi, {QStringLiteral("info")});
    if (!process->waitForFinished(static_cast<int>(limit.count()))) {
        const QString why = process->state() == QProcess::NotRunning
                                ? process->errorString()
                                : tr("no answer within %1 s").arg(limit.count() / 1000);
        killTool(*process);
        process->waitForFinished(killingTime);
        return Error{tr("who uses the NPUs is not known: %1").arg(why), npuSmi, {}};
    }
    const QByteArray text = process->readAllStandardOutput();
    if (process->exitStatus() != QProcess::NormalExit || process->exitCode() != 0)
        return Error{
            tr("who uses the NPUs is not known: %1").arg(QString::fromUtf8(text.left(200)).simplified()),
            npuSmi,
            {}};
    const NpuSmiReport report = parseNpuSmi(text);
    reading.driverVersion = report.driverVersion;
    reading.samples = report.samples;
    return reading;
}

} // namespace rankdeck
