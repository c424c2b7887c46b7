#include "log/linefinder.h"

#include "log/ansidecoder.h"

#include <cstring>

namespace rankdeck
{

namespace
{

/// The line that begins at `from`, without its end.
QByteArrayView lineAt(QByteArrayView lines, qsizetype from)
{
    const QByteArrayView rest = lines.sliced(from);
    const void *const newline = std::memchr(rest.data(), '\n', std::size_t(rest.size()));
    return newline ? rest.first(static_cast<const char *>(newline) - rest.data()) : rest;
}

} // namespace

void PatternFinder::enter(QByteArrayView lines)
{
    m_lines = lines;
    m_allAtOnce = m_matcher.takesManyLines() && isShownAsItIs(lines);
    m_isNowhere = m_allAtOnce && !m_matcher.mayBeIn(lines);
}

bool PatternFinder::isInLine(QByteArrayView line) const
{
    return m_matcher.isIn(isShownAsItIs(line) ? line : AnsiDecoder::plainText(line).toUtf8());
}

std::optional<qsizetype> PatternFinder::next(qsizetype from)
{
    if (m_isNowhere)
        return {};
    if (m_allAtOnce)
        return m_matcher.firstIn(m_lines, from);
    while (from < m_lines.size()) {
        const QByteArrayView line = lineAt(m_lines, from);
        if (isInLine(line))
            return from;
        from += line.size() + 1;
    }
    return {};
}

void ErrorFinder::enter(QByteArrayView lines)
{
    m_lines = lines;
    m_at = 0;
}

std::optional<qsizetype> ErrorFinder::next(qsizetype from)
{
    // Every line is read, those that are not asked about as well: what a line says depends on those before.
    while (m_at < m_lines.size()) {
        const qsizetype at = m_at;
        const QByteArrayView line = lineAt(m_lines, at);
        const LogLineReader::Line said = m_reader.read(line);
        m_at += line.size() + 1;
        if (at >= from && said.beginsError())
            return at;
    }
    return {};
}

} // namespace rankdeck
