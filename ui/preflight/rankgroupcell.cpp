#include "preflight/rankgroupcell.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

struct RankGroupsText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::RankGroups)
};

constexpr int letters = 26;

} // namespace

QString groupLetter(int group)
{
    QString word;
    for (int rest = group; rest >= 0; rest = rest / letters - 1)
        word.prepend(QChar(u'A' + rest % letters));
    return word;
}

QString shownStage(SelfTestStage stage)
{
    switch (stage) {
    case SelfTestStage::Missing:
        return RankGroupsText::tr("○ missing", "a rank");
    case SelfTestStage::Arrived:
        return RankGroupsText::tr("● arrived", "a rank");
    case SelfTestStage::Pairs:
        return RankGroupsText::tr("↔ pairs", "a rank is at");
    case SelfTestStage::Connecting:
        return RankGroupsText::tr("… connecting", "a rank is");
    case SelfTestStage::Collectives:
        return RankGroupsText::tr("▸ collectives", "a rank is at");
    case SelfTestStage::Done:
        return RankGroupsText::tr("✓ done", "a rank");
    case SelfTestStage::Failed:
        return RankGroupsText::tr("× failed", "a rank");
    }
    return {};
}

Tone toneOf(SelfTestStage stage)
{
    switch (stage) {
    case SelfTestStage::Missing:
        return Tone::Idle;
    case SelfTestStage::Arrived:
    case SelfTestStage::Pairs:
    case SelfTestStage::Connecting:
    case SelfTestStage::Collectives:
        return Tone::Active;
    case SelfTestStage::Done:
        return Tone::Good;
    case SelfTestStage::Failed:
        return Tone::Bad;
    }
    return Tone::Idle;
}

} // namespace rankdeck
