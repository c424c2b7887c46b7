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
        demand(!Keyboard::fromLine(line) ||
               Keyboard::fromLine(Keyboard::fromLine(line)->toLine()) == Keyboard::fromLine(line));
        if (const auto sample = NodeSample::fromLine(line)) {
            const auto again = NodeSample::fromLine(sample->toLine());
            demand(again && again->toLine() == sample->toLine());
            demand(sample->users.isEmpty() || sample->users.size() == sample->devices->samples.size());
        }
        const auto message = clientMessageFrom(line);
        const auto *input = message ? std::get_if<TerminalInput>(&*message) : nullptr;
        if (message && (!input || input->bytes.size() <= TerminalInput::mostBytes))
            demand(clientMessageFrom(toLine(*message)) == message);
    }
    return 0;
}
