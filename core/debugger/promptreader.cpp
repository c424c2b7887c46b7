#include "debugger/promptreader.h"

#include <re2/re2.h>

#include <algorithm>
#include <string>

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
        if (each == '\n'_L1) {
            moveTo(m_screen.row + 1);
        } else if (each == '\r'_L1) {
            m_screen.column = 0;
        } else if (each == '\b'_L1) {
            m_screen.column = std::max(0, m_screen.column - 1);
        } else if (each == '\t'_L1) {
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

    /// Handles the sequence after an escape; returns where text goes on.
    qsizetype pass(const QString &text, qsizetype at)
    {
        if (at >= text.size())
            return at;
        if (text[at] == ']'_L1) {
            while (at < text.size() && text[at].unicode() != bell && text[at].unicode() != escape)
                ++at;
            return at < text.size() && text[at].unicode() == bell ? at + 1 : at;
        }
        if (text[at] != '['_L1)
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
            if (given == 2)
                line().clear();
            else if (given == 0)
                line().truncate(m_screen.column);
            break;
        case u'J':
            if (given != 0) {
                m_screen = {};
                break;
            }
            line().truncate(m_screen.column);
            m_screen.lines.resize(m_screen.row + 1);
            break;
        case u'H':
            m_screen = {};
            break;
        default:
            break;
        }
    }

    ScreenTail &m_screen;
};

/// Between the place and the prompt stand the lines around it, in colours.
constexpr qsizetype mostKept = 8 * 1024;
constexpr qsizetype longestWord = 64;

/// Nothing for a line without a place. gdb prints the line number alone, before a tab, in the same file.
std::optional<RankPrompt> placeIn(const QString &line, bool isNative, const RankPrompt &before)
{
    static const re2::RE2 python(R"(^> (.+)\((\d{1,9})\)([^(]*))");
    static const re2::RE2 frame(R"(^(?:.*?(?:\bin |, )|#\d+ +)?(\S+) \(.*\) at (\S+):(\d{1,9})$)");
    static const re2::RE2 nextLine(R"(^(\d{1,9})\s{2})");
    const std::string text = line.toStdString();
    std::string file;
    std::string function;
    RankPrompt place;
    if (isNative && re2::RE2::PartialMatch(text, nextLine, &place.line)) {
        place.file = before.file;
        place.function = before.function;
    } else if (isNative ? re2::RE2::PartialMatch(text, frame, &function, &file, &place.line)
                        : re2::RE2::PartialMatch(text, python, &file, &place.line, &function)) {
        place.file = QString::fromStdString(file);
        place.function = QString::fromStdString(function);
    } else {
        return {};
    }
    return place;
}

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

PromptReader::PromptReader(const QString &pattern)
    : m_pattern(pattern.isEmpty() ? nullptr
                                  : std::make_shared<const re2::RE2>(pattern.toStdString(), re2::RE2::Quiet))
{
}

void PromptReader::take(QByteArrayView printed)
{
    m_end.append(printed.last(std::min(printed.size(), mostKept)));
    if (m_end.size() > 2 * mostKept)
        m_end = m_end.last(mostKept);
}

QString PromptReader::wordIn(const QString &line) const
{
    static const re2::RE2 known(
        R"(^(\(+(?:Pdb|Pdb\+\+|ipdb|gdb|lldb)\)+|ipdb>|>>>|In \[\d{1,9}\]:)(?:\s|$))");
    const std::string text = line.toStdString();
    re2::StringPiece word;
    if (re2::RE2::PartialMatch(text, known, &word))
        return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
    if (m_pattern && m_pattern->ok() &&
        m_pattern->Match(text, 0, text.size(), re2::RE2::UNANCHORED, &word, 1))
        return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))
            .trimmed()
            .left(longestWord);
    return {};
}

std::optional<RankPrompt> PromptReader::prompt()
{
    const ScreenTail screen = ScreenTail::of(m_end);
    const QString word = wordIn(screen.openLine());
    if (word.isEmpty())
        return {};
    RankPrompt prompt;
    if (word != ">>>"_L1 && !word.startsWith("In ["_L1)) {
        const bool isNative = word.contains("gdb"_L1) || word.contains("lldb"_L1);
        for (const QString &line : screen.lines.mid(0, screen.row))
            m_place = placeIn(line, isNative, m_place).value_or(m_place);
        prompt = m_place;
    }
    prompt.word = word;
    return prompt;
}

bool PromptReader::isIdle() const
{
    const QString line = ScreenTail::of(m_end).openLine();
    const QString word = wordIn(line);
    return !word.isEmpty() && line.trimmed().endsWith(word);
}

} // namespace rankdeck
