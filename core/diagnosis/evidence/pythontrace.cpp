#include "diagnosis/evidence/pythontrace.h"

#include <QRegularExpression>

namespace rankdeck
{

constexpr qsizetype mostLine = 500;

static bool isInstalled(const QString &file)
{
    constexpr std::array parts{"/site-packages/", "/dist-packages/",     "/lib/python",    "/lib64/python",
                               "<frozen ",        "<__array_function__", "<decorator-gen", "<eval_with_key"};
    // As py-spy shortens them.
    static const QRegularExpression shortened(
        u"^(?:torch|torch_npu|mindspore)/|^(?:threading|queue|selectors|subprocess|socket)\\.py$"_s);
    return shortened.match(file).hasMatch() ||
           std::ranges::any_of(parts, [&](const char *part) { return file.contains(QLatin1String(part)); });
}

static bool isOfCollectives(const QString &file)
{
    constexpr std::array parts{"/torch/distributed/distributed_c10d.py",
                               "/torch/nn/parallel/distributed.py",
                               "/torch_npu/distributed/",
                               "/mindspore/communication/",
                               "/mindspore/ops/communication",
                               "/deepspeed/comm/"};
    const QString path = '/'_L1 + file;
    return std::ranges::any_of(parts, [&](const char *part) { return path.contains(QLatin1String(part)); });
}

/// Both forms of Python, that of a traceback has a comma behind the number, and that of py-spy.
static std::optional<PythonFrame> frameIn(const QString &text)
{
    static const QRegularExpression form(
        u"^\\s*File \"(?<file>[^\"]+)\", line (?<line>\\d+),? in (?<function>.+)$"_s);
    static const QRegularExpression spied(
        u"^    (?<function>[\\w<>.]+) \\((?<file>[^()]+\\.py):(?<line>\\d+)\\)$"_s);
    for (const QRegularExpression &each : {form, spied}) {
        if (const auto match = each.match(text); match.hasMatch())
            return PythonFrame{match.captured(u"file"_s), match.captured(u"line"_s).toInt(),
                               match.captured(u"function"_s).trimmed()};
    }
    return std::nullopt;
}

bool isBoxed(const QString &text)
{
    static const QString edges = u"│╭╰┃┏┗"_s;
    const QString trimmed = text.trimmed();
    return !trimmed.isEmpty() && edges.contains(trimmed.front());
}

/// Returns a line of a box as Python would print it; nothing if it would print none.
static std::optional<QString> unboxed(const QString &text)
{
    static const QRegularExpression frame(u"^[│┃] ([/<].*):(\\d+)(?: in (\\S+))?\\s*[│┃]$"_s);
    static const QRegularExpression source(u"^[│┃] ❱ *\\d+[│ ]*(.*?)\\s*[│┃]$"_s);
    const QString line = text.trimmed();
    if (line.contains("Traceback (most recent call last)"_L1))
        return u"Traceback (most recent call last):"_s;
    if (const auto found = frame.match(line); found.hasMatch())
        return u"  File \"%1\", line %2, in %3"_s.arg(found.captured(1), found.captured(2),
                                                      found.hasCaptured(3) ? found.captured(3) : u"?"_s);
    if (const auto found = source.match(line); found.hasMatch())
        return u"    "_s + found.captured(1);
    return std::nullopt;
}

void PythonTrace::add(const QString &text)
{
    if (isBoxed(text)) {
        if (const auto inner = unboxed(text))
            add(*inner);
        return;
    }
    if (lines.isEmpty())
        isStack = text.startsWith("Thread "_L1) && text.contains(": \"MainThread\""_L1);
    if (isStack || text.contains("(most recent call first)"_L1))
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
