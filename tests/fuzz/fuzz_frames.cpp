// What comes from an agent besides events: the same lines and frames however the stream is cut, nothing that
// is too large, and pieces of logs and what is said of them that read as they were written.

#include "agent/channel/frames.h"
#include "demand.h"
#include "run/mirror/logtalk.h"

#include <QList>

#include <algorithm>
#include <cstdint>

using namespace rankdeck;

namespace
{

constexpr qsizetype longestLine = 1000;

QList<FrameDecoder::Item> taken(QByteArrayView text, qsizetype piece, FrameDecoder &decoder)
{
    QList<FrameDecoder::Item> items;
    for (qsizetype at = 0; at < text.size(); at += piece) {
        decoder.add(text.sliced(at, std::min(piece, text.size() - at)));
        while (const auto item = decoder.take())
            items << *item;
    }
    return items;
}

void look(const QByteArray &line)
{
    demand(line.size() <= longestLine && !line.contains('\n'));
    if (const auto news = LogNews::fromLine(line))
        demand(LogNews::fromLine(news->toLine()) == news);
    if (const auto wish = LogWish::fromLine(line))
        demand(LogWish::fromLine(wish->toLine()) == wish);
}

void look(QByteArrayView bytes)
{
    const auto chunk = LogChunk::fromBytes(bytes);
    if (!chunk)
        return;
    demand(!chunk->bytes.isEmpty() && chunk->bytes.size() <= LogChunk::mostBytes && chunk->offset >= 0);
    demand(LogChunk::fromBytes(chunk->toBytes(true)) == chunk);
    demand(LogChunk::fromBytes(chunk->toBytes(false)) == chunk);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const QByteArrayView text(reinterpret_cast<const char *>(data) + 1, static_cast<qsizetype>(size) - 1);
    FrameDecoder whole(longestLine);
    FrameDecoder cut(longestLine);
    const auto items = taken(text, std::max<qsizetype>(1, text.size()), whole);
    demand(taken(text, 1 + data[0], cut) == items);
    demand(whole.isUnusable() == cut.isUnusable());
    for (const FrameDecoder::Item &item : items) {
        if (const auto *frame = std::get_if<Frame>(&item))
            look(QByteArrayView(frame->bytes));
        else
            look(std::get<QByteArray>(item));
    }
    look(text);
    return 0;
}
