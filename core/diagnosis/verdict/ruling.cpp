#include "diagnosis/verdict/ruling.h"

#include "base/listcomma.h"

namespace rankdeck
{

QString listOf(const Ranks &ranks)
{
    QStringList numbers;
    for (const RankEvidence *rank : ranks)
        numbers << QString::number(rank->rank.value);
    return numbers.join(listComma());
}

Ranks thatSay(const Case &evidence, RankEvidence::Says what)
{
    Ranks ranks;
    for (const RankEvidence &rank : evidence.workers) {
        if (rank.says() == what)
            ranks.push_back(&rank);
    }
    return ranks;
}

Ruling ruling(const char *name, const Sentence &reason, const RankEvidence *root, const Ranks &witnesses)
{
    Ruling made;
    made.rule = QLatin1String(name);
    made.reason = reason;
    made.root = root;
    made.confidence = root ? Verdict::Confidence::Likely : Verdict::Confidence::Undecided;
    if (root)
        made.witnesses.push_back(root);
    for (const RankEvidence *each : witnesses) {
        if (each != root)
            made.witnesses.push_back(each);
    }
    return made;
}

Ruling undecided(const char *name, const Sentence &reason, const Ranks &candidates, const Ranks &witnesses)
{
    Ruling made = ruling(name, reason, nullptr, witnesses);
    made.candidates = candidates;
    return made;
}

bool hasTimedOut(const RankEvidence *waiting)
{
    return waiting->firstError()->tellsOfTimeout();
}

} // namespace rankdeck
