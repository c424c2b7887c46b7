#include "device/devicestream.h"

#include "device/devicemap.h"
#include "device/toolprocess.h"

#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr qsizetype longestRow = 4096;
constexpr int pauseMs = 100;

} // namespace

DeviceStream::DeviceStream(const QString &npuSmi, std::chrono::seconds interval,
                           std::chrono::milliseconds patience)
    : m_interval(interval)
    , m_process(new QProcess)
{
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &DeviceStream::tell);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { killTool(*m_process); });
    m_patience.start(patience + 3 * m_interval);

    prepareTool(*m_process);
    m_process->setStandardErrorFile(QProcess::nullDevice());
    connect(m_process, &QProcess::readyReadStandardOutput, this, &DeviceStream::read);
    connect(m_process, &QProcess::finished, this, &DeviceStream::ended);
    // From the event loop also where starting fails at once.
    connect(
        m_process, &QProcess::errorOccurred, this,
        [this](QProcess::ProcessError error) {
            if (error == QProcess::FailedToStart)
                Q_EMIT ended();
        },
        Qt::QueuedConnection);
    QStringList command{npuSmi, QStringLiteral("info"), QStringLiteral("watch"), QStringLiteral("-d"),
                        QString::number(m_interval.count())};
    // Older ones fill a block before they write into a pipe.
    const QString lineByLine = QStandardPaths::findExecutable(QStringLiteral("stdbuf"));
    if (!lineByLine.isEmpty())
        command = QStringList{lineByLine, QStringLiteral("-oL")} + command;
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
        const auto before = std::find_if(m_samples.begin(), m_samples.end(), [&](const DeviceSample &other) {
            return other.ids.isSameChip(sample->ids);
        });
        if (before != m_samples.end())
            *before = *sample;
        else if (m_samples.size() < mostChips)
            m_samples << *sample;
        if (!m_pause.isActive())
            m_pause.start();
    }
    if (m_process->bytesAvailable() > longestRow)
        killTool(*m_process);
}

void DeviceStream::tell()
{
    const QList<DeviceSample> samples = std::exchange(m_samples, {});
    Q_EMIT sampled(samples);
}

} // namespace rankdeck
