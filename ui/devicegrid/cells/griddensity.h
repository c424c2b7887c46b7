#pragma once

#include "base/tr.h"

namespace rankdeck
{

/// How large the ranks of a grid are, from the smallest.
enum class GridDensity { Tiles8, Tiles12, Tiles16, Tiles20, Tiles24, Lines, Cells };

/// Returns the width and height of a tile in pixels, with its frame; 0: there are none.
constexpr int tileSize(GridDensity density)
{
    return density <= GridDensity::Tiles24 ? 8 + 4 * int(density) : 0;
}

/// The densities from which a grid takes the largest one at which all its ranks have room.
struct DensityRange {
    GridDensity least = GridDensity::Cells;
    GridDensity most = GridDensity::Cells;

    static constexpr DensityRange automatic() { return {GridDensity::Tiles8, GridDensity::Cells}; }
    static constexpr DensityRange tiles() { return {GridDensity::Tiles8, GridDensity::Tiles24}; }
    static constexpr DensityRange only(GridDensity density) { return {density, density}; }

    bool operator==(const DensityRange &) const = default;
};

} // namespace rankdeck
