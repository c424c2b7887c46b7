// What a diagnosis reads of a log's lines, and the verdict in somebody's bundle.

#include "base/fields.h"
#include "demand.h"
#include "diagnosis/evidence/linesigns.h"
#include "diagnosis/evidence/namedpeers.h"
#include "diagnosis/evidence/pythontrace.h"
#include "diagnosis/verdict/verdict.h"
#include "launch/plan/launchplan.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

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

void readLog(const QByteArray &log)
{
    static const LineSigns signs(ErrorCatalogue::load());
    PythonTrace trace;
    for (const QByteArray &line : log.split('\n')) {
        const std::string_view bytes(line.data(), static_cast<std::size_t>(line.size()));
        demand(signs.of(bytes).entry == signs.catalogue().bestFor(bytes));
        readPeers(line);
        trace.add(QString::fromUtf8(line));
    }
    demand(trace.lines.size() <= PythonTrace::mostLines);
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
