#include "agent/stacks/signalledstacks.h"

#include <QFile>
#include <QFileInfo>

#include <csignal>

namespace rankdeck
{

namespace
{

constexpr int lookMs = 100;
constexpr qint64 settledMs = 400;
constexpr qint64 limitMs = 10'000;
constexpr qint64 mostBytes = 512 * 1024;

} // namespace

QByteArray faulthandlerLines(const QByteArray &log)
{
    QByteArray taken;
    bool isInside = false;
    for (const QByteArray &line : log.split('\n')) {
        const bool isThread = (line.startsWith("Thread 0x") || line.startsWith("Current thread 0x") ||
                               line.startsWith("Stack (most recent call first)"));
        const bool isFrame =
            isInside && (line.startsWith("  File ") || line.startsWith("  <") || line.startsWith("  ..."));
        isInside = isInside || isThread;
        if (isThread && !taken.isEmpty())
            taken += '\n';
        if (isThread || isFrame)
            taken += line + '\n';
    }
    return taken;
}

SignalledStacks::SignalledStacks(const ProcessLook &process, int signalNumber, QString log, QObject *parent)
    : QObject(parent)
    , m_process(process)
    , m_signal(signalNumber)
    , m_log(std::move(log))
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SignalledStacks::look);
}

void SignalledStacks::start()
{
    m_begin = QFileInfo(m_log).size();
    m_sinceStart.start();
    m_sinceGrowth.start();
    m_timer.start();
    QFile status(QStringLiteral("/proc/%1/status").arg(m_process.info.pid));
    const auto now = readProcess(m_process.info.pid);
    ProcessLook look;
    if (status.open(QIODevice::ReadOnly))
        look.caught = caughtSignals(status.readAll());
    const bool isTheSame = now && now->startTime == m_process.info.startTime && look.catches(m_signal);
    if (!isTheSame || ::kill(m_process.info.pid, m_signal) != 0)
        m_begin = -1;
}

QByteArray SignalledStacks::newBytes() const
{
    QFile file(m_log);
    return m_begin >= 0 && file.open(QIODevice::ReadOnly) && file.seek(m_begin) ? file.read(mostBytes)
                                                                                : QByteArray();
}

void SignalledStacks::look()
{
    const QByteArray text = faulthandlerLines(newBytes());
    if (text.size() != m_size) {
        m_size = text.size();
        m_sinceGrowth.start();
    }
    const bool isWhole = !text.isEmpty() && m_sinceGrowth.elapsed() >= settledMs;
    if (!isWhole && m_begin >= 0 && m_sinceStart.elapsed() < limitMs)
        return;
    m_timer.stop();
    Q_EMIT finished(text);
}

} // namespace rankdeck
