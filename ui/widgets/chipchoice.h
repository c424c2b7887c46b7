#pragma once

#include "ranktable/rules/ranktablecheck.h"

#include <QComboBox>

namespace rankdeck
{

/// The choice of the NPU that a rank table is checked for. Remembered across windows.
class ChipChoice : public QComboBox
{
    Q_OBJECT

public:
    ChipChoice();

    Chip chip() const { return Chip(currentData().toInt()); }
    /// Returns the last choice in any window.
    static Chip remembered();

Q_SIGNALS:
    /// The user chose a chip; remembered() returns it already.
    void chosen(rankdeck::Chip chip);
};

} // namespace rankdeck
