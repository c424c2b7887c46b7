#include "run/samples/historytail.h"

#include <QFile>
#include <QList>

#include <sys/stat.h>

namespace rankdeck
{

namespace
{

/// What has no end by then is no line of ours.
constexpr qsizetype longestLine = 4 * 1024 * 1024;

} // namespace

void HistoryTail::begin(quint64 file)
{
    m_file = file;
    m_offset = 0;
    m_rest.clear();
    m_heading.clear();
    m_subjects.clear();
    m_last.clear();
}

std::optional<HistoryTail::Piece> HistoryTail::readOn()
{
    QFile file(m_path);
    struct stat status {
    };
    if (!file.open(QIODevice::ReadOnly) || fstat(file.handle(), &status) != 0)
        return std::nullopt;
    const bool isOther = m_file != status.st_ino || status.st_size < m_offset;
    if (isOther)
        begin(status.st_ino);
    if (!file.seek(m_offset))
        return std::nullopt;
    const QByteArray more = file.read(pieceBytes);
    if (more.isEmpty() && !isOther)
        return std::nullopt;
    m_offset += more.size();
    m_rest += more;
    const qsizetype end = m_rest.lastIndexOf('\n') + 1;
    Piece piece{m_heading + m_subjects + m_last + m_rest.left(end), isOther, !m_last.isEmpty()};
    keepLast(m_rest.left(end));
    m_rest.remove(0, m_rest.size() > longestLine ? m_rest.size() : end);
    return piece;
}

void HistoryTail::keepLast(const QByteArray &lines)
{
    for (qsizetype begin = 0; begin < lines.size();) {
        const qsizetype end = lines.indexOf('\n', begin) + 1;
        const QByteArray line = lines.mid(begin, end - begin);
        begin = end;
        if (line.startsWith("S ")) {
            m_last = withoutRepeats(line);
        } else if (line.startsWith('#')) {
            m_heading = line;
        } else if (line.size() > 2 && line[0] >= 'A' && line[0] <= 'Z' && line[1] == ' ') {
            m_subjects = line;
            m_last.clear();
        } else {
            m_last.clear(); // Something is missing here, as HistoryReader sees it.
        }
    }
}

/// With what stood there before in the place of each "=".
QByteArray HistoryTail::withoutRepeats(const QByteArray &moment) const
{
    QList<QByteArray> words = moment.chopped(1).split(' ');
    const QList<QByteArray> before = m_last.chopped(m_last.isEmpty() ? 0 : 1).split(' ');
    for (qsizetype word = 0; word < words.size() && word < before.size(); ++word) {
        if (words[word] == "=")
            words[word] = before[word];
    }
    return words.join(' ') + '\n';
}

} // namespace rankdeck
