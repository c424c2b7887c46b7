#include "ranktable/deviceaddresses.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QProcess>
#include <QStandardPaths>

namespace rankdeck
{

namespace
{

constexpr int toolLimitMs = 10000;
constexpr qint64 maxConfBytes = 1024 * 1024;
constexpr char driverTools[] = "/usr/local/Ascend/driver/tools";

QString tr(const char *text)
{
    return QCoreApplication::translate("RankTable", text);
}

struct Answer {
    bool isInTime = false;
    QByteArray output;
};

Answer run(const QString &program, const QStringList &arguments, const QDeadlineTimer &deadline)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    if (!process.waitForFinished(static_cast<int>(deadline.remainingTime()))) {
        const bool isStarted = process.state() != QProcess::NotRunning;
        process.kill();
        process.waitForFinished(1000);
        return {!isStarted, {}};
    }
    return {true, process.readAll()};
}

} // namespace

QString hccnToolPath()
{
    QStringList folders;
    const QStringList entries = qEnvironmentVariable("PATH").split(QDir::listSeparator(), Qt::SkipEmptyParts);
    for (const QString &entry : entries) {
        if (QDir::isAbsolutePath(entry))
            folders << entry;
    }
    folders << QLatin1String(driverTools);
    return QStandardPaths::findExecutable(QStringLiteral("hccn_tool"), folders);
}

QString hccnAddress(const QByteArray &output)
{
    const QList<QByteArray> lines = output.split('\n');
    for (const QByteArray &line : lines) {
        const QByteArray text = line.trimmed();
        if (!text.startsWith("ipaddr:"))
            continue;
        const QString word = QString::fromUtf8(text.mid(7)).simplified().section(QLatin1Char(' '), 0, 0);
        const QString address = word.section(QLatin1Char('/'), 0, 0);
        if (!QHostAddress(address).isNull())
            return address;
    }
    return {};
}

DeviceAddresses::DeviceAddresses(const AddressSources &sources)
    : m_tool(sources.hccnTool.isEmpty() ? hccnToolPath() : sources.hccnTool)
    , m_confPath(sources.hccnConf)
{
}

QString DeviceAddresses::find(DeviceId device)
{
    const QString address = askTool(device);
    return address.isEmpty() ? readConf(device) : address;
}

QString DeviceAddresses::askTool(DeviceId device)
{
    if (m_tool.isEmpty()) {
        note(tr("There is no hccn_tool in PATH or %1.").arg(QLatin1String(driverTools)));
        return {};
    }
    const QDeadlineTimer deadline(toolLimitMs);
    for (const QStringList &query :
         {QStringList{QStringLiteral("-ip"), QStringLiteral("-g")},
          {QStringLiteral("-ip"), QStringLiteral("-inet6"), QStringLiteral("-g")}}) {
        const QStringList arguments =
            QStringList{QStringLiteral("-i"), QString::number(device.value)} + query;
        const QString command = m_tool + QLatin1Char(' ') + arguments.join(QLatin1Char(' '));
        const Answer answer = run(m_tool, arguments, deadline);
        if (!answer.isInTime) {
            note(tr("%1 did not answer in %2 s.").arg(command).arg(toolLimitMs / 1000));
            m_tool.clear();
            return {};
        }
        const QString address = hccnAddress(answer.output);
        if (!address.isEmpty())
            return address;
        const QString said = QString::fromUtf8(answer.output).simplified().left(200);
        note(said.isEmpty() ? tr("%1 named no address.").arg(command)
                            : tr("%1 named no address but said \"%2\".").arg(command, said));
    }
    return {};
}

QString DeviceAddresses::readConf(DeviceId device)
{
    if (!m_conf) {
        m_conf.emplace();
        QFile file(m_confPath);
        if (!file.open(QIODevice::ReadOnly)) {
            note(tr("%1 cannot be read: %2.").arg(m_confPath, file.errorString()));
        } else {
            const QList<QByteArray> lines = file.read(maxConfBytes).split('\n');
            for (const QByteArray &line : lines) {
                const QString text = QString::fromUtf8(line);
                m_conf->insert(text.section(QLatin1Char('='), 0, 0).trimmed(),
                               text.section(QLatin1Char('='), 1).trimmed());
            }
        }
    }
    for (const char *key : {"address_", "IPv6address_"}) {
        const QString address = m_conf->value(QLatin1String(key) + QString::number(device.value));
        if (!QHostAddress(address).isNull())
            return address;
    }
    if (QFileInfo::exists(m_confPath))
        note(tr("%1 has no address_%2.").arg(m_confPath).arg(device.value));
    return {};
}

void DeviceAddresses::note(const QString &sentence)
{
    if (!m_lookedFor.contains(sentence))
        m_lookedFor << sentence;
}

} // namespace rankdeck
