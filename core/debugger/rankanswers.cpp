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
constexpr int mostChunks = 16; ///< Of one rank in one look.

/// Without the line of the command itself, which the terminal has echoed, and the prompt after it.
static QString answerText(const QByteArray &printed, bool isWhole)
{
    const ScreenTail screen = ScreenTail::of(printed);
    QStringList texts = screen.lines.mid(1, isWhole ? std::max(0, screen.row - 1) : -1);
    for (QString &text : texts) {
        while (text.endsWith(QLatin1Char(' ')))
            text.chop(1);
    }
    while (!texts.isEmpty() && texts.constLast().isEmpty())
        texts.removeLast();
    if (printed.size() >= mostAnswerBytes)
        texts << QString(QChar(0x2026));
    return texts.join(QLatin1Char('\n'));
}

RankAnswers::RankAnswers(const QString &promptPattern, QObject *parent)
    : QObject(parent)
    , m_prompt(promptPattern)
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &RankAnswers::look);
}

void RankAnswers::begin(const QList<Source> &sources)
{
    m_ranks.clear();
    for (const Source &source : sources)
        m_ranks.push_back({source, QFileInfo(source.logFile).size(), {}, m_prompt, false, false, false});
    m_timer.start(firstLookMs);
    Q_EMIT begun();
    Q_EMIT changed(answers());
}

/// True when something has come.
bool RankAnswers::readMore(Rank &rank)
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
        rank.isWhole = rank.hasLine && rank.prompt.isIdle();
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
        const QString text = answerText(rank.printed, rank.isWhole);
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
