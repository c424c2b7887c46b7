#include "diagnosis/evidence/consoleevidence.h"

#include "base/tr.h"
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
/// Lines without a head that may follow one that names its rank.
constexpr int mostGoingOn = 200;

/// Deals the lines of one file out to the readings of its ranks.
class Dealing
{
public:
    Dealing(const QString &path, const LineSigns &signs, QByteArrayView sample)
        : m_path(path)
        , m_signs(signs)
        , m_prefixes(sample)
        , m_rest(path, signs, m_noTimes, LogReading::Owner::Many)
    {
    }

    void take(const ScannedLine &scanned);
    ConsoleEvidence finish(qint64 lines);

private:
    LogReading &readingOf(const RankPrefix &prefix);
    bool goesOn(QByteArrayView text);

    QString m_path;
    const LineSigns &m_signs;
    const LogReading::TimeOf m_noTimes;
    RankPrefixes m_prefixes;
    LogReading m_rest;
    std::map<int, LogReading> m_ranks;
    LauncherWords m_words;
    LogReading *m_last = nullptr; ///< Whose lines without a head may follow.
    int m_goingOn = 0;
};

void Dealing::take(const ScannedLine &scanned)
{
    const QByteArray plain =
        scanned.text.contains('\x1b') ? AnsiDecoder::plainText(scanned.text).toUtf8() : QByteArray();
    ScannedLine line = scanned;
    if (!plain.isEmpty())
        line.text = plain;
    const auto prefix = m_prefixes.of(line.text);
    if (prefix)
        line.text = line.text.sliced(prefix->size);
    if (m_words.take(line.text))
        return;
    if (prefix) {
        LogReading &reading = readingOf(*prefix);
        m_last = prefix->goesOn ? &reading : nullptr;
        m_goingOn = 0;
        reading.take(line);
    } else {
        (goesOn(line.text) ? *m_last : m_rest).take(line);
    }
}

LogReading &Dealing::readingOf(const RankPrefix &prefix)
{
    const auto known = m_ranks.find(prefix.rank);
    if (known != m_ranks.end())
        return known->second;
    if (m_ranks.size() >= mostRanks)
        return m_rest;
    return m_ranks.try_emplace(prefix.rank, m_path, m_signs, m_noTimes).first->second;
}

/// Returns true if the line continues the one before it, whose head names its rank.
bool Dealing::goesOn(QByteArrayView text)
{
    if (!m_last)
        return false;
    const bool isOther = readLogLineHead(text).saysAnything() || text.startsWith("Traceback ");
    if (isOther || ++m_goingOn > mostGoingOn)
        m_last = nullptr;
    return m_last != nullptr;
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
