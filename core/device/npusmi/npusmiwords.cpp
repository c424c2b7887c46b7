#include "device/npusmi/npusmiwords.h"

#include <limits>

namespace rankdeck::npusmi
{

namespace
{

bool isBlank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

QByteArrayView firstWord(QByteArrayView text)
{
    const QByteArrayView trimmed = text.trimmed();
    qsizetype end = 0;
    while (end < trimmed.size() && !isBlank(trimmed[end]))
        ++end;
    return trimmed.first(end);
}

/// Cut where there are `blanks` blanks or more.
QList<QByteArray> split(QByteArrayView text, qsizetype blanks)
{
    QList<QByteArray> parts;
    qsizetype begin = 0;
    qsizetype gap = 0;
    for (qsizetype at = 0; at <= text.size(); ++at) {
        if (at < text.size() && isBlank(text[at])) {
            ++gap;
            continue;
        }
        if (gap >= blanks || at == text.size()) {
            const QByteArrayView part = text.sliced(begin, at - gap - begin);
            if (!part.isEmpty())
                parts << part.toByteArray();
            begin = at;
        }
        gap = 0;
    }
    return parts;
}

} // namespace

std::optional<qint64> countFrom(QByteArrayView word)
{
    bool isNumber = false;
    const qint64 number = firstWord(word).toByteArray().toLongLong(&isNumber);
    return isNumber && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<int> numberFrom(QByteArrayView word)
{
    const auto number = countFrom(word);
    if (!number || *number > std::numeric_limits<int>::max())
        return std::nullopt;
    return static_cast<int>(*number);
}

std::optional<int> percentFrom(QByteArrayView word)
{
    const auto number = numberFrom(word);
    return number && *number <= 100 ? number : std::nullopt;
}

std::optional<int> temperatureFrom(QByteArrayView word)
{
    bool isNumber = false;
    const int degrees = firstWord(word).toByteArray().toInt(&isNumber);
    return isNumber && degrees >= -100 && degrees <= 1000 ? std::optional(degrees) : std::nullopt;
}

std::optional<double> powerFrom(QByteArrayView word)
{
    bool isNumber = false;
    const double watts = firstWord(word).toByteArray().toDouble(&isNumber);
    return isNumber && watts > 0 && watts < 1e6 ? std::optional(watts) : std::nullopt;
}

std::optional<QList<quint32>> errorCodesFrom(QByteArrayView text)
{
    QByteArray words = text.toByteArray();
    for (char &byte : words) {
        if (byte == ',' || byte == ';' || byte == '[' || byte == ']')
            byte = ' ';
    }
    QList<quint32> codes;
    for (const QByteArray &word : wordsOf(words)) {
        bool isNumber = false;
        const quint32 code = word.toUInt(&isNumber, 16);
        if (!isNumber && word != "NA" && word != "-")
            return std::nullopt;
        if (isNumber)
            codes << code;
    }
    return codes;
}

QList<QByteArray> wordsOf(QByteArrayView text)
{
    return split(text, 1);
}

QList<QByteArray> cellsOf(QByteArrayView line)
{
    return split(line.trimmed(), 2);
}

QByteArray labelOf(QByteArrayView text)
{
    QByteArray label;
    for (const char byte : text) {
        if (!isBlank(byte))
            label += byte;
    }
    return label.toLower();
}

QString textOf(QByteArrayView text)
{
    return QString::fromUtf8(text).trimmed();
}

} // namespace rankdeck::npusmi
