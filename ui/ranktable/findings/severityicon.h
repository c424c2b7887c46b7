#pragma once

#include "ranktable/table/finding.h"
#include "widgets/tone.h"

#include <QIcon>

namespace rankdeck
{

Tone toneOf(Severity severity);

/// Returns the shape as an icon of `side` pixels, for a screen with `ratio` device pixels per pixel.
QIcon severityIcon(Severity severity, const QPalette &palette, int side, qreal ratio);
/// Returns a tick, for no findings.
QIcon noFindingIcon(const QPalette &palette, int side, qreal ratio);

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
