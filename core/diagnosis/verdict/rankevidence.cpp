#include "diagnosis/verdict/rankevidence.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

using Blame = ErrorEntry::Blame;

} // namespace

const ErrorLine *RankEvidence::firstError() const
{
    for (const bool isWarning : {false, true}) {
        const auto blaming = std::find_if(errors.begin(), errors.end(), [&](const ErrorLine &error) {
            return error.blame != Blame::Nobody && error.isWarning == isWarning;
        });
        if (blaming != errors.end())
            return &*blaming;
    }
    const auto heaviest =
        std::max_element(errors.begin(), errors.end(), [](const ErrorLine &one, const ErrorLine &other) {
            return one.weight < other.weight;
        });
    return heaviest == errors.end() ? nullptr : &*heaviest;
}

const ErrorLine *RankEvidence::heaviestError() const
{
    const ErrorLine *heaviest = firstError();
    if (!heaviest)
        return nullptr;
    const ErrorLine first = *heaviest;
    for (const ErrorLine &error : errors) {
        if (error.blame == first.blame && error.isWarning == first.isWarning &&
            error.weight > heaviest->weight)
            heaviest = &error;
    }
    return heaviest;
}

RankEvidence::Says RankEvidence::says() const
{
    const ErrorLine *first = firstError();
    if (ranOutOfMemory() && (!first || first->blame == Blame::Nobody))
        return Says::OwnError;
    if (!first)
        return errorFile ? Says::Something : Says::Nothing;
    switch (first->blame) {
    case Blame::Self:
        return Says::OwnError;
    case Blame::Peer:
        return Says::Waiting;
    case Blame::Pair:
        return Says::Disagrees;
    case Blame::Nobody:
        break;
    }
    return Says::Something;
}

std::optional<LogTime> RankEvidence::failed() const
{
    if (errorFile && errorFile->timestamp)
        return logTimeOf(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(*errorFile->timestamp * 1000)));
    const ErrorLine *first = firstError();
    if (first && first->time)
        return first->time;
    return ended;
}

NamedPeers RankEvidence::peers() const
{
    NamedPeers all;
    for (const ErrorLine &error : errors)
        all.add(error.peers);
    // A scheduler's number is that of a worker, too.
    if (role == Role::Worker)
        all.ranks.erase(std::remove(all.ranks.begin(), all.ranks.end(), rank.value), all.ranks.end());
    return all;
}

} // namespace rankdeck
