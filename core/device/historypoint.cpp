#include "device/historypoint.h"

#include <cmath>

namespace rankdeck
{

QByteArray valueText(const std::optional<int> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<qint64> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<double> &value)
{
    return value ? QByteArray::number(*value, 'f', 1) : QByteArray();
}

bool readValue(const QByteArray &text, std::optional<int> &value)
{
    bool isNumber = false;
    value = text.toInt(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<qint64> &value)
{
    bool isNumber = false;
    value = text.toLongLong(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<double> &value)
{
    bool isNumber = false;
    value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*value);
}

} // namespace rankdeck
