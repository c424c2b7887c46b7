#pragma once

#include "base/tr.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace rankdeck
{

/// Walks over the words and numbers of a log line in any encoding; colours are blanks. Allocates nothing.
class LineScanner
{
public:
    /// A number behind a key, such as 116 of 125 in "step:[  116/  125]".
    struct Value {
        double number = 0;
        std::optional<double> total; ///< After a slash or "of".
        std::string_view unit;       ///< Letters and slashes behind it; of a key "time (ms)" those there.
    };

    explicit LineScanner(std::string_view line)
        : m_line(line)
    {
    }

    /// The next word: letters, digits, '_', and '/' or '-' between two of them. Empty at the end.
    std::string_view nextWord();
    /// Whether nothing but blanks was between the last word and the one before it.
    bool isBehindWord() const { return m_isBehindWord; }
    /// The number that stands before the last word with nothing but blanks between.
    std::optional<double> numberBefore() const { return m_numberBefore; }
    /// Returns the text behind the last word.
    std::string_view rest() const { return m_line.substr(m_at); }
    /// Go behind the first bytes of that.
    void skip(std::size_t bytes) { m_at += bytes; }
    /// The value of the last word as a key: behind ':', '=', "is" or blanks, quoted or not. Goes behind it.
    std::optional<Value> value();
    /// Reads "[50/2500]" or "100 / 8223" right behind the last word or number, and moves behind it.
    std::optional<Value> ratio();

private:
    char at(std::size_t index) const { return index < m_line.size() ? m_line[index] : '\0'; }
    std::size_t behindBlanks(std::size_t from) const;
    std::size_t behindEscape(std::size_t from) const;
    std::size_t behindForeign(std::size_t from) const;
    std::size_t behindSeparator(std::size_t from) const;
    std::optional<Value> ratioAt(std::size_t &from, bool isList) const;
    std::string_view unitAt(std::size_t from) const;

    std::string_view m_line;
    std::size_t m_at = 0;
    bool m_isBehindWord = false;
    bool m_isWordLast = false; ///< Not a value.
    std::optional<double> m_numberBefore;
};

/// Reads a number at `at` and goes behind it: "1.5e-7", "-inf", "nan", "10,050" unless in a list.
std::optional<double> readNumber(std::string_view text, std::size_t &at, bool isList = false);

} // namespace rankdeck
