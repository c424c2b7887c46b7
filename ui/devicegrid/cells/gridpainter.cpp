#include "devicegrid/cells/gridpainter.h"

#include <string_view>

namespace rankdeck
{

/// Width and height of a mark, in dots.
constexpr int markDots = 9;

/// Returns the size of a dot beside text of this height, in pixels.
static int markDotSize(int textHeight)
{
    return std::max(textHeight / 15, 1);
}

using Dots = std::array<std::string_view, markDots>;

constexpr Dots cross{"##.....##", "###...###", ".###.###.", "..#####..", "...###...",
                     "..#####..", ".###.###.", "###...###", "##.....##"};
constexpr Dots question{"..#####..", ".##...##.", ".......##", "......##.", "....##...",
                        "....##...", ".........", "....##...", "....##..."};
constexpr Dots lines{".........", "#########", ".........", ".........", "#########",
                     ".........", ".........", "#########", "........."};
constexpr Dots bar{".........", ".........", ".........", "#########", "#########",
                   "#########", ".........", ".........", "........."};
constexpr Dots disc{"..#####..", ".#######.", "#########", "#########", "#########",
                    "#########", "#########", ".#######.", "..#####.."};
constexpr Dots ring{"..#####..", ".##...##.", "##.....##", "#.......#", "#.......#",
                    "#.......#", "##.....##", ".##...##.", "..#####.."};
constexpr Dots square{".........", ".#######.", ".#######.", ".#######.", ".#######.",
                      ".#######.", ".#######.", ".#######.", "........."};
constexpr Dots tick{".........", ".......##", "......###", ".....###.", "##..###..",
                    "######...", ".####....", "..##.....", "........."};
constexpr Dots dash{".........", ".........", ".........", ".........", "..#####..",
                    ".........", ".........", ".........", "........."};
constexpr Dots right{"..##.....", "..####...", "..######.", "..#######", "..#######",
                     "..#######", "..######.", "..####...", "..##....."};
constexpr Dots down{".........", ".........", "#########", "#########", ".#######.",
                    ".#######.", "..#####..", "...###...", "....#...."};

/// By ServerState.
constexpr std::array marks{cross, question, lines, bar, disc, ring, square, tick, dash};
static_assert(marks.size() == std::size_t(ServerState::NotLaunched) + 1);

static void drawMark(Canvas &canvas, const QPoint &topLeft, int dot, const Dots &dots, const QColor &color)
{
    for (int y = 0; y < markDots; ++y) {
        const std::string_view row = dots[size_t(y)];
        for (size_t begin = row.find('#'); begin != std::string_view::npos; begin = row.find('#', begin)) {
            const size_t end = std::min(row.find('.', begin), row.size());
            canvas.fill({topLeft + QPoint(int(begin), y) * dot, QSize(int(end - begin), 1) * dot}, color);
            begin = end;
        }
    }
}

constexpr int padding = 6;
/// "192.168.100.104  8 running".
constexpr int leastCharacters = 26;

static void drawFrame(Canvas &canvas, const QPalette &palette, const QRect &area,
                      const ServerHeading &heading, const QColor &background)
{
    const bool isCard = heading.fold == ServerHeading::Fold::Folded;
    QColor frame = isCard ? palette.color(QPalette::Mid) : background;
    if (heading.marks.current)
        frame = palette.color(QPalette::Text);
    canvas.fill(area, frame);
    int width = 1;
    if (heading.marks.selected) {
        // Within the cursor's line, so that both are visible.
        canvas.fill(area.adjusted(width, width, -width, -width), palette.color(QPalette::Highlight));
        width += 2;
    }
    canvas.fill(area.adjusted(width, width, -width, -width), background);
}

/// Draws the heading. The state's mark is a shape as well as a colour: a cross where a rank failed, "?" when
/// lost, lines for logs alone, a bar while stopping, a disc while running, a ring while waiting, a square
/// when stopped, a tick, a dash where nothing was launched. The triangle points down on an open server, right
/// on a folded one.
static void drawServerHeading(Canvas &canvas, const QPalette &palette, const QRect &area,
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
    drawMark(canvas, {left, markTop}, dot, isFolded ? right : down, quietColor(palette));
    left += markDots * dot + padding;
    drawMark(canvas, {left, markTop}, dot, marks[std::size_t(heading.summary.state)],
             toneColor(tone, palette));
    left += markDots * dot + padding;

    const int columns = std::max((area.right() + 1 - padding - left) / character.width(), 0);
    // A long name leaves room for the number of ranks in the worst state.
    constexpr int leastCounts = 10;
    const int counted = std::min(cellWidth(heading.summary.counts), leastCounts);
    const QString name = elidedToCells(heading.summary.name, columns - counted - 2);
    const int nameCells = name.isEmpty() ? 0 : cellWidth(name) + 2;
    const QString counts = elidedToCells(heading.summary.counts, columns - nameCells);
    if (!name.isEmpty())
        canvas.text({left, top}, name, {strong, background, true}, area);
    // Right-aligned, because folded servers stand in columns.
    const int at = isFolded ? columns - cellWidth(counts) : nameCells;
    canvas.text({left + at * character.width(), top}, counts, {toneColor(tone, palette), background, true},
                area);
    if (isFolded || heading.summary.problem.isEmpty())
        return;
    const int after = at + cellWidth(counts) + 2;
    const QString problem = elidedToCells(u"⚠ "_s + heading.summary.problem, columns - after);
    if (!problem.isEmpty())
        canvas.text({left + after * character.width(), top}, problem,
                    {toneColor(Tone::Caution, palette), background}, area);
}

QString ServerHeading::spoken() const
{
    if (fold == Fold::Never)
        return summary.text();
    return (fold == Fold::Open ? tr("%1, open", "a server") : tr("%1, folded", "a server"))
        .arg(summary.text());
}

DeviceGridGeometry::Metrics gridMetrics(GridDensity density, const QSize &character,
                                        const SampleRows &samples)
{
    DeviceGridGeometry::Metrics metrics;
    metrics.margin = 8;
    if (const int size = tileSize(density); size > 0) {
        metrics.minimumCell = metrics.minimumHeading = {size, size};
        metrics.isFlat = true;
        return metrics;
    }
    const bool isLine = density == GridDensity::Lines;
    metrics.minimumCell =
        isLine ? DeviceCellPainter::lineSize(character) : DeviceCellPainter::minimumSize(character, samples);
    metrics.maximumCellWidth = metrics.minimumCell.width() * (isLine ? 3 : 2);
    // The heading of a folded server shows an address and one count in full.
    const int mark = markDots * markDotSize(character.height());
    metrics.minimumHeading = {leastCharacters * character.width() + 2 * mark + 4 * padding,
                              character.height() + 8};
    metrics.gap = isLine ? 2 : 6;
    return metrics;
}

QRect foldMarkArea(const QRect &heading)
{
    return {heading.topLeft(), QSize(heading.height(), heading.height())};
}

void GridPainter::draw(int index, const QRect &place, const ShownItem &item)
{
    const auto before = m_drawn.constFind(index);
    const bool isThere = before != m_drawn.constEnd();
    if (isThere && *before == item)
        return;
    if (const auto *const heading = std::get_if<ServerHeading>(&item))
        drawServerHeading(m_canvas, m_palette, place, *heading);
    else if (const auto *const tile = std::get_if<RankTile>(&item))
        drawTile(m_canvas, m_palette, place, *tile);
    else
        m_cells.draw(place, std::get<ShownDeviceCell>(item),
                     isThere ? std::get_if<ShownDeviceCell>(&*before) : nullptr);
    m_drawn.insert(index, item);
}

} // namespace rankdeck
