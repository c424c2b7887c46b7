#pragma once

#include <QByteArray>
#include <QByteArrayList>

#include <optional>

namespace rankdeck
{

// A point of a history as text: its values with commas between them, none at the end; of a point without any
// ",". A kind of point has a function forEachValue(point, visit) that calls visit(name, std::optional<value>
// &) for each, in the file's order: new ones come last.

QByteArray valueText(const std::optional<int> &value);
QByteArray valueText(const std::optional<qint64> &value);
/// To 0.1.
QByteArray valueText(const std::optional<double> &value);

// False for what is no such value.
bool readValue(const QByteArray &text, std::optional<int> &value);
bool readValue(const QByteArray &text, std::optional<qint64> &value);
bool readValue(const QByteArray &text, std::optional<double> &value);

template <typename Point>
QByteArray pointText(const Point &point)
{
    QByteArrayList values;
    forEachValue(point, [&](const char *, const auto &value) { values << valueText(value); });
    while (!values.isEmpty() && values.last().isEmpty())
        values.removeLast();
    return values.isEmpty() ? "," : values.join(',');
}

/// Nothing for other text.
template <typename Point>
std::optional<Point> pointFrom(const QByteArray &text)
{
    const QByteArrayList values = text.split(',');
    Point point;
    qsizetype at = 0;
    bool isSound = true;
    forEachValue(point, [&](const char *, auto &value) {
        const QByteArray word = values.value(at++);
        isSound = isSound && (word.isEmpty() || readValue(word, value));
    });
    return isSound ? std::optional(point) : std::nullopt;
}

} // namespace rankdeck
