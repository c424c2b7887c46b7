#include "run/journal.h"

#include "run/rundirectory.h"

namespace rankdeck
{

Journal::Journal(const QString &runDirectory)
    : m_file(journalPath(runDirectory))
{
    m_file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered,
                QFileDevice::ReadOwner | QFileDevice::WriteOwner);
}

bool Journal::append(const RunEvent &event)
{
    const QByteArray line = event.toLine() + '\n';
    return m_file.write(line) == line.size();
}

} // namespace rankdeck
