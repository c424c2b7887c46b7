#include "collective/selftest/selftest.h"

#include "base/numberranges.h"
#include "base/wordtable.h"

#include <QLocale>
#include <QRegularExpression>

#include <cmath>

namespace rankdeck
{

namespace
{

using Kind = SelfTestEvent::Kind;

/// In the order of SelfTestStage.
constexpr std::array stages{"missing", "arrived", "pairs", "connecting", "collectives", "done", "failed"};

constexpr int longestLine = 1 << 20;

/// Returns the shortest text that reads back as the same number.
QString figure(double value)
{
    return QString::number(value, 'f', QLocale::FloatingPointShortest);
}

QString oneLine(QString text)
{
    for (QChar &each : text) {
        if (each.category() == QChar::Other_Control || each == QChar::LineSeparator ||
            each == QChar::ParagraphSeparator)
            each = ' '_L1;
    }
    return text.trimmed();
}

QString pairText(const PairResult &pair)
{
    const QString ends =
        u"pair %1-%2%3"_s.arg(pair.from).arg(pair.to).arg(pair.isOneHost ? u" on one host"_s : QString());
    if (!pair.problem.isEmpty())
        return ends + u" failed: "_s + oneLine(pair.problem);
    return ends + u": %1 us, %2 MB/s there, %3 MB/s back"_s.arg(figure(pair.latencyUs), figure(pair.thereMBs),
                                                                figure(pair.backMBs));
}

QString collectiveText(const CollectiveResult &result)
{
    QString text = result.operation;
    if (result.bytes > 0)
        text += u" of %1 bytes"_s.arg(result.bytes);
    text += u", ranks %1: %2 ms"_s.arg(numberRanges(result.ranks), figure(result.ms));
    if (result.bytes > 0)
        text += u", %1 MB/s"_s.arg(QString::number(result.bandwidthMBs(), 'f', 1));
    if (!result.problem.isEmpty())
        text += u", wrong: "_s + oneLine(result.problem);
    return text;
}

QString groupsText(const QList<QList<int>> &groups)
{
    QString text = u"groups"_s;
    for (const QList<int> &group : groups)
        text += ' '_L1 + numberRanges(group);
    return text;
}

QString stageText(const SelfTestEvent &event)
{
    const QString word = selfTestStageWord(event.stage);
    return event.text.isEmpty() ? word : word + u": "_s + oneLine(event.text);
}

std::optional<double> figureFrom(const QString &text)
{
    bool isNumber = false;
    const double value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Ranks have at most six digits in the expressions below, so they fit.
std::optional<PairResult> pairFrom(const QString &text)
{
    static const QRegularExpression expression(
        QRegularExpression::anchoredPattern(u"pair ([0-9]{1,6})-([0-9]{1,6})( on one host)?(?: failed: (.+)"
                                            "|: ([0-9.]+) us, ([0-9.]+) MB/s there, ([0-9.]+) MB/s back)"_s));
    const auto match = expression.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    PairResult pair{match.captured(1).toInt(), match.captured(2).toInt(),   0, 0, 0,
                    match.captured(4),         !match.captured(3).isEmpty()};
    if (!pair.problem.isEmpty())
        return pair;
    const auto latency = figureFrom(match.captured(5));
    const auto there = figureFrom(match.captured(6));
    const auto back = figureFrom(match.captured(7));
    if (!latency || !there || !back)
        return std::nullopt;
    pair.latencyUs = *latency;
    pair.thereMBs = *there;
    pair.backMBs = *back;
    return pair;
}

std::optional<CollectiveResult> collectiveFrom(const QString &text)
{
    static const QRegularExpression expression(QRegularExpression::anchoredPattern(
        u"(broadcast|allreduce sum|allreduce max|barrier)(?: of ([0-9]{1,18}) bytes)?, "
        "ranks ([0-9,-]+): ([0-9.]+) ms(?:, [0-9.]+ MB/s)?(?:, wrong: (.+))?"_s));
    const auto match = expression.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const auto ranks = numbersFromRanges(match.captured(3));
    const auto ms = figureFrom(match.captured(4));
    if (!ranks || !ms)
        return std::nullopt;
    return CollectiveResult{match.captured(1), *ranks, match.captured(2).toLongLong(), *ms,
                            match.captured(5)};
}

std::optional<QList<QList<int>>> groupsFrom(const QString &text)
{
    QStringList words = text.split(' '_L1);
    if (words.takeFirst() != "groups"_L1 || words.isEmpty())
        return std::nullopt;
    QList<QList<int>> groups;
    qsizetype members = 0;
    for (const QString &word : words) {
        const auto group = numbersFromRanges(word);
        // No rank is in two groups, so ours are never longer.
        if (!group || (members += group->size()) > 65536)
            return std::nullopt;
        groups << *group;
    }
    return groups;
}

std::optional<std::pair<SelfTestStage, QString>> stageFrom(const QString &text)
{
    const QString word = text.section(": "_L1, 0, 0);
    const auto stage = valueIn<SelfTestStage>(stages, word);
    return stage ? std::optional(std::pair(*stage, text.mid(word.size() + 2))) : std::nullopt;
}

constexpr std::size_t fewestCompared = 3;
constexpr double slowLatency = 3;
constexpr double slowBandwidth = 3;
constexpr double unequalWays = 2;

/// Returns the median of a list that is not empty; sorts it.
double median(std::vector<double> &values)
{
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

QString number(double value)
{
    return value < 100 ? QString::number(value, 'g', 3) : QString::number(value, 'f', 0);
}

/// How much a pair stands out, to put the worst first, and why.
struct Oddness {
    double factor = 0;
    QString why;

    void consider(double by, double limit, const char *sentence, const QString &figures)
    {
        if (by <= limit || by <= factor)
            return;
        factor = by;
        why = tr(sentence).arg(number(by), figures);
    }
};

Oddness oddness(const PairResult &pair, double usualLatency, double usualBandwidth)
{
    Oddness odd;
    const double slow = std::min(pair.thereMBs, pair.backMBs);
    const double fast = std::max(pair.thereMBs, pair.backMBs);
    if (usualLatency > 0)
        odd.consider(pair.latencyUs / usualLatency, slowLatency,
                     QT_TRANSLATE_NOOP("rankdeck", "its latency is %1 times the usual (%2)"),
                     u"%1 us, %2 us"_s.arg(number(pair.latencyUs), number(usualLatency)));
    if (slow <= 0)
        return odd;
    odd.consider(usualBandwidth / slow, slowBandwidth,
                 QT_TRANSLATE_NOOP("rankdeck", "the usual bandwidth is %1 times its own (%2)"),
                 u"%1 MB/s, %2 MB/s"_s.arg(number(usualBandwidth), number(slow)));
    const auto [fastFrom, fastTo] =
        pair.thereMBs >= pair.backMBs ? std::pair(pair.from, pair.to) : std::pair(pair.to, pair.from);
    odd.consider(
        fast / slow, unequalWays,
        QT_TRANSLATE_NOOP("rankdeck", "one way is %1 times as fast as the other (%2)"),
        tr("%1 to %2: %3 MB/s, back: %4 MB/s").arg(fastFrom).arg(fastTo).arg(number(fast), number(slow)));
    return odd;
}

// Far more than Rankdeck's self-test has; limits the memory that a foreign process can use up.
constexpr std::size_t mostCollectives = 20'000;

} // namespace

QString selfTestStageWord(SelfTestStage stage)
{
    return wordIn(stages, stage);
}

QByteArray SelfTestEvent::toLine() const
{
    QString what;
    switch (kind) {
    case Kind::Stage:
        what = stageText(*this);
        break;
    case Kind::Groups:
        what = groupsText(groups);
        break;
    case Kind::Pair:
        what = pairText(pair);
        break;
    case Kind::Collective:
        what = collectiveText(collective);
        break;
    }
    return u"selftest: rank %1: "_s.arg(rank).toUtf8() + what.toUtf8();
}

std::optional<SelfTestEvent> SelfTestEvent::fromLine(const QByteArray &line)
{
    static const QRegularExpression expression(
        QRegularExpression::anchoredPattern(u"selftest: rank ([0-9]{1,6}): (.+)"_s));
    if (line.size() > longestLine || !line.startsWith("selftest: "))
        return std::nullopt;
    const auto match = expression.match(QString::fromUtf8(line));
    if (!match.hasMatch())
        return std::nullopt;
    SelfTestEvent event;
    event.rank = match.captured(1).toInt();
    const QString what = match.captured(2);
    if (const auto pair = pairFrom(what)) {
        event.kind = Kind::Pair;
        event.pair = *pair;
    } else if (const auto collective = collectiveFrom(what)) {
        event.kind = Kind::Collective;
        event.collective = *collective;
    } else if (const auto groups = groupsFrom(what)) {
        event.kind = Kind::Groups;
        event.groups = *groups;
    } else if (const auto stage = stageFrom(what)) {
        event.stage = stage->first;
        event.text = stage->second;
    } else {
        return std::nullopt;
    }
    return event;
}

std::vector<OddPair> oddPairs(const std::vector<PairResult> &pairs)
{
    std::vector<OddPair> odd;
    std::vector<double> latencies;
    std::vector<double> bandwidths;
    for (const PairResult &pair : pairs) {
        if (!pair.problem.isEmpty()) {
            odd.push_back({pair, pair.problem});
            continue;
        }
        if (pair.isOneHost)
            continue;
        latencies.push_back(pair.latencyUs);
        bandwidths.push_back(pair.thereMBs);
        bandwidths.push_back(pair.backMBs);
    }
    if (latencies.size() < fewestCompared)
        return odd;

    const double usualLatency = median(latencies);
    const double usualBandwidth = median(bandwidths);
    std::vector<std::pair<double, OddPair>> slow;
    for (const PairResult &pair : pairs) {
        if (!pair.problem.isEmpty() || pair.isOneHost)
            continue;
        Oddness found = oddness(pair, usualLatency, usualBandwidth);
        if (found.factor > 0)
            slow.emplace_back(found.factor, OddPair{pair, found.why});
    }
    std::ranges::stable_sort(slow,
                             [](const auto &one, const auto &other) { return one.first > other.first; });
    for (const auto &each : slow)
        odd.push_back(each.second);
    return odd;
}

void SelfTestResults::take(const SelfTestEvent &event)
{
    const auto isKnown = [this](int rank) {
        return rank >= 0 && rank < ranks.size();
    };
    const auto areKnown = [&](const QList<int> &some) {
        return std::ranges::all_of(some, isKnown);
    };
    if (!isKnown(event.rank))
        return;
    switch (event.kind) {
    case SelfTestEvent::Kind::Stage:
        // Later events of a failing rank must not hide the reason.
        if (ranks[event.rank].stage != SelfTestStage::Failed)
            ranks[event.rank] = {event.stage, event.text};
        break;
    case SelfTestEvent::Kind::Groups:
        if (std::ranges::all_of(event.groups, areKnown))
            groups = event.groups;
        break;
    case SelfTestEvent::Kind::Pair: {
        if (!isKnown(event.pair.from) || !isKnown(event.pair.to) || event.pair.from >= event.pair.to)
            break;
        const auto before = std::ranges::find_if(pairs, [&](const PairResult &each) {
            return each.from == event.pair.from && each.to == event.pair.to;
        });
        if (before != pairs.end())
            *before = event.pair;
        else
            pairs.push_back(event.pair);
        break;
    }
    case SelfTestEvent::Kind::Collective: {
        const CollectiveResult &its = event.collective;
        if (!areKnown(its.ranks))
            break;
        const auto before = std::ranges::find_if(collectives, [&](const CollectiveResult &each) {
            return each.operation == its.operation && each.bytes == its.bytes && each.ranks == its.ranks;
        });
        if (before != collectives.end())
            *before = event.collective;
        else if (collectives.size() < mostCollectives)
            collectives.push_back(event.collective);
        break;
    }
    }
}

const PairResult *SelfTestResults::pair(int one, int other) const
{
    const auto [from, to] = std::minmax(one, other);
    const auto found = std::ranges::find_if(
        pairs, [from = from, to = to](const PairResult &each) { return each.from == from && each.to == to; });
    return found == pairs.end() ? nullptr : &*found;
}

} // namespace rankdeck
