#include "diagnosis/logdirectory/consolelog.h"

#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"

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

/// What was read of each rank and not written yet. Written in between, so that a great log needs little
/// memory.
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
                m_error = Error{tr("cannot be written: %1").arg(file.errorString()), file.fileName(), {}};
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
    return m_directory ? m_directory->filePath(QStringLiteral("rank-%1.log").arg(rank)) : QString();
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
    if (m_inLine->rank)
        copies.add(*m_inLine->rank, text);
}

std::optional<Error> SplitLog::update()
{
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), m_path, {}};
    if (!m_lines || file.size() < m_offset) {
        m_directory = std::make_unique<QTemporaryDir>();
        m_lines = std::make_unique<RankLines>(file.peek(RankPrefixes::sampleBytes));
        m_offset = 0;
        m_inLine.reset();
    }
    if (!m_directory->isValid())
        return Error{
            tr("cannot create a directory for the log of each rank: %1").arg(m_directory->errorString()),
            m_directory->path(),
            {}};
    if (file.size() == m_offset || !file.seek(m_offset))
        return std::nullopt;
    Copies copies(*this);
    qint64 before = 0; // Where the line before ended; the scan begins at 0.
    const auto finishLine = [&] {
        if (m_inLine && m_inLine->rank)
            copies.add(*m_inLine->rank, "\n");
        m_inLine.reset();
    };
    const auto lines = scanLines(file, [&](const ScannedLine &line) {
        if (line.end.value - line.text.size() > before)
            finishLine();
        before = line.end.value;
        take(line.text, copies);
        return true;
    });
    if (m_offset + before < file.pos())
        finishLine();
    m_offset = file.pos();
    const auto error = copies.write();
    return lines ? error : std::optional(lines.error());
}

} // namespace rankdeck
