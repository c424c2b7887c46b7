#pragma once

#include "base/tr.h"

#include <algorithm>
#include <array>
#include <optional>

namespace rankdeck
{

/// The words of an enum whose values count from 0, in their order: "ssh" for TransportKind::Ssh.
template <std::size_t count>
using WordTable = std::array<const char *, count>;

/// Returns the word of a value.
template <std::size_t count>
QString wordIn(const WordTable<count> &words, auto value)
{
    return QString::fromLatin1(words.at(static_cast<std::size_t>(value)));
}

/// Returns the value of a word; nothing if the table lacks the word.
template <typename Value, std::size_t count>
std::optional<Value> valueIn(const WordTable<count> &words, const QString &word)
{
    const auto found = std::ranges::find_if(words, [&](auto known) { return word == QLatin1String(known); });
    return found == words.end() ? std::nullopt : std::optional(static_cast<Value>(found - words.begin()));
}

} // namespace rankdeck
