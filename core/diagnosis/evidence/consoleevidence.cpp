#include "diagnosis/evidence/consoleevidence.h"

#include "diagnosis/evidence/logreading.h"
#include "log/line/ansidecoder.h"
#include "log/line/rankprefix.h"

#include <QFile>

namespace rankdeck
{

namespace
{

/// Ranks that one file may speak of: a number before a line may mean anything.
constexpr std::size_t mostRanks = 65536;

/// Deals the lines of one file out to the readings of its ranks.
class Dealing
{
public:
    Dealing(const QString &path, const LineSigns &signs, QByteArrayView sample)
        : m_path(path)
        , m_signs(signs)
        , m_lines(sample)
        , m_rest(path, signs, m_noTimes, LogReading::Owner::Many)
    {
    }

    void take(const ScannedLine &scanned);
    ConsoleEvidence finish(qint64 lines);

private:
    LogReading &readingOf(int rank);

    QString m_path;
    const LineSigns &m_signs;
    const LogReading::TimeOf m_noTimes;
    RankLines m_lines;
    LogReading m_rest;
    std::map<int, LogReading> m_ranks;
    LauncherWords m_words;
};

void Dealing::take(const ScannedLine &scanned)
{
    const QByteArray plain =
        scanned.text.contains('\x1b') ? AnsiDecoder::plainText(scanned.text).toUtf8() : QByteArray();
    ScannedLine line = scanned;
    if (!plain.isEmpty())
        line.text = plain;
    const auto prefix = m_lines.of(line.text);
    if (prefix)
        line.text = line.text.sliced(prefix->size);
    if (!m_words.take(line.text))
        (prefix ? readingOf(prefix->rank) : m_rest).take(line);
}

LogReading &Dealing::readingOf(int rank)
{
    const auto known = m_ranks.find(rank);
    if (known != m_ranks.end())
        return known->second;
    if (m_ranks.size() >= mostRanks)
        return m_rest;
    return m_ranks.try_emplace(rank, m_path, m_signs, m_noTimes).first->second;
}

ConsoleEvidence Dealing::finish(qint64 lines)
{
    ConsoleEvidence evidence;
    for (auto &[rank, reading] : m_ranks)
        evidence.ranks.emplace(rank, reading.finish(lines));
    evidence.rest = m_rest.finish(lines);
    evidence.words = std::move(m_words);
    return evidence;
}

} // namespace

Result<ConsoleEvidence> readConsole(const QString &path, const LineSigns &signs,
                                    const std::function<bool()> &isCancelled)
{
    constexpr qint64 linesBetweenQuestions = 4096;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("cannot be read: %1").arg(file.errorString()), path, {}};
    Dealing dealing(path, signs, file.peek(RankPrefixes::sampleBytes));
    const auto lines = scanLines(file, [&](const ScannedLine &line) {
        dealing.take(line);
        return !isCancelled || line.line.value % linesBetweenQuestions != 0 || !isCancelled();
    });
    if (!lines)
        return Error{lines.error().what, path, {}};
    return dealing.finish(*lines);
}

} // namespace rankdeck
