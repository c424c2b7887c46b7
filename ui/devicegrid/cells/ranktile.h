#pragma once

#include "devicegrid/cells/devicecellpainter.h"

namespace rankdeck
{

/// The quantity shown by the colour of a tile.
enum class TileColor { State, AiCore, Hbm, Temperature, StepLag, Cpu, Memory };

/// A shape on a tile, so that no state is shown by colour alone.
enum class TileSign { None, Failed, Stalled, Held, Stopped, Succeeded, Lost };

/// The tile of a rank. Differences between two tiles must be drawn again.
struct RankTile {
    static constexpr int steps = 8;    ///< Number of colours for a value.
    static constexpr int unknown = -1; ///< The value is not known: the tile is hollow.
    static constexpr int ofState = -2; ///< The colour is that of `tone`.

    bool isOurs = false; ///< This run started something on the device.
    Tone tone = Tone::Idle;
    TileSign sign = TileSign::None;
    bool hasAlarm = false; ///< Its NPU is unhealthy.
    int step = ofState;    ///< 0: the least value.
    DeviceCellMarks marks = {};

    bool operator==(const RankTile &) const = default;
};

/// The kinds of tiles that occur: by sign, those without one by tone.
class TileKinds
{
public:
    void add(const RankTile &tile) { m_bits |= bitOf(tile); }
    bool has(const RankTile &tile) const { return (m_bits & bitOf(tile)) != 0; }
    bool isEmpty() const { return m_bits == 0; }
    bool operator==(const TileKinds &) const = default;

private:
    static quint32 bitOf(const RankTile &tile)
    {
        constexpr int mostTones = 16;
        const int kind = tile.sign == TileSign::None ? int(tile.tone) : mostTones + int(tile.sign);
        return quint32(1) << kind;
    }

    quint32 m_bits = 0;
};

/// Returns the tile of a rank in this state, in the state's colour.
/// @param isAnyHeld RunState::isAnyHeld(): stalled ranks wait for the held ones.
RankTile rankTile(const RunState &state, int process, bool isAnyHeld);

/// The values at which the colours of tiles begin and end.
struct TileScale {
    double from = 0;
    double to = 100;
    QString name;
    QString fromText;
    QString toText;

    /// Returns 0 to RankTile::steps - 1; RankTile::unknown without a value.
    int step(const std::optional<double> &value) const;
    bool operator==(const TileScale &) const = default;
};

/// Returns the scale of a value; of the state an empty one.
/// @param mostMemory the largest memory of a rank, bytes: the scale reaches the next power of two.
TileScale tileScale(TileColor color, double mostMemory);

/// Draws a tile.
void drawTile(Canvas &canvas, const QPalette &palette, const QRect &area, const RankTile &tile);

} // namespace rankdeck
