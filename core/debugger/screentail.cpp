#include "debugger/screentail.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int mostColumns = 4096;
constexpr char16_t escape = 0x1b;
constexpr char16_t bell = 0x07;

class Drawing
{
public:
    explicit Drawing(ScreenTail &screen)
        : m_screen(screen)
    {
    }

    void draw(const QString &text)
    {
        for (qsizetype at = 0; at < text.size();) {
            const char16_t each = text[at].unicode();
            if (each == escape)
                at = pass(text, at + 1);
            else
                put(text[at++]);
        }
    }

private:
    QString &line() { return m_screen.lines[m_screen.row]; }

    void put(QChar each)
    {
        if (each == QLatin1Char('\n')) {
            moveTo(m_screen.row + 1);
        } else if (each == QLatin1Char('\r')) {
            m_screen.column = 0;
        } else if (each == QLatin1Char('\b')) {
            m_screen.column = std::max(0, m_screen.column - 1);
        } else if (each == QLatin1Char('\t')) {
            m_screen.column = std::min(mostColumns, (m_screen.column / 8 + 1) * 8);
        } else if (each.unicode() >= u' ' && m_screen.column < mostColumns) {
            if (line().size() <= m_screen.column)
                line() = line().leftJustified(m_screen.column + 1);
            line()[m_screen.column++] = each;
        }
    }

    void moveTo(int row)
    {
        m_screen.row = std::max(0, row);
        while (m_screen.lines.size() <= m_screen.row)
            m_screen.lines << QString();
    }

    /// What follows an escape; returns where text goes on.
    qsizetype pass(const QString &text, qsizetype at)
    {
        if (at >= text.size())
            return at;
        if (text[at] == QLatin1Char(']')) {
            while (at < text.size() && text[at].unicode() != bell && text[at].unicode() != escape)
                ++at;
            return at < text.size() && text[at].unicode() == bell ? at + 1 : at;
        }
        if (text[at] != QLatin1Char('['))
            return at + 1;
        const qsizetype begin = at + 1;
        qsizetype end = begin;
        while (end < text.size() && (text[end].unicode() < 0x40 || text[end].unicode() > 0x7e))
            ++end;
        if (end < text.size())
            carryOut(text[end].unicode(), QStringView(text).mid(begin, end - begin));
        return end + 1;
    }

    void carryOut(char16_t final, QStringView parameters)
    {
        const int given = parameters.toInt(); // 0 for none and for several.
        const int count = std::clamp(given, 1, mostColumns);
        switch (final) {
        case u'A':
            moveTo(m_screen.row - count);
            break;
        case u'B':
            moveTo(std::min(m_screen.row + count, int(m_screen.lines.size()) - 1));
            break;
        case u'C':
            m_screen.column = std::min(mostColumns, m_screen.column + count);
            break;
        case u'D':
            m_screen.column = std::max(0, m_screen.column - count);
            break;
        case u'G':
            m_screen.column = count - 1;
            break;
        case u'K':
            eraseLine(given);
            break;
        case u'J':
            if (given == 0)
                eraseBelow();
            else
                m_screen = {};
            break;
        case u'H':
            m_screen = {};
            break;
        default:
            break;
        }
    }

    void eraseLine(int how)
    {
        if (how == 2)
            line().clear();
        else if (how == 0)
            line().truncate(m_screen.column);
    }

    void eraseBelow()
    {
        line().truncate(m_screen.column);
        m_screen.lines.resize(m_screen.row + 1);
    }

    ScreenTail &m_screen;
};

} // namespace

ScreenTail ScreenTail::of(QByteArrayView printed)
{
    ScreenTail screen;
    Drawing(screen).draw(QString::fromUtf8(printed));
    return screen;
}

QString ScreenTail::openLine() const
{
    const bool isLast = std::all_of(lines.begin() + row + 1, lines.end(),
                                    [](const QString &line) { return line.trimmed().isEmpty(); });
    return isLast ? lines[row] : QString();
}

} // namespace rankdeck
