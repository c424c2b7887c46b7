#include "diagnosis/verdict/cardmemory.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <optional>

namespace rankdeck
{

/// Of the card; a driver and a few small processes hold less.
constexpr double tellingShare = 0.1;

/// Returns the first size in GiB that `form` finds; its groups are number and unit.
static std::optional<double> gibibytes(const QString &text, const QString &form)
{
    const QRegularExpressionMatch match =
        QRegularExpression(form.arg(QStringLiteral("([\\d.]+) (bytes|[KMGT]iB)"))).match(text);
    if (!match.hasMatch())
        return std::nullopt;
    constexpr double unit = 1024;
    const QChar prefix = match.captured(2).front();
    const double power = prefix == QLatin1Char('T')   ? 1
                         : prefix == QLatin1Char('G') ? 0
                         : prefix == QLatin1Char('M') ? -1
                         : prefix == QLatin1Char('K') ? -2
                                                      : -3;
    return match.captured(1).toDouble() * std::pow(unit, power);
}

/// Returns the memory that the process itself holds.
static std::optional<double> ownGibibytes(const QString &error)
{
    if (const auto own = gibibytes(error, QStringLiteral("this process has %1 memory in use")))
        return own;
    const auto allocated = gibibytes(error, QStringLiteral("%1 already allocated"));
    const auto reserved = gibibytes(error, QStringLiteral("%1 reserved in total"));
    return allocated && reserved ? std::max(allocated, reserved) : allocated ? allocated : reserved;
}

QString othersOnCard(const QString &error)
{
    auto total = gibibytes(error, QStringLiteral("total capaci?ty of %1"));
    if (!total)
        total = gibibytes(error, QStringLiteral("%1 total capacity"));
    auto free = gibibytes(error, QStringLiteral("of which %1 is free"));
    if (!free)
        free = gibibytes(error, QStringLiteral("%1 free"));
    const auto own = ownGibibytes(error);
    if (!total || !free || !own)
        return {};
    const double others = *total - *free - *own;
    if (others < tellingShare * *total)
        return {};
    return tr("Others hold %1 of %2 GiB of this card.").arg(std::lround(others)).arg(std::lround(*total));
}

} // namespace rankdeck
