#include "devicegrid/serverheading.h"

#include "canvas/canvas.h"
#include "canvas/celltext.h"
#include "canvas/cellwidth.h"
#include "devicegrid/servermark.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

struct DeviceGridText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::DeviceGrid)
};

constexpr int padding = 6;
/// "192.168.100.104  8 running".
constexpr int minimumCharacters = 26;

void drawFrame(Canvas &canvas, const QPalette &palette, const QRect &area, const ServerHeading &heading,
               const QColor &background)
{
    const bool isCard = heading.fold == ServerHeading::Fold::Folded;
    QColor frame = isCard ? palette.color(QPalette::Mid) : background;
    if (heading.marks.current)
        frame = palette.color(QPalette::Text);
    canvas.fill(area, frame);
    int width = 1;
    if (heading.marks.selected) {
        // Within the cursor's line, so that both are seen.
        canvas.fill(area.adjusted(width, width, -width, -width), palette.color(QPalette::Highlight));
        width += 2;
    }
    canvas.fill(area.adjusted(width, width, -width, -width), background);
}

} // namespace

QString ServerHeading::spoken() const
{
    const QString text = summary.text();
    switch (fold) {
    case Fold::Never:
        return text;
    case Fold::Open:
        return DeviceGridText::tr("%1, open", "a server").arg(text);
    case Fold::Folded:
        return DeviceGridText::tr("%1, folded", "a server").arg(text);
    }
    return text;
}

QSize minimumHeadingSize(const QSize &characterCell)
{
    const int mark = markDots * markDotSize(characterCell.height());
    return {minimumCharacters * characterCell.width() + 2 * mark + 4 * padding, characterCell.height() + 8};
}

QRect foldMarkArea(const QRect &heading)
{
    return {heading.topLeft(), QSize(heading.height(), heading.height())};
}

void drawServerHeading(Canvas &canvas, const QPalette &palette, const QRect &area,
                       const ServerHeading &heading)
{
    const QSize character = canvas.cellSize();
    const QColor strong = palette.color(QPalette::Text);
    const int top = area.top() + (area.height() - character.height()) / 2;
    if (heading.fold == ServerHeading::Fold::Never) {
        const QColor background = palette.color(QPalette::Base);
        canvas.fill(area, background);
        canvas.text({area.left(), top},
                    elidedToCells(heading.summary.text(), area.width() / character.width()),
                    {strong, background, true}, area);
        return;
    }

    const bool isFolded = heading.fold == ServerHeading::Fold::Folded;
    const Tone tone = toneOf(heading.summary.state);
    const QColor background = isFolded ? toneBackground(tone, palette) : palette.color(QPalette::Base);
    drawFrame(canvas, palette, area, heading, background);
    const int dot = markDotSize(character.height());
    const int markTop = area.top() + (area.height() - markDots * dot) / 2;
    int left = area.left() + padding;
    drawFoldMark(canvas, {left, markTop}, dot, isFolded, quietColor(palette));
    left += markDots * dot + padding;
    drawServerMark(canvas, {left, markTop}, dot, heading.summary.state, toneColor(tone, palette));
    left += markDots * dot + padding;

    const int columns = std::max((area.right() + 1 - padding - left) / character.width(), 0);
    // A long name leaves room for how many of its ranks are in the worst state.
    constexpr int leastCounts = 10;
    const int counted = std::min(cellWidth(heading.summary.counts), leastCounts);
    const QString name = elidedToCells(heading.summary.name, columns - counted - 2);
    const int nameCells = name.isEmpty() ? 0 : cellWidth(name) + 2;
    const QString counts = elidedToCells(heading.summary.counts, columns - nameCells);
    if (!name.isEmpty())
        canvas.text({left, top}, name, {strong, background, true}, area);
    // Below each other where folded servers stand below each other.
    const int at = isFolded ? columns - cellWidth(counts) : nameCells;
    canvas.text({left + at * character.width(), top}, counts, {toneColor(tone, palette), background, true},
                area);
    if (isFolded || heading.summary.problem.isEmpty())
        return;
    const int after = at + cellWidth(counts) + 2;
    const QString problem = elidedToCells(QStringLiteral("⚠ ") + heading.summary.problem, columns - after);
    if (!problem.isEmpty())
        canvas.text({left + after * character.width(), top}, problem,
                    {toneColor(Tone::Caution, palette), background}, area);
}

} // namespace rankdeck
