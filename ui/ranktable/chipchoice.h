#pragma once

#include "ranktable/ranktablecheck.h"

#include <QComboBox>

namespace rankdeck
{

/// For which NPU a rank table is checked. Remembered from one window to the next.
class ChipChoice : public QComboBox
{
    Q_OBJECT

public:
    explicit ChipChoice(QWidget *parent = nullptr);

    Chip chip() const;
    /// What was chosen last, anywhere.
    static Chip remembered();

Q_SIGNALS:
    /// By the user; remembered() already says so.
    void chosen(rankdeck::Chip chip);
};

} // namespace rankdeck
