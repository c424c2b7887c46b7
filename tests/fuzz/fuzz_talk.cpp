// What either end of a run's socket hears: the same lines however the stream is cut, and never more than one
// line kept.

#include "demand.h"
#include "run/control/peer.h"
#include "run/record/attachedtool.h"
#include "run/record/runrequests.h"
#include "run/samples/nodesample.h"

#include <QList>

#include <algorithm>
#include <cstdint>

using namespace rankdeck;

namespace
{

QList<QByteArray> heard(QByteArrayView text, qsizetype piece, PeerTalk &talk)
{
    QList<QByteArray> lines;
    for (qsizetype at = 0; at < text.size(); at += piece) {
        talk.hear(text.sliced(at, std::min(piece, text.size() - at)));
        while (const auto line = talk.takeLine())
            lines << *line;
    }
    return lines;
}

/// What is understood is understood again when it is said.
template <typename Said>
void demandSame(const QByteArray &line)
{
    const auto said = Said::fromLine(line);
    demand(!said || Said::fromLine(said->toLine()) == said);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const QByteArrayView text(reinterpret_cast<const char *>(data) + 1, static_cast<qsizetype>(size) - 1);
    PeerTalk whole;
    PeerTalk cut;
    const QList<QByteArray> lines = heard(text, std::max<qsizetype>(1, text.size()), whole);
    demand(heard(text, 1 + data[0], cut) == lines);
    demand(whole.state() == cut.state());
    demand(lines.isEmpty() || text.startsWith(runProtocol));
    for (const QByteArray &line : lines) {
        demand(line.size() <= PeerTalk::longestLine && !line.contains('\n'));
        demandSame<StopRequest>(line);
        demandSame<SignalRequest>(line);
        demandSame<ToolRequest>(line);
        demandSame<KeyboardRequest>(line);
        demandSame<Keyboard>(line);
        demandSame<SampleWish>(line);
        if (const auto sample = NodeSample::fromLine(line)) {
            const auto again = NodeSample::fromLine(sample->toLine());
            demand(again && again->toLine() == sample->toLine());
            demand(sample->users.isEmpty() || sample->users.size() == sample->devices->samples.size());
        }
        const auto input = TerminalInput::fromLine(line);
        if (!input || input->bytes.size() <= TerminalInput::mostBytes)
            demandSame<TerminalInput>(line);
    }
    return 0;
}
