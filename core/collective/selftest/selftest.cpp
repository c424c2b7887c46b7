#include "collective/selftest.h"
#include "numberranges.h"

#include <QLocale>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

namespace
{

using Kind = SelfTestEvent::Kind;

constexpr std::array stages{
    std::pair{SelfTestStage::Missing, "missing"},
    std::pair{SelfTestStage::Arrived, "arrived"},
    std::pair{SelfTestStage::Pairs, "pairs"},
    std::pair{SelfTestStage::Connecting, "connecting"},
    std::pair{SelfTestStage::Collectives, "collectives"},
    std::pair{SelfTestStage::Done, "done"},
    std::pair{SelfTestStage::Failed, "failed"},
};

constexpr int longestLine = 1 << 20;

/// In as few digits as tell it from every other number.
QString figure(double value)
{
    return QString::number(value, 'f', QLocale::FloatingPointShortest);
}

/// On one line.
QString oneLine(QString text)
{
    for (QChar &each : text) {
        if (each.category() == QChar::Other_Control || each == QChar::LineSeparator ||
            each == QChar::ParagraphSeparator)
            each = QLatin1Char(' ');
    }
    return text.trimmed();
}

QString pairText(const PairResult &pair)
{
    const QString ends = QStringLiteral("pair %1-%2%3")
                             .arg(pair.from)
                             .arg(pair.to)
                             .arg(pair.isOneHost ? QStringLiteral(" on one host") : QString());
    if (!pair.problem.isEmpty())
        return ends + QStringLiteral(" failed: ") + oneLine(pair.problem);
    return ends + QStringLiteral(": %1 us, %2 MB/s there, %3 MB/s back")
                      .arg(figure(pair.latencyUs), figure(pair.thereMBs), figure(pair.backMBs));
}

QString collectiveText(const CollectiveResult &result)
{
    QString text = result.operation;
    if (result.bytes > 0)
        text += QStringLiteral(" of %1 bytes").arg(result.bytes);
    text += QStringLiteral(", ranks %1: %2 ms").arg(numberRanges(result.ranks), figure(result.ms));
    if (result.bytes > 0)
        text += QStringLiteral(", %1 MB/s").arg(QString::number(result.bandwidthMBs(), 'f', 1));
    if (!result.problem.isEmpty())
        text += QStringLiteral(", wrong: ") + oneLine(result.problem);
    return text;
}

QString groupsText(const QList<QList<int>> &groups)
{
    QString text = QStringLiteral("groups");
    for (const QList<int> &group : groups)
        text += QLatin1Char(' ') + numberRanges(group);
    return text;
}

QString stageText(const SelfTestEvent &event)
{
    const QString word = selfTestStageWord(event.stage);
    return event.text.isEmpty() ? word : word + QStringLiteral(": ") + oneLine(event.text);
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
    static const QRegularExpression expression(QRegularExpression::anchoredPattern(
        QStringLiteral("pair ([0-9]{1,6})-([0-9]{1,6})( on one host)?(?: failed: (.+)"
                       "|: ([0-9.]+) us, ([0-9.]+) MB/s there, ([0-9.]+) MB/s back)")));
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
        QStringLiteral("(broadcast|allreduce sum|allreduce max|barrier)(?: of ([0-9]{1,18}) bytes)?, "
                       "ranks ([0-9,-]+): ([0-9.]+) ms(?:, [0-9.]+ MB/s)?(?:, wrong: (.+))?")));
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
    QStringList words = text.split(QLatin1Char(' '));
    if (words.takeFirst() != QLatin1String("groups") || words.isEmpty())
        return std::nullopt;
    QList<QList<int>> groups;
    qsizetype members = 0;
    for (const QString &word : words) {
        const auto group = numbersFromRanges(word);
        // No rank is in two of them: what is longer is not ours.
        if (!group || (members += group->size()) > 65536)
            return std::nullopt;
        groups << *group;
    }
    return groups;
}

std::optional<std::pair<SelfTestStage, QString>> stageFrom(const QString &text)
{
    const QString word = text.section(QLatin1String(": "), 0, 0);
    const auto *const known = std::find_if(
        stages.begin(), stages.end(), [&](const auto &each) { return word == QLatin1String(each.second); });
    if (known == stages.end())
        return std::nullopt;
    return std::pair(known->first, text.mid(word.size() + 2));
}

} // namespace

QString selfTestStageWord(SelfTestStage stage)
{
    const auto *const known =
        std::find_if(stages.begin(), stages.end(), [&](const auto &each) { return each.first == stage; });
    return known == stages.end() ? QString() : QString::fromLatin1(known->second);
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
    return QStringLiteral("selftest: rank %1: ").arg(rank).toUtf8() + what.toUtf8();
}

std::optional<SelfTestEvent> SelfTestEvent::fromLine(const QByteArray &line)
{
    static const QRegularExpression expression(
        QRegularExpression::anchoredPattern(QStringLiteral("selftest: rank ([0-9]{1,6}): (.+)")));
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

} // namespace rankdeck
