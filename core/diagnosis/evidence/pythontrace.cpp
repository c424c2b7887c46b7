#include "diagnosis/evidence/pythontrace.h"

#include <QRegularExpression>

namespace rankdeck
{

constexpr qsizetype mostLine = 500;

static bool isInstalled(const QString &file)
{
    constexpr std::array parts{"/site-packages/", "/dist-packages/",     "/lib/python",    "/lib64/python",
                               "<frozen ",        "<__array_function__", "<decorator-gen", "<eval_with_key"};
    return std::ranges::any_of(parts, [&](const char *part) { return file.contains(QLatin1String(part)); });
}

static bool isOfCollectives(const QString &file)
{
    constexpr std::array parts{"/torch/distributed/distributed_c10d.py",
                               "/torch/nn/parallel/distributed.py",
                               "/torch_npu/distributed/",
                               "/mindspore/communication/",
                               "/mindspore/ops/communication",
                               "/deepspeed/comm/"};
    return std::ranges::any_of(parts, [&](const char *part) { return file.contains(QLatin1String(part)); });
}

/// Both forms: that of a traceback has a comma behind the number.
static std::optional<PythonFrame> frameIn(const QString &text)
{
    static const QRegularExpression form(u"^\\s*File \"([^\"]+)\", line (\\d+),? in (.+)$"_s);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    return PythonFrame{match.captured(1), match.captured(2).toInt(), match.captured(3).trimmed()};
}

void PythonTrace::add(const QString &text)
{
    if (text.contains("(most recent call first)"_L1))
        m_isInnermostFirst = true;
    if (const auto frame = frameIn(text))
        addFrame(*frame);
    if (lines.size() >= mostLines) // The head stays, and the innermost frames.
        lines.removeAt(1);
    lines << text.left(mostLine);
}

void PythonTrace::addFrame(const PythonFrame &frame)
{
    const bool isUser = !isInstalled(frame.file);
    if (m_isInnermostFirst)
        isInCollective = isInCollective || (!isInUserCode && isOfCollectives(frame.file));
    else // What the user's code calls comes behind it.
        isInCollective = !isUser && (isInCollective || isOfCollectives(frame.file));
    const bool isFirst = !userFrame;
    if (m_isInnermostFirst ? isFirst || (isUser && !isInUserCode) : isUser || !isInUserCode) {
        userFrame = frame;
        isInUserCode = isUser;
    }
}

QString frameWords(const PythonFrame &frame)
{
    return tr("%1, line %2, in %3").arg(frame.file, QString::number(frame.line), frame.function);
}

} // namespace rankdeck
