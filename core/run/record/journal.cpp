#include "run/record/journal.h"

#include "run/record/rundirectory.h"
#include "run/record/runevent.h"

#include <QFileInfo>

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

/// Thousands of events: a disk that stays full must not fill the memory too.
constexpr qsizetype mostWaitingBytes = 4 * 1024 * 1024;
/// Room for the ends of some hundred processes.
constexpr qint64 keptBytes = 128 * 1024;

constexpr auto openMode = QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered;
constexpr auto permissions = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

Journal::Journal(const QString &runDirectory)
    : m_file(journalPath(runDirectory))
{
    if (m_file.open(openMode, permissions))
        endTornLine();
}

Journal::~Journal()
{
    if (m_keptUntil > 0)
        m_file.resize(m_file.size());
}

void Journal::endTornLine()
{
    char last = '\n';
    const qint64 size = m_file.size();
    if (size > 0 && pread(m_file.handle(), &last, 1, size - 1) == 1 && last != '\n')
        m_waiting = "\n";
}

bool Journal::append(const RunEvent &event)
{
    const QByteArray line = event.toLine() + '\n';
    if (m_waiting.size() + line.size() > mostWaitingBytes && !writeWaiting()) {
        ++m_lost;
        return false;
    }
    m_waiting += line;
    return writeWaiting();
}

bool Journal::writeWaiting()
{
    if (!m_waiting.isEmpty()) {
        const ssize_t written =
            write(m_file.handle(), m_waiting.constData(), static_cast<size_t>(m_waiting.size()));
        if (written > 0)
            m_waiting.remove(0, written);
    }
    return m_waiting.isEmpty();
}

void Journal::tend()
{
    if (!writeWaiting())
        return;
    if (m_lost > 0)
        append(RunEvent::now(
            events::Note{Sentence::tr("%n events could not be written here.",
                                      "One event could not be written here.", std::exchange(m_lost, 0))}));
    const qint64 end = size();
    // Blocks after the end that no other file can take; not every file system can do this.
    if (m_keptUntil - end < keptBytes / 2 &&
        fallocate(m_file.handle(), FALLOC_FL_KEEP_SIZE, end, keptBytes) == 0)
        m_keptUntil = end + keptBytes;
}

bool Journal::restoreIfGone()
{
    if (QFileInfo::exists(m_file.fileName()))
        return false;
    QByteArray text(size(), Qt::Uninitialized);
    const ssize_t read = pread(m_file.handle(), text.data(), static_cast<size_t>(text.size()), 0);
    QFile anew(m_file.fileName());
    if (read != text.size() || !anew.open(QIODevice::WriteOnly | QIODevice::NewOnly, permissions))
        return false;
    anew.close();
    m_file.close();
    m_waiting.prepend(text);
    m_keptUntil = 0;
    if (m_file.open(openMode, permissions))
        writeWaiting();
    return true;
}

} // namespace rankdeck
