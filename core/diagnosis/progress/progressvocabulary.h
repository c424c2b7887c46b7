#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace rankdeck
{

// What the readers of progress lines know of words.

template <std::size_t size>
using Words = std::array<std::string_view, size>;

template <std::size_t size>
bool isIn(const Words<size> &words, std::string_view word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

inline bool startsWith(std::string_view text, std::string_view start)
{
    return text.substr(0, start.size()) == start;
}

inline bool endsWith(std::string_view text, std::string_view end)
{
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A word in lower case; empty when it is longer than any that is known.
class Lowered
{
public:
    explicit Lowered(std::string_view word)
    {
        if (word.size() > m_letters.size())
            return;
        std::transform(word.begin(), word.end(), m_letters.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
        m_size = word.size();
    }
    std::string_view text() const { return {m_letters.data(), m_size}; }

private:
    std::array<char, 48> m_letters{};
    std::size_t m_size = 0;
};

/// What stands behind these is not of training.
inline constexpr Words<12> validationWords{"val",     "valid",      "validation", "validating",
                                           "eval",    "evaluation", "evaluating", "test",
                                           "testing", "predicting", "predict",    "inference"};

/// ms of a duration with this unit; nothing for a unit of another kind.
std::optional<double> durationMs(double number, std::string_view unit);

} // namespace rankdeck
