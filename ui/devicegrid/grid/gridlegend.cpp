#include "devicegrid/grid/gridlegend.h"

#include "base/listcomma.h"
#include "canvas/cells/celltext.h"
#include "widgets/statelook.h"

namespace rankdeck
{

constexpr int margin = 8; // pixels
constexpr int tileSide = 14;

static RankTile sample(Tone tone, TileSign sign, int step = RankTile::ofState)
{
    RankTile tile;
    tile.isOurs = true;
    tile.tone = tone;
    tile.sign = sign;
    tile.step = step;
    return tile;
}

GridLegend::GridLegend(QWidget *parent)
    : CanvasWidget(parent)
{
    setObjectName(QStringLiteral("gridLegend"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setScale({});
}

void GridLegend::setScale(const TileScale &scale, const TileKinds &kinds)
{
    if (scale == m_scale && kinds == m_kinds && !accessibleName().isEmpty())
        return;
    m_scale = scale;
    m_kinds = kinds;
    QStringList all = QStringList{scale.name, scale.fromText} + words();
    all.removeAll(QString());
    setAccessibleName(tr("Colours of the ranks: %1").arg(all.join(listComma())));
    scheduleEverything();
}

QStringList GridLegend::words() const
{
    QStringList words;
    for (const Entry &entry : entries())
        words << entry.text;
    return words;
}

QSize GridLegend::sizeHint() const
{
    return {0, std::max(tileSide, canvas().cellSize().height()) + 4};
}

QList<GridLegend::Entry> GridLegend::entries() const
{
    QList<Entry> entries;
    if (m_scale.name.isEmpty()) {
        entries << Entry{{sample(Tone::Active, TileSign::None)}, shownWord(RankPhase::Running)}
                << Entry{{sample(Tone::Idle, TileSign::None)}, shownWord(RankPhase::Waiting)}
                << Entry{{sample(Tone::Good, TileSign::Succeeded)}, shownWord(RankPhase::Exited)}
                << Entry{{sample(Tone::Ended, TileSign::None)}, shownWord(RankPhase::Unknown)};
    } else {
        Entry scale{{}, m_scale.toText};
        for (int step = 0; step < RankTile::steps; ++step)
            scale.tiles << sample(Tone::Active, TileSign::None, step);
        entries << scale << Entry{{sample(Tone::Active, TileSign::None, RankTile::unknown)}, tr("unknown")};
    }
    const auto withSign = [this](Tone tone, TileSign sign) {
        return QList{sample(tone, sign, m_scale.name.isEmpty() ? RankTile::ofState : RankTile::unknown)};
    };
    entries << Entry{withSign(Tone::Bad, TileSign::Failed), shownWord(RankPhase::Failed)}
            << Entry{withSign(Tone::Caution, TileSign::Stalled), tr("stalled")}
            << Entry{withSign(Tone::Caution, TileSign::Held), tr("paused or waiting")}
            << Entry{withSign(Tone::Ended, TileSign::Stopped), shownWord(RankPhase::Stopped)}
            << Entry{withSign(Tone::Caution, TileSign::Lost), shownWord(RankPhase::Ended)};
    entries.removeIf([this](const Entry &entry) {
        const RankTile &tile = entry.tiles.constFirst();
        const bool isOfScale = !m_scale.name.isEmpty() && tile.sign == TileSign::None;
        return !m_kinds.isEmpty() && !isOfScale && !m_kinds.has(tile);
    });
    return entries;
}

void GridLegend::drawCanvas(Canvas &canvas, bool everything)
{
    if (!everything)
        return;
    const QColor base = palette().color(QPalette::Base);
    const QRect whole(QPoint(), canvas.size());
    canvas.fill(whole, base);
    const QSize cell = canvas.cellSize();
    const TextStyle style{palette().color(QPalette::Text), {}};
    int left = margin;
    const auto write = [&](const QString &text) {
        canvas.text({left, (whole.height() - cell.height()) / 2}, text, style, whole);
        left += (cellWidth(text) + 1) * cell.width();
    };
    if (!m_scale.name.isEmpty())
        write(tr("%1: %2", "value: least").arg(m_scale.name, m_scale.fromText));
    for (const Entry &entry : entries()) {
        for (const RankTile &tile : entry.tiles) {
            drawTile(canvas, palette(), {left, (whole.height() - tileSide) / 2, tileSide, tileSide}, tile);
            left += tileSide;
        }
        left += cell.width() / 2;
        write(entry.text);
        left += cell.width();
    }
}

} // namespace rankdeck
