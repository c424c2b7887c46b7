#include "devicegrid/cells/ranktile.h"

#include "run/record/runstate.h"

#include <bit>
#include <cmath>
#include <string_view>

namespace rankdeck
{

constexpr int signDots = 5;
using SignDots = std::array<std::string_view, signDots>;

/// By TileSign.
constexpr std::array<SignDots, 7> signs{{{".....", ".....", ".....", ".....", "....."},
                                         {"#...#", ".#.#.", "..#..", ".#.#.", "#...#"},
                                         {"..#..", "..#..", "..#..", ".....", "..#.."},
                                         {".#.#.", ".#.#.", ".#.#.", ".#.#.", ".#.#."},
                                         {".....", ".###.", ".###.", ".###.", "....."},
                                         {".....", "....#", "...#.", "#.#..", ".#..."},
                                         {".##..", "...#.", "..#..", ".....", "..#.."}}};
static_assert(signs.size() == std::size_t(TileSign::Lost) + 1);

/// The faintest colour of a value still differs from the background.
constexpr double leastShare = 0.12;

static QColor tileColor(const RankTile &tile, const QPalette &palette)
{
    if (tile.step == RankTile::ofState) {
        // An area weighs more than a word: among a thousand that were stopped, one that failed is seen.
        constexpr double stoppedShare = 0.65;
        constexpr double failedSaturation = 1.7;
        const QColor tone = toneColor(tile.tone, palette);
        if (tile.tone == Tone::Ended)
            return mixed(palette.color(QPalette::Base), tone, stoppedShare);
        return tile.tone == Tone::Bad
                   ? QColor::fromHsv(tone.hsvHue(),
                                     std::min(int(tone.hsvSaturation() * failedSaturation), 255),
                                     tone.value())
                   : tone;
    }
    const double share = leastShare + (1 - leastShare) * tile.step / (RankTile::steps - 1);
    return mixed(palette.color(QPalette::Base), toneColor(Tone::Active, palette), share);
}

static void drawSign(Canvas &canvas, const QRect &area, TileSign sign, const QColor &color)
{
    const int dot = std::max(area.width() / signDots, 1);
    const QPoint topLeft = area.center() - QPoint(1, 1) * (signDots * dot / 2);
    const SignDots &dots = signs.at(std::size_t(sign));
    for (int y = 0; y < signDots; ++y) {
        for (int x = 0; x < signDots; ++x) {
            if (dots[std::size_t(y)][std::size_t(x)] == '#')
                canvas.fill({topLeft + QPoint(x, y) * dot, QSize(dot, dot)}, color);
        }
    }
}

RankTile rankTile(const RunState &state, int process, bool isAnyHeld)
{
    RankTile tile;
    const RankState *const rank = state.stateOf(process);
    if (!rank)
        return tile;
    tile.isOurs = true;
    const RankPhase phase = state.shownPhase(*rank);
    tile.tone = toneOf(phase);
    tile.hasAlarm = !state.deviceAlarm(process).isEmpty();
    tile.sign = phase == RankPhase::Failed    ? TileSign::Failed
                : phase == RankPhase::Stopped ? TileSign::Stopped
                : phase == RankPhase::Exited  ? TileSign::Succeeded
                : phase == RankPhase::Ended   ? TileSign::Lost
                                              : TileSign::None;
    const bool isStalled = state.silentSince(process).isValid();
    if (rank->isHeld() || isStalled) {
        tile.tone = Tone::Caution;
        tile.sign = rank->isHeld() || isAnyHeld ? TileSign::Held : TileSign::Stalled;
    }
    return tile;
}

int TileScale::step(const std::optional<double> &value) const
{
    if (!value)
        return RankTile::unknown;
    return std::clamp(int((*value - from) * RankTile::steps / (to - from)), 0, RankTile::steps - 1);
}

TileScale tileScale(TileColor color, double mostMemory)
{
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    const auto percent = [](const QString &name) {
        return TileScale{0, 100, name, tr("0 %"), tr("100 %")};
    };
    switch (color) {
    case TileColor::State:
        return {};
    case TileColor::AiCore:
        return percent(tr("AI cores"));
    case TileColor::Hbm:
        return percent(tr("HBM"));
    case TileColor::Temperature:
        return {30, 100, tr("Temperature"), tr("30 °C"), tr("100 °C")};
    case TileColor::StepLag:
        return {0, 10, tr("Steps behind"), tr("0", "steps"), tr("10 or more", "steps")};
    case TileColor::Cpu:
        return percent(tr("CPU"));
    case TileColor::Memory: {
        const auto most = std::bit_ceil(std::uint64_t(std::max(std::ceil(mostMemory / gibibyte), 1.0)));
        return {0, double(most) * gibibyte, tr("Memory"), tr("0 GB"), tr("%1 GB").arg(most)};
    }
    }
    return {};
}

void drawTile(Canvas &canvas, const QPalette &palette, const QRect &area, const RankTile &tile)
{
    const QColor base = palette.color(QPalette::Base);
    const QColor text = palette.color(QPalette::Text);
    const QColor highlight = palette.color(QPalette::Highlight);
    const bool isMarked = tile.marks.selected || tile.marks.current;
    canvas.fill(area, tile.marks.current ? text : tile.marks.selected ? highlight : base);
    QRect inner = area.adjusted(1, 1, -1, -1);
    if (isMarked) {
        // A ring of the background, so that the frame differs from a tile of its colour.
        canvas.fill(inner, tile.marks.current && tile.marks.selected ? highlight : base);
        inner.adjust(1, 1, -1, -1);
    }
    const bool isHollow = !tile.isOurs || tile.step == RankTile::unknown ||
                          (tile.step == RankTile::ofState && tile.tone == Tone::Idle);
    QColor ground = base;
    if (isHollow) {
        canvas.fill(inner, palette.color(tile.isOurs ? QPalette::Dark : QPalette::Midlight));
        canvas.fill(inner.adjusted(1, 1, -1, -1), base);
    } else {
        ground = tileColor(tile, palette);
        canvas.fill(inner, tile.hasAlarm ? toneColor(Tone::Caution, palette) : ground);
        if (tile.hasAlarm)
            canvas.fill(inner.adjusted(1, 1, -1, -1), ground);
    }
    if (tile.sign == TileSign::None)
        return;
    constexpr double enough = 3;
    const double ofBase = contrastRatio(ground, base);
    const QColor sign = ofBase >= enough || ofBase >= contrastRatio(ground, text) ? base : text;
    const int inset = isMarked ? 0 : 1;
    drawSign(canvas, inner.adjusted(inset, inset, -inset, -inset), tile.sign, sign);
}

} // namespace rankdeck
