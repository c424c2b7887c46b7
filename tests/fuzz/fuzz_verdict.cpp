// What a diagnosis reads of a log's lines, and the verdict in somebody's bundle.

#include "base/fields.h"
#include "demand.h"
#include "diagnosis/evidence/logevidence.h"
#include "diagnosis/evidence/namedpeers.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include <sys/mman.h>
#include <unistd.h>

using namespace rankdeck;

namespace
{

void readPeers(QByteArrayView line)
{
    NamedPeers peers = namedPeers(line);
    demand(peers.ranks.size() <= NamedPeers::most && peers.places.size() <= NamedPeers::most);
    demand(std::all_of(peers.ranks.begin(), peers.ranks.end(), [](int rank) { return rank >= 0; }));
    const NamedPeers once = peers;
    peers.add(once);
    demand(peers == once);
}

void checkEvidence(const LogEvidence &evidence, qint64 lines)
{
    demand(evidence.errorCount >= static_cast<qint64>(evidence.errors.size()));
    demand(std::ranges::is_sorted(evidence.errors, {}, &ErrorLine::line));
    demand(evidence.errors.empty() || evidence.errors.back().line.value < lines);
    demand(std::ranges::all_of(evidence.traces, [](const PythonTrace &trace) {
        return trace.lines.size() <= PythonTrace::mostLines;
    }));
}

/// Of a file in memory, as a log of one rank and as a console of many.
void readLog(const QByteArray &log)
{
    static const ErrorCatalogue catalogue = ErrorCatalogue::load();
    static const int file = memfd_create("log", 0);
    static const QString path = u"/proc/self/fd/%1"_s.arg(file);
    demand(ftruncate(file, 0) == 0 && pwrite(file, log.constData(), size_t(log.size()), 0) == log.size());
    for (const QByteArray &line : log.split('\n')) {
        const std::string_view bytes(line.data(), static_cast<std::size_t>(line.size()));
        demand((catalogue.signsOf(bytes).entry == nullptr) == catalogue.allFor(bytes).empty());
        readPeers(line);
    }
    const auto one = readEvidence(path, catalogue);
    demand(bool(one));
    demand(one->errors.size() <= LogEvidence::mostErrors);
    checkEvidence(*one, one->lines);
    const auto console = readConsole(path, catalogue);
    demand(bool(console));
    checkEvidence(console->rest, one->lines);
    for (const auto &[rank, evidence] : console->ranks) {
        demand(rank >= 0);
        checkEvidence(evidence, one->lines);
    }
}

/// Told again, a verdict is the same.
void readVerdict(const QByteArray &text)
{
    LaunchPlan plan;
    plan.processes.resize(3);
    const auto verdict = verdictFrom(text, plan);
    if (!verdict)
        return;
    const auto again = verdictFrom(jsonTextOf(*verdict), plan);
    demand(again && jsonTextOf(*again) == jsonTextOf(*verdict));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    readLog(text);
    readVerdict(text);
    return 0;
}
