#include "diagnosis/logdirectory/consolelog.h"

#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "log/line/rankprefix.h"

#include <QFile>
#include <QFileInfo>

#include <deque>
#include <mutex>
#include <tuple>

namespace rankdeck
{

namespace
{

ConsoleLog readWhole(const QString &path)
{
    constexpr std::size_t mostRanks = 65536;
    ConsoleLog log;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return log;
    const RankPrefixes prefixes(file.peek(RankPrefixes::sampleBytes));
    const auto lines = scanLines(file, [&](const ScannedLine &line) {
        const QByteArray plain =
            line.text.contains('\x1b') ? AnsiDecoder::plainText(line.text).toUtf8() : QByteArray();
        QByteArrayView text = plain.isEmpty() ? line.text : QByteArrayView(plain);
        if (const auto prefix = prefixes.of(text)) {
            text = text.sliced(prefix->size);
            if (log.ranks.size() < mostRanks)
                log.ranks.insert(prefix->rank);
        }
        log.words.take(text);
        return true;
    });
    static_cast<void>(lines); // What was read before an error still counts.
    return log;
}

/// What was read of the files that were asked for last. A directory that is watched asks again and again.
class Known
{
public:
    ConsoleLog of(const QString &path)
    {
        const QFileInfo file(path);
        const Key key{path, file.size(), file.lastModified()};
        {
            const std::lock_guard lock(m_mutex);
            const auto found = std::ranges::find(m_logs, key, &std::pair<Key, ConsoleLog>::first);
            if (found != m_logs.end())
                return found->second;
        }
        ConsoleLog log = readWhole(path);
        const std::lock_guard lock(m_mutex);
        if (m_logs.size() >= most)
            m_logs.pop_front();
        m_logs.emplace_back(key, log);
        return log;
    }

private:
    using Key = std::tuple<QString, qint64, QDateTime>;
    static constexpr std::size_t most = 8;

    std::mutex m_mutex;
    std::deque<std::pair<Key, ConsoleLog>> m_logs;
};

} // namespace

ConsoleLog readConsoleLog(const QString &path)
{
    static Known known;
    return known.of(path);
}

} // namespace rankdeck
