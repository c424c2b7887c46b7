#include "launch/spec/pythontext.h"

#include <array>
#include <charconv>

namespace rankdeck
{

/// Returns the shortest digits that read as `number`, as repr() writes them: with an exponent below 1e-4 and
/// from 1e16.
static QString floatText(double number)
{
    std::array<char, 64> buffer{};
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
    const QString text = QString::fromLatin1(buffer.data(), end.ptr - buffer.data());
    const int exponent = text.section(QLatin1Char('e'), 1).toInt();
    if (exponent < -4 || exponent >= 16)
        return text;
    const auto fixed =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
    const QString plain = QString::fromLatin1(buffer.data(), fixed.ptr - buffer.data());
    return plain.contains(QLatin1Char('.')) ? plain : plain + QStringLiteral(".0");
}

/// Returns the letter as repr() writes it in quotes of `quote`.
static QString letterText(char32_t letter, QChar quote)
{
    switch (letter) {
    case U'\n':
        return QStringLiteral("\\n");
    case U'\r':
        return QStringLiteral("\\r");
    case U'\t':
        return QStringLiteral("\\t");
    case U'\\':
        return QStringLiteral("\\\\");
    default:
        break;
    }
    if (letter == quote.unicode())
        return QLatin1Char('\\') + quote;
    if (letter == U' ' || (QChar::isPrint(letter) && !QChar::isSpace(letter)))
        return QString::fromUcs4(&letter, 1);
    if (letter <= 0xff)
        return QStringLiteral("\\x%1").arg(uint(letter), 2, 16, QLatin1Char('0'));
    return letter <= 0xffff ? QStringLiteral("\\u%1").arg(uint(letter), 4, 16, QLatin1Char('0'))
                            : QStringLiteral("\\U%1").arg(uint(letter), 8, 16, QLatin1Char('0'));
}

static QString quotedText(const QString &text)
{
    const bool isDouble = text.contains(QLatin1Char('\'')) && !text.contains(QLatin1Char('"'));
    const QLatin1Char quote(isDouble ? '"' : '\'');
    QString quoted(quote);
    for (const uint letter : text.toUcs4())
        quoted += letterText(letter, quote);
    return quoted + quote;
}

static QString representation(const OrderedJson &value)
{
    if (value.is_string())
        return quotedText(QString::fromStdString(value.get_ref<const std::string &>()));
    if (value.is_boolean())
        return value.get<bool>() ? QStringLiteral("True") : QStringLiteral("False");
    if (value.is_null())
        return QStringLiteral("None");
    if (value.is_number_float())
        return floatText(value.get<double>());
    if (!value.is_structured())
        return QString::fromStdString(value.dump());
    QStringList parts;
    for (const auto &[key, member] : value.items()) {
        const QString name =
            value.is_object() ? quotedText(QString::fromStdString(key)) + QStringLiteral(": ") : QString();
        parts << name + representation(member);
    }
    const QString list = parts.join(QStringLiteral(", "));
    return value.is_object() ? QLatin1Char('{') + list + QLatin1Char('}')
                             : QLatin1Char('[') + list + QLatin1Char(']');
}

QString pythonText(const OrderedJson &value)
{
    return value.is_string() ? QString::fromStdString(value.get_ref<const std::string &>())
                             : representation(value);
}

} // namespace rankdeck
