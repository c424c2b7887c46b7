#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <string_view>

namespace re2
{
class RE2;
} // namespace re2

namespace rankdeck
{

// What single lines of logs say. All are linear in the length of a line (RE2).

inline std::string_view viewOf(QByteArrayView text)
{
    return {text.data(), static_cast<std::size_t>(text.size())};
}

/// What an error line without an entry says of waiting for others.
bool tellsOfOthers(std::string_view text);

/// A step, an epoch or a loss with its number: less than readProgressLine() asks for, as any of them shows
/// that the program goes on.
bool tellsProgress(std::string_view text);

/// Whether a line without a head and an entry calls itself an error.
bool beginsLikeError(std::string_view text);

/// "ValueError: bad value", or the name alone: what ends a traceback.
bool isExceptionLine(std::string_view text);

/// What the first of a form's groups that has something has, without blanks around it.
/// @param form with three groups at most.
std::optional<QByteArray> firstGroup(std::string_view text, const re2::RE2 &form);

/// The same where that is a number.
std::optional<qint64> firstNumber(std::string_view text, const re2::RE2 &form);

} // namespace rankdeck
