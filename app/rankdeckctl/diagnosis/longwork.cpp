#include "rankdeckctl/diagnosis/longwork.h"

#include "base/textcells.h"
#include "run/process/unixsignals.h"

#include <QLocale>

#include <csignal>

#include <sys/ioctl.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 silentMs = 1000;
constexpr qint64 betweenMs = 200;

static volatile std::sig_atomic_t signalOfCancelling = 0;

/// Writes to the terminal as far as it takes it: the line is only news.
static void writeNews(const QByteArray &bytes)
{
    [[maybe_unused]] const ssize_t written =
        ::write(STDERR_FILENO, bytes.constData(), std::size_t(bytes.size()));
}

LongWork::LongWork()
    : m_isOnTerminal(isatty(STDERR_FILENO) != 0)
{
    m_clock.start();
    struct sigaction action = {};
    action.sa_handler = [](int number) {
        signalOfCancelling = number;
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        if (!isIgnored(number))
            sigaction(number, &action, nullptr);
    }
}

int LongWork::cancelledBy()
{
    return signalOfCancelling;
}

LongReading LongWork::reading()
{
    return {[this] {
                show();
                return isCancelled();
            },
            [this](qint64 doneBytes, qint64 allBytes) {
                tell(doneBytes, allBytes);
            }};
}

void LongWork::tell(qint64 doneBytes, qint64 allBytes)
{
    m_done = doneBytes;
    m_all = allBytes;
    show();
}

void LongWork::show()
{
    const qint64 now = m_clock.elapsed();
    if (!m_isOnTerminal || now < silentMs || now - m_shownAt < betweenMs)
        return;
    m_shownAt = now;
    const auto sizeText = [](qint64 bytes) {
        return QLocale::c().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
    };
    QString text = tr("Reading logs");
    if (m_all > 0)
        text = tr("Reading logs: %1 %, %2 of %3")
                   .arg(QString::number(m_done * 100 / m_all), sizeText(m_done), sizeText(m_all));
    winsize size = {};
    constexpr qsizetype usual = 80;
    const qsizetype width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
    while (!text.isEmpty() && cellWidth(text) >= width)
        text.chop(1);
    const qsizetype cells = cellWidth(text);
    writeNews('\r' + text.toUtf8() + QByteArray(std::max<qsizetype>(0, m_cells - cells), ' '));
    m_cells = cells;
}

void LongWork::wipe()
{
    if (m_cells > 0)
        writeNews('\r' + QByteArray(m_cells, ' ') + '\r');
    m_cells = 0;
}

} // namespace rankdeck
