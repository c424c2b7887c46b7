#include "diagnosis/logdirectory/consolelog.h"

#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"

#include <QBuffer>
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
    static_cast<void>(lines); // Lines before a read error still count.
    return log;
}

/// Cached results for the files that were read last: a watched directory is read again and again.
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

/// Each rank's lines that are not written yet; written now and then, so that a large log needs little memory.
class SplitLog::Copies
{
public:
    explicit Copies(const SplitLog &log)
        : m_log(log)
    {
    }

    void add(int rank, QByteArrayView text)
    {
        m_texts[rank].append(text);
        m_bytes += text.size();
        if (m_bytes > mostBytes)
            write();
    }
    std::optional<Error> write()
    {
        for (auto &[rank, text] : m_texts) {
            QFile file(m_log.fileOf(rank));
            if (!file.open(QIODevice::WriteOnly | QIODevice::Append) || file.write(text) != text.size() ||
                !file.flush())
                m_error = Error{tr("cannot be written: %1").arg(problemOf(file)), file.fileName(), {}};
        }
        m_texts.clear();
        m_bytes = 0;
        return m_error;
    }

private:
    static constexpr qint64 mostBytes = 16 * 1024 * 1024;

    const SplitLog &m_log;
    std::map<int, QByteArray> m_texts;
    qint64 m_bytes = 0;
    std::optional<Error> m_error;
};

QString SplitLog::fileOf(int rank) const
{
    const QString directory = m_ownDirectory ? m_ownDirectory->path() : m_directory;
    return directory.isEmpty() ? QString() : directory + u"/rank-%1.log"_s.arg(rank);
}

/// Takes a line, or the next piece of one.
void SplitLog::take(QByteArrayView text, Copies &copies)
{
    QByteArray plain;
    if (!m_inLine) {
        if (text.contains('\x1b')) {
            plain = AnsiDecoder::plainText(text).toUtf8();
            text = plain;
        }
        const auto prefix = m_lines->of(text);
        m_inLine = InLine{prefix ? std::optional(prefix->rank) : std::nullopt};
        if (prefix)
            text = text.sliced(prefix->size);
    }
    if (m_inLine->rank && m_ranks.size() == mostRanks && !m_ranks.contains(*m_inLine->rank))
        m_inLine->rank.reset(); // A log may say anything.
    if (!m_inLine->rank)
        return;
    m_ranks.insert(*m_inLine->rank);
    copies.add(*m_inLine->rank, text);
}

/// Samples the log again each time its size has doubled, up to a sample: its first lines may not be enough.
std::optional<Error> SplitLog::begin(QFile &log)
{
    const qint64 size = std::min<qint64>(log.size(), RankPrefixes::sampleBytes);
    const bool isCut = log.size() < m_offset;
    if (m_lines && !isCut && (size < 2 * m_sampled || size == m_sampled))
        return std::nullopt;
    const RankPrefixes prefixes(log.peek(size));
    m_sampled = size;
    if (m_lines && !isCut && m_prefixes == prefixes)
        return std::nullopt;
    if (m_directory.isEmpty()) {
        m_ownDirectory = std::make_unique<QTemporaryDir>();
        if (!m_ownDirectory->isValid())
            return Error{tr("cannot create a directory for the log of each rank: %1")
                             .arg(m_ownDirectory->errorString()),
                         m_ownDirectory->path(),
                         {}};
    }
    for (const int rank : std::exchange(m_ranks, {}))
        QFile::resize(fileOf(rank), 0);
    m_prefixes = prefixes;
    m_lines = std::make_unique<RankLines>(prefixes);
    m_offset = 0;
    m_inLine.reset();
    return std::nullopt;
}

std::optional<Error> SplitLog::update()
{
    do {
        if (auto error = takeNext(false))
            return error;
    } while (m_isBehind);
    return std::nullopt;
}

/// Returns the size without an unfinished line at the end that is so short that its prefix may be, too.
static qsizetype finishedSize(const QByteArray &text)
{
    constexpr qsizetype prefixBytes = 256;
    const qsizetype begin = text.lastIndexOf('\n') + 1;
    return text.size() - begin < prefixBytes ? begin : text.size();
}

std::optional<Error> SplitLog::takeNext(bool leavesUnfinished)
{
    m_isBehind = false;
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(problemOf(file)), m_path, {}};
    if (auto error = begin(file))
        return error;
    if (file.size() == m_offset || !file.seek(m_offset))
        return std::nullopt;
    QByteArray added = file.read(stepBytes);
    m_isBehind = added.size() == stepBytes;
    if (leavesUnfinished && !m_inLine)
        added.truncate(finishedSize(added));
    QBuffer input(&added);
    input.open(QIODevice::ReadOnly);
    Copies copies(*this);
    qint64 before = 0; // Where the line before ended; the scan begins at 0.
    const auto finishLine = [&] {
        if (m_inLine && m_inLine->rank)
            copies.add(*m_inLine->rank, "\n");
        m_inLine.reset();
    };
    const auto lines = scanLines(input, [&](const ScannedLine &line) {
        if (line.end.value - line.text.size() > before)
            finishLine();
        before = line.end.value;
        take(line.text, copies);
        return true;
    });
    if (before < added.size())
        finishLine();
    m_offset += added.size();
    const auto error = copies.write();
    return lines ? error : std::optional(lines.error());
}

} // namespace rankdeck
