#pragma once

#include "ranktable/severityicon.h"

#include <array>

namespace rankdeck
{

/// The icons of all severities, made once for a palette.
class SeverityIcons
{
public:
    SeverityIcons() = default;
    SeverityIcons(const QPalette &palette, int side, qreal ratio)
        : m_icons{severityIcon(Severity::Note, palette, side, ratio),
                  severityIcon(Severity::Warning, palette, side, ratio),
                  severityIcon(Severity::Error, palette, side, ratio)}
    {
    }

    const QIcon &of(Severity severity) const { return m_icons[size_t(severity)]; }

private:
    std::array<QIcon, 3> m_icons;
};

} // namespace rankdeck
