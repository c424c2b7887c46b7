#include "ranktable/rules/tablerules.h"

#include <QHostAddress>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Digits and dots alone are what QHostAddress takes too much of: "1.2" and "7" are addresses to it.
bool isDottedQuad(const QString &text)
{
    const auto isDigitOrDot = [](QChar letter) {
        return letter == QLatin1Char('.') || (letter >= QLatin1Char('0') && letter <= QLatin1Char('9'));
    };
    return text.count(QLatin1Char('.')) == 3 && std::all_of(text.begin(), text.end(), isDigitOrDot);
}

/// "192.1.*.6", "xx.xx.xx.xx", "xx-xx-xx-xx", "xxxx", "<ip>", "[device_ip]": a place to fill in.
bool isMasked(const QString &text)
{
    const auto isMask = [](QChar letter) {
        return letter == QLatin1Char('x') || letter == QLatin1Char('X') || letter == QLatin1Char('.') ||
               letter == QLatin1Char('-');
    };
    const bool isInBrackets = (text.startsWith(QLatin1Char('[')) && text.endsWith(QLatin1Char(']'))) ||
                              (text.startsWith(QLatin1Char('<')) && text.endsWith(QLatin1Char('>')));
    const bool isPartlyMasked =
        text.count(QLatin1Char('.')) == 3 && text.contains(QLatin1Char('x'), Qt::CaseInsensitive) &&
        std::none_of(text.begin(), text.end(),
                     [](QChar letter) { return letter.isLetter() && letter.toLower() != QLatin1Char('x'); });
    return text.contains(QLatin1Char('*')) || isInBrackets || isPartlyMasked ||
           (text.size() > 1 && std::all_of(text.begin(), text.end(), isMask));
}

} // namespace

AddressKind addressKindOf(const QString &text)
{
    QHostAddress address;
    if (isDottedQuad(text) ? address.setAddress(text)
                           : text.contains(QLatin1Char(':')) && address.setAddress(text))
        return address.protocol() == QAbstractSocket::IPv6Protocol ? AddressKind::IPv6 : AddressKind::IPv4;
    return isMasked(text) ? AddressKind::Masked : AddressKind::None;
}

} // namespace rankdeck
