#include "debugger/promptreader.h"

#include "debugger/screentail.h"

#include <re2/re2.h>

#include <charconv>
#include <string>

namespace rankdeck
{

namespace
{

/// Between the place and the prompt stand the lines around it, in colours.
constexpr qsizetype mostKept = 8 * 1024;
constexpr qsizetype longestWord = 64;

int numberIn(const std::string &digits)
{
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

bool isInterpreter(const QString &word)
{
    return word == QLatin1String(">>>") || word.startsWith(QLatin1String("In ["));
}

/// Nothing for a line that says no place. gdb says the line alone, before a tab, when the file is the one
/// before.
std::optional<RankPrompt> placeIn(const QString &line, bool isNative, const RankPrompt &before)
{
    static const re2::RE2 python(R"(^> (.+)\((\d{1,9})\)([^(]*))");
    static const re2::RE2 frame(R"(^(?:.*?(?:\bin |, )|#\d+ +)?(\S+) \(.*\) at (\S+):(\d{1,9})$)");
    static const re2::RE2 nextLine(R"(^(\d{1,9})\s{2})");
    const std::string text = line.toStdString();
    std::string file;
    std::string number;
    std::string function;
    RankPrompt place;
    if (isNative && re2::RE2::PartialMatch(text, nextLine, &number)) {
        place.file = before.file;
        place.function = before.function;
    } else if (isNative ? re2::RE2::PartialMatch(text, frame, &function, &file, &number)
                        : re2::RE2::PartialMatch(text, python, &file, &number, &function)) {
        place.file = QString::fromStdString(file);
        place.function = QString::fromStdString(function);
    } else {
        return {};
    }
    place.line = numberIn(number);
    return place;
}

} // namespace

struct PromptReader::Pattern {
    explicit Pattern(const QString &pattern)
        : regex(pattern.toStdString(), re2::RE2::Quiet)
    {
    }
    re2::RE2 regex;
};

PromptReader::PromptReader(const QString &pattern)
    : m_pattern(pattern.isEmpty() ? nullptr : std::make_shared<const Pattern>(pattern))
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
    if (m_pattern && m_pattern->regex.ok() &&
        m_pattern->regex.Match(text, 0, text.size(), re2::RE2::UNANCHORED, &word, 1))
        return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()))
            .trimmed()
            .left(longestWord);
    return {};
}

void PromptReader::findPlace(const QString &word, const QStringList &lines)
{
    const bool isNative = word.contains(QLatin1String("gdb")) || word.contains(QLatin1String("lldb"));
    for (const QString &line : lines)
        m_place = placeIn(line, isNative, m_place).value_or(m_place);
}

std::optional<RankPrompt> PromptReader::prompt()
{
    const ScreenTail screen = ScreenTail::of(m_end);
    const QString word = wordIn(screen.openLine());
    if (word.isEmpty())
        return {};
    RankPrompt prompt;
    if (!isInterpreter(word)) {
        findPlace(word, screen.lines.mid(0, screen.row));
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
