#include "debugger/rankanswers.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

constexpr int firstLookMs = 15;
constexpr int longestLookMs = 250;
constexpr int ranksAMs = 8;
constexpr qint64 chunkBytes = 64 * 1024;
constexpr int mostChunks = 16; ///< Most chunks read from one rank's log in one look.

/// The beginning of a command as its echo shows it wherever the terminal breaks the line: without blanks.
static QString echoOf(QStringView command)
{
    constexpr qsizetype longestEcho = 16;
    QString echo;
    for (const QChar each : command) {
        if (each.isSpace() && each != ' '_L1)
            break;
        if (!each.isSpace() && echo.size() < longestEcho)
            echo += each;
    }
    return echo;
}

/// Returns the row with the command that the terminal echoes; -1 before the echo. A prompt that is still
/// being drawn when the command is typed may come before it, with line breaks of its own.
static int echoRow(const ScreenTail &screen, const QString &echo)
{
    const auto row =
        std::ranges::find_if(screen.lines, [&](QString line) { return line.remove(' '_L1).contains(echo); });
    return row == screen.lines.end() ? -1 : int(row - screen.lines.begin());
}

/// Without the line of the command itself, and the prompt after it.
static QString answerText(const QByteArray &printed, const QString &echo, bool isWhole)
{
    const ScreenTail screen = ScreenTail::of(printed);
    const int first = echoRow(screen, echo) + 1;
    if (first == 0)
        return {};
    QStringList texts = screen.lines.mid(first, isWhole ? std::max(0, screen.row - first) : -1);
    for (QString &text : texts) {
        while (text.endsWith(' '_L1))
            text.chop(1);
    }
    while (!texts.isEmpty() && texts.constLast().isEmpty())
        texts.removeLast();
    if (printed.size() >= mostAnswerBytes)
        texts << QString(QChar(0x2026));
    return texts.join('\n'_L1);
}

RankAnswers::RankAnswers(const QString &promptPattern)
    : m_prompt(promptPattern)
    , m_timer(0, this)
{
    connect(&m_timer, &QTimer::timeout, this, &RankAnswers::look);
}

void RankAnswers::begin(const QString &command, const QList<Source> &sources)
{
    m_echo = echoOf(command);
    m_ranks.clear();
    for (const Source &source : sources)
        m_ranks.push_back({source, QFileInfo(source.logFile).size(), {}, m_prompt, false, false, false});
    m_timer.start(firstLookMs);
    Q_EMIT begun();
    Q_EMIT changed(answers());
}

/// True when something has come.
bool RankAnswers::readMore(Rank &rank) const
{
    QFile file(rank.source.logFile);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered) || !file.seek(rank.offset))
        return false;
    bool hasCome = false;
    for (int chunk = 0; chunk < mostChunks && !rank.isWhole; ++chunk) {
        const QByteArray news = file.read(chunkBytes);
        if (news.isEmpty())
            break;
        hasCome = true;
        rank.offset += news.size();
        rank.prompt.take(news);
        rank.hasLine = rank.hasLine || news.contains('\n');
        rank.printed += news.left(mostAnswerBytes - rank.printed.size());
        rank.isWhole =
            rank.hasLine && rank.prompt.isIdle() && echoRow(ScreenTail::of(rank.printed), m_echo) >= 0;
    }
    return hasCome;
}

void RankAnswers::look()
{
    bool hasCome = false;
    for (Rank &rank : m_ranks) {
        if (!rank.isWhole && !rank.hasEnded)
            hasCome = readMore(rank) || hasCome;
    }
    if (hasCome)
        Q_EMIT changed(answers());
    // A look at many logs takes its time.
    const int soon = std::max(firstLookMs, static_cast<int>(m_ranks.size()) / ranksAMs);
    if (!isDone())
        m_timer.start(hasCome ? soon : std::max(soon, std::min(2 * m_timer.interval(), longestLookMs)));
}

void RankAnswers::end(int process)
{
    for (Rank &rank : m_ranks) {
        if (rank.source.process != process || rank.isWhole || rank.hasEnded)
            continue;
        readMore(rank);
        rank.hasEnded = true;
        Q_EMIT changed(answers());
    }
}

QList<int> RankAnswers::awaited() const
{
    QList<int> awaited;
    for (const Rank &rank : m_ranks) {
        if (!rank.isWhole && !rank.hasEnded)
            awaited << rank.source.process;
    }
    return awaited;
}

QList<RankAnswer> RankAnswers::answers() const
{
    QList<RankAnswer> answers;
    for (const Rank &rank : m_ranks) {
        const QString text = answerText(rank.printed, m_echo, rank.isWhole);
        const auto same = std::ranges::find_if(answers, [&](const RankAnswer &answer) {
            return answer.text == text && answer.isWhole == rank.isWhole;
        });
        if (same == answers.end())
            answers << RankAnswer{{rank.source.process}, text, rank.isWhole};
        else
            same->processes << rank.source.process;
    }
    return answers;
}

} // namespace rankdeck
