#include "device/npuprocesses.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringList>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("NpuProcesses", text);
}

/// The fields of "| a | b |", without the blanks around them.
QStringList fieldsOf(const QByteArray &line)
{
    const QString row = QString::fromUtf8(line).trimmed();
    if (!row.startsWith(QLatin1Char('|')) || !row.endsWith(QLatin1Char('|')))
        return {};
    QStringList fields = row.mid(1, row.size() - 2).split(QLatin1Char('|'));
    for (QString &field : fields)
        field = field.simplified();
    return fields;
}

/// The whole numbers that a field begins with.
QList<int> numbersOf(const QString &field)
{
    QList<int> numbers;
    const QStringList words = field.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const QString &word : words) {
        bool isNumber = false;
        const int number = word.toInt(&isNumber);
        if (!isNumber || number < 0)
            break;
        numbers << number;
    }
    return numbers;
}

/// Learns from the upper table which NPU and chip is which device.
class DeviceNumbers
{
public:
    void read(const QStringList &fields)
    {
        static const QRegularExpression busId(QStringLiteral("^([0-9A-Fa-f]{4}:[0-9A-Fa-f]{2}:|NA$)"));
        static const QRegularExpression health(QStringLiteral("^(OK|Warning|Alarm|Critical|UNKNOWN)$"));
        if (fields.size() < 3)
            return;
        const bool is950 = fields.size() > 3;
        const QList<int> numbers = numbersOf(fields[0]);
        // A chip has two rows: its NPU with its health, then itself with its bus.
        if (!numbers.isEmpty() &&
            (health.match(fields[1]).hasMatch() || health.match(fields.value(2)).hasMatch()))
            m_npu = numbers[0];
        else if (m_npu >= 0 && busId.match(fields[is950 ? 2 : 1]).hasMatch())
            m_devices.insert({m_npu, numbers.value(0, 0)},
                             numbers.value(1, static_cast<int>(m_devices.size())));
    }
    int deviceOf(int npu, int chip) const { return m_devices.value({npu, chip}, npu); }

private:
    int m_npu = -1;
    QMap<std::pair<int, int>, int> m_devices;
};

} // namespace

QList<NpuProcess> npuProcessesFrom(const QByteArray &text)
{
    DeviceNumbers numbers;
    QList<NpuProcess> found;
    bool isProcessTable = false;
    for (const QByteArray &line : text.split('\n')) {
        const QStringList fields = fieldsOf(line);
        if (fields.value(1).startsWith(QLatin1String("Process id"), Qt::CaseInsensitive)) {
            isProcessTable = true;
            continue;
        }
        if (!isProcessTable) {
            numbers.read(fields);
            continue;
        }
        const QList<int> place = numbersOf(fields.value(0));
        const qint64 pid = fields.value(1).toLongLong();
        if (fields.size() >= 4 && !place.isEmpty() && pid > 0)
            found.append({numbers.deviceOf(place[0], place.value(1, 0)), pid, fields[2]});
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
