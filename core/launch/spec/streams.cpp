#include "launch/spec/streams.h"

#include <array>

namespace rankdeck
{

constexpr std::array words{"NONE", "OUT", "ERR", "ALL"};

QString streamsWord(Streams streams)
{
    return QString::fromLatin1(words.at(static_cast<std::size_t>(streams)));
}

std::optional<Streams> streamsFrom(const QString &text)
{
    for (std::size_t value = 0; value < words.size(); ++value) {
        if (text == QLatin1String(words[value]) || text == QString::number(value))
            return static_cast<Streams>(value);
    }
    return std::nullopt;
}

} // namespace rankdeck
