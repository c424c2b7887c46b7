#include "device/npuprocesses.h"

#include "device/npusmi/npusmireport.h"

#include <QCoreApplication>
#include <QProcess>
#include <QStandardPaths>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("NpuProcesses", text);
}

} // namespace

QList<NpuProcess> npuProcessesFrom(const QByteArray &text)
{
    QList<NpuProcess> found;
    const QList<DeviceSample> samples = parseNpuSmi(text).samples;
    for (qsizetype index = 0; index < samples.size(); ++index) {
        const DeviceIds &ids = samples[index].ids;
        // Of a process table without the table above it only the card is known.
        int device = samples[index].health ? static_cast<int>(index) : ids.card.value_or(CardId()).value;
        if (ids.logical)
            device = ids.logical->value;
        else if (ids.physical)
            device = ids.physical->value;
        for (const DeviceProcess &process : samples[index].processes.value_or(QList<DeviceProcess>()))
            found.append({device, process.pid, process.name});
    }
    return found;
}

QString npuSmiPath()
{
    const QString name = QStringLiteral("npu-smi");
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? QStandardPaths::findExecutable(
                                 name, {QStringLiteral("/usr/local/sbin"), QStringLiteral("/usr/local/bin")})
                           : found;
}

Result<QList<NpuProcess>> askNpuProcesses(const QString &npuSmi, std::chrono::milliseconds limit)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(npuSmi, {QStringLiteral("info")});
    if (!process.waitForFinished(static_cast<int>(limit.count()))) {
        const QString why = process.state() == QProcess::NotRunning
                                ? process.errorString()
                                : tr("no answer within %1 s").arg(limit.count() / 1000);
        process.kill();
        process.waitForFinished(1000);
        return Error{tr("who uses the NPUs is not known: %1").arg(why), npuSmi, {}};
    }
    const QByteArray text = process.readAllStandardOutput();
    if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0)
        return Error{
            tr("who uses the NPUs is not known: %1").arg(QString::fromUtf8(text.left(200)).simplified()),
            npuSmi,
            {}};
    return npuProcessesFrom(text);
}

} // namespace rankdeck
