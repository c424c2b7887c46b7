#pragma once

#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/verdict/verdictrules.h"

#include <QTest>

#include <vector>

using namespace Qt::StringLiterals;

// A case as nobody's logs gave it: what is not said of a rank is not known of it.

using Layer = rankdeck::ErrorEntry::Layer;

inline rankdeck::LogTime second(double seconds)
{
    return rankdeck::LogTime(static_cast<qint64>((1'764'000'000 + seconds) * 1e6));
}

/// One entry for each kind of layer, and one that says little.
inline rankdeck::ErrorCatalogue smallCatalogue()
{
    const auto entry = [](const char *id, const char *pattern, int weight, Layer layer, const char *title) {
        rankdeck::ErrorEntry made;
        made.id = QString::fromLatin1(id);
        made.pattern = pattern;
        made.weight = weight;
        made.layer = layer;
        made.title = {QString::fromLatin1(title), QString::fromLatin1(title)};
        return made;
    };
    const auto made = rankdeck::ErrorCatalogue::fromEntries({
        entry("python-value-error", "ValueError", 30, Layer::Own, "A value is wrong"),
        entry("cann-EE9999", "EE9999", 20, Layer::Wrapper, "Something failed"),
        entry("npu-memory", "NPU out of memory", 90, Layer::Own, "The device has no memory left"),
        entry("hccl-EI0006", "EI0006|socket timeout", 50, Layer::Wait, "Another rank did not connect"),
        entry("hccl-EI0005", "EI0005", 60, Layer::Disagreement, "Ranks do not agree"),
    });
    return made.value();
}

inline rankdeck::ErrorLine errorLine(Layer layer, const char *text, std::optional<double> when = {},
                                     std::vector<int> peers = {})
{
    rankdeck::ErrorLine error;
    error.file = u"worker.log"_s;
    error.text = QString::fromUtf8(text);
    error.layer = layer;
    if (when)
        error.time = second(*when);
    error.peers.ranks = std::move(peers);
    return error;
}

inline rankdeck::RankEvidence rankWith(int rank, std::vector<rankdeck::ErrorLine> errors = {})
{
    rankdeck::RankEvidence made;
    made.process = rank;
    made.rank = rankdeck::Rank(rank);
    made.errors = std::move(errors);
    made.logBytes = 1000;
    return made;
}

inline rankdeck::RankEvidence waiting(int rank, std::vector<int> peers = {}, std::optional<double> when = {})
{
    return rankWith(rank, {errorLine(Layer::Wait, "socket timeout", when, std::move(peers))});
}

/// Ended by itself, at this time.
inline rankdeck::RankEvidence ended(rankdeck::RankEvidence rank, rankdeck::ExitStatus status,
                                    std::optional<double> when = {})
{
    rank.phase = status.isSuccess() ? rankdeck::RankPhase::Exited : rankdeck::RankPhase::Failed;
    rank.status = status;
    if (when)
        rank.ended = second(*when);
    return rank;
}

/// The log ends at this time.
inline rankdeck::RankEvidence heardOf(rankdeck::RankEvidence rank, double when)
{
    rank.lastTime = second(when);
    return rank;
}

inline rankdeck::Case caseOf(std::vector<rankdeck::RankEvidence> workers)
{
    rankdeck::Case made;
    made.workers = std::move(workers);
    // As if there were one server: a device has the rank of its number.
    made.rankAt = [](const rankdeck::PeerPlace &place) {
        return place.device;
    };
    return made;
}
