#pragma once

#include "collective/selftest.h"
#include "state/tone.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// What a cell of the grid of ranks shows. Comparing two of them says whether it has to be drawn again.
struct RankGroupCell {
    int rank = 0; ///< Of the self-test.
    SelfTestStage stage = SelfTestStage::Missing;
    QString text;         ///< Why it failed.
    int group = -1;       ///< Index; -1: in none.
    QList<int> members;   ///< Of its group, as the launch numbers them.
    bool isWhole = false; ///< The group is all ranks.

    bool operator==(const RankGroupCell &) const = default;
};

/// "A" … "Z", "AA" …
QString groupLetter(int group);
/// "▸ collectives": with a sign, for people.
QString shownStage(SelfTestStage stage);

Tone toneOf(SelfTestStage stage);

} // namespace rankdeck
