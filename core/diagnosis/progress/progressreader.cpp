#include "diagnosis/progress/progressreader.h"

#include "diagnosis/progress/linescanner.h"
#include "launch/text/optionvalues.h"

#include <re2/re2.h>

#include <vector>

namespace rankdeck
{

static std::optional<qint64> wholeNumber(double number, double most)
{
    if (!(number >= 0) || number > most)
        return {};
    return qint64(number);
}

static void put(ProgressPoint &point, const std::string &name, double number)
{
    if (name == "epoch")
        point.epoch =
            number >= 0 && number <= ProgressPoint::mostEpochs ? std::optional(number) : std::nullopt;
    else if (name == "epochs")
        point.epochs = wholeNumber(number, ProgressPoint::mostEpochs);
    else if (name == "step")
        point.step = wholeNumber(number, ProgressPoint::mostSteps);
    else if (name == "steps")
        point.steps = wholeNumber(number, ProgressPoint::mostSteps);
    else if (name == "loss")
        point.loss = number;
    else if (name == "step_time_ms")
        point.stepMs = number;
    else if (name == "step_time_s")
        point.stepMs = number * msPerSecond;
    else if (name == "throughput")
        point.throughput = number;
}

struct ProgressReader::Pattern {
    explicit Pattern(const QString &pattern)
        : regex(progressPatternText(pattern), re2::RE2::Quiet)
    {
    }
    std::optional<ProgressPoint> read(std::string_view line) const;

    re2::RE2 regex;
};

std::optional<ProgressPoint> ProgressReader::Pattern::read(std::string_view line) const
{
    const re2::StringPiece text(line.data(), line.size());
    // Without groups first, which needs no memory and is many times faster.
    if (!regex.Match(text, 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0))
        return {};
    std::vector<re2::StringPiece> groups(std::size_t(regex.NumberOfCapturingGroups()) + 1);
    if (!regex.Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(), int(groups.size())))
        return {};
    ProgressPoint point;
    for (const auto &[name, group] : regex.NamedCapturingGroups()) {
        const re2::StringPiece &found = groups[std::size_t(group)];
        const std::string_view shown(found.data(), found.size());
        std::size_t at = 0;
        while (at < shown.size() && shown[at] == ' ')
            ++at;
        if (const auto number = readNumber(shown, at))
            put(point, name, *number);
    }
    return point == ProgressPoint() ? std::nullopt : std::optional(point);
}

Result<ProgressReader> ProgressReader::create(const QString &pattern)
{
    if (const auto error = progressPatternError(pattern))
        return *error;
    ProgressReader reader;
    if (!pattern.isEmpty())
        reader.m_pattern = std::make_shared<const Pattern>(pattern);
    return reader;
}

QByteArray ProgressReader::pattern() const
{
    return m_pattern ? QByteArray::fromStdString(m_pattern->regex.pattern()) : QByteArray();
}

std::optional<ProgressPoint> ProgressReader::read(QByteArrayView line) const
{
    const std::string_view text(line.data(), std::size_t(line.size()));
    if (m_pattern)
        return m_pattern->read(text);
    if (!mayTellProgress(text))
        return {};
    if (auto point = readProgressBar(text))
        return point;
    return readProgressLine(text);
}

} // namespace rankdeck
