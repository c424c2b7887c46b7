#include "diagnosis/progress/linescanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <strings.h>
#include <utility>

namespace rankdeck
{

constexpr std::size_t longestNumber = 64;
constexpr std::size_t longestUnit = 24;

static bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

static bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool isWordPart(char c)
{
    return isLetter(c) || isDigit(c);
}

static char charAt(std::string_view text, std::size_t index)
{
    return index < text.size() ? text[index] : '\0';
}

/// Reads "nan", "inf" or "infinity" in any case, if the word ends there.
static std::optional<double> readNoNumber(std::string_view text, std::size_t &at, bool isNegative)
{
    for (const std::string_view word : {"nan", "infinity", "inf"}) {
        if (text.size() - at < word.size() || strncasecmp(text.data() + at, word.data(), word.size()) != 0 ||
            isWordPart(charAt(text, at + word.size())))
            continue;
        at += word.size();
        if (word == "nan")
            return std::numeric_limits<double>::quiet_NaN();
        return isNegative ? -std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::infinity();
    }
    return {};
}

static bool isThousands(std::string_view text, std::size_t comma)
{
    return charAt(text, comma) == ',' && isDigit(charAt(text, comma + 1)) &&
           isDigit(charAt(text, comma + 2)) && isDigit(charAt(text, comma + 3)) &&
           !isDigit(charAt(text, comma + 4));
}

std::optional<double> readNumber(std::string_view text, std::size_t &at, bool isList)
{
    std::array<char, longestNumber> digits{};
    std::size_t size = 0;
    std::size_t from = at;
    const auto take = [&] {
        if (size < digits.size())
            digits[size++] = text[from];
        ++from;
    };
    const bool isNegative = charAt(text, from) == '-';
    if (isNegative)
        take();
    else if (charAt(text, from) == '+')
        ++from;
    if (!isDigit(charAt(text, from)) && !(charAt(text, from) == '.' && isDigit(charAt(text, from + 1)))) {
        const auto special = readNoNumber(text, from, isNegative);
        if (special)
            at = from;
        return special;
    }
    const std::size_t first = from;
    while (isDigit(charAt(text, from))) {
        take();
        if (!isList && from - first <= 3 && isThousands(text, from)) {
            while (isThousands(text, from)) {
                ++from;
                for (int i = 0; i < 3; ++i)
                    take();
            }
            break;
        }
    }
    if (charAt(text, from) == '.' && isDigit(charAt(text, from + 1))) {
        do
            take();
        while (isDigit(charAt(text, from)));
    } else if (charAt(text, from) == '.') {
        ++from; // "0."
    }
    if (charAt(text, from) == 'e' || charAt(text, from) == 'E') {
        const bool isSigned = charAt(text, from + 1) == '-' || charAt(text, from + 1) == '+';
        if (isDigit(charAt(text, from + (isSigned ? 2 : 1)))) {
            take();
            if (isSigned)
                take();
            while (isDigit(charAt(text, from)))
                take();
        }
    }
    double value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + size, value);
    if (size == digits.size() || result.ec != std::errc())
        return {};
    at = from;
    return value;
}

std::size_t LineScanner::behindEscape(std::size_t from) const
{
    if (at(from + 1) != '[')
        return from + 1;
    for (from += 2; from < m_line.size(); ++from) {
        if (m_line[from] >= '@' && m_line[from] <= '~')
            return from + 1;
    }
    return from;
}

/// A character beyond ASCII, of UTF-8 or of GBK, whose second byte may look like a letter.
std::size_t LineScanner::behindForeign(std::size_t from) const
{
    const auto lead = static_cast<unsigned char>(m_line[from]);
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::size_t end = from + 1;
    while (end < from + size && (static_cast<unsigned char>(at(end)) & 0xC0) == 0x80)
        ++end;
    return end == from + size ? end : std::min(from + 2, m_line.size());
}

std::size_t LineScanner::behindBlanks(std::size_t from) const
{
    while (true) {
        const char c = at(from);
        if (c == '\x1b')
            from = behindEscape(from);
        else if (c == ' ' || c == '\t')
            ++from;
        else
            return from;
    }
}

std::string_view LineScanner::nextWord()
{
    m_isBehindWord = false;
    m_numberBefore.reset();
    bool isBehind = std::exchange(m_isWordLast, false);
    while (m_at < m_line.size()) {
        const char c = m_line[m_at];
        if (c == ' ' || c == '\t') {
            ++m_at;
        } else if (c == '\x1b') {
            m_at = behindEscape(m_at);
        } else if (isLetter(c)) {
            const std::size_t begin = m_at;
            while (isWordPart(at(m_at)) || ((at(m_at) == '/' || at(m_at) == '-') && isLetter(at(m_at + 1))))
                ++m_at;
            m_isBehindWord = isBehind;
            m_isWordLast = true;
            return m_line.substr(begin, m_at - begin);
        } else if (isDigit(c)) {
            m_numberBefore = readNumber(m_line, m_at);
            if (!m_numberBefore)
                ++m_at;
            isBehind = false;
        } else {
            m_at = static_cast<unsigned char>(c) >= 0x80 ? behindForeign(m_at) : m_at + 1;
            m_numberBefore.reset();
            isBehind = false;
        }
    }
    return {};
}

/// Skips ':' and '=', also the Chinese ones, in UTF-8 and GBK, or "is".
std::size_t LineScanner::behindSeparator(std::size_t from) const
{
    const std::string_view text = m_line.substr(from);
    for (const std::string_view separator :
         {":", "=", "\xEF\xBC\x9A", "\xEF\xBC\x9D", "\xA3\xBA", "\xA3\xBD", "is "}) {
        if (text.substr(0, separator.size()) == separator)
            return from + separator.size();
    }
    return from;
}

std::string_view LineScanner::unitAt(std::size_t from) const
{
    from = behindBlanks(from);
    std::size_t end = from;
    while (isLetter(at(end)) || (at(end) == '/' && isLetter(at(end + 1))))
        ++end;
    // The next key is not a unit.
    if (behindSeparator(behindBlanks(end)) != behindBlanks(end))
        return {};
    return m_line.substr(from, std::min(end - from, longestUnit));
}

std::optional<LineScanner::Value> LineScanner::ratioAt(std::size_t &from, bool isList) const
{
    std::size_t end = from;
    const auto number = readNumber(m_line, end, isList);
    if (!number)
        return {};
    Value value{*number, {}, {}};
    std::size_t total = behindBlanks(end);
    if (at(total) == '/' || m_line.substr(total, 3) == "of ") {
        total = behindBlanks(total + (at(total) == '/' ? 1 : 3));
        if ((value.total = readNumber(m_line, total, isList)))
            end = total;
    }
    value.unit = unitAt(end);
    from = end;
    return value;
}

std::optional<LineScanner::Value> LineScanner::value()
{
    std::size_t from = m_at;
    std::string_view keyUnit;
    const auto skip = [&](std::string_view what) {
        while (from < m_line.size() && what.find(m_line[from]) != std::string_view::npos)
            ++from;
    };
    skip("'\"*`");
    from = behindBlanks(from);
    if (at(from) == '(' && isLetter(at(from + 1))) {
        const std::size_t end = m_line.find(')', from);
        if (end == std::string_view::npos || end - from > longestUnit)
            return {};
        keyUnit = m_line.substr(from + 1, end - from - 1);
        from = end + 1;
        skip("'\"*`");
        from = behindBlanks(from);
    }
    from = behindBlanks(behindSeparator(from));
    skip("'\"*`");
    if (isLetter(at(from)) && !isWordPart(at(from - 1))) {
        // The way Python prints a number of a library.
        for (const std::string_view wrapper :
             {"tensor(", "Tensor(", "np.float32(", "np.float64(", "array("}) {
            if (m_line.substr(from, wrapper.size()) == wrapper)
                from += wrapper.size();
        }
    }
    bool isList = false;
    while (at(from) == '[' || at(from) == '(') {
        isList = true;
        from = behindBlanks(from + 1);
    }
    from = behindBlanks(from);
    auto value = ratioAt(from, isList);
    if (!value)
        return {};
    if (!keyUnit.empty())
        value->unit = keyUnit;
    if (isList && (at(from) == ']' || at(from) == ')'))
        ++from;
    m_at = from;
    m_isWordLast = false;
    return value;
}

std::optional<LineScanner::Value> LineScanner::ratio()
{
    std::size_t from = m_at;
    if (at(from) == ',' || at(from) == ':')
        ++from;
    from = behindBlanks(from);
    const bool isList = at(from) == '[' || at(from) == '(';
    if (isList)
        from = behindBlanks(from + 1);
    const auto value = ratioAt(from, isList);
    if (!value || !value->total)
        return {};
    m_at = from;
    m_isWordLast = false;
    return value;
}

} // namespace rankdeck
