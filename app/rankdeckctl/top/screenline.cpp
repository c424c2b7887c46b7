#include "rankdeckctl/top/screenline.h"

#include "rankdeckctl/console/output.h"
#include "rankdeckctl/console/terminaltext.h"

namespace rankdeck
{

static LogStyle colored(quint32 index, bool isBold = false)
{
    return {{LogColor::Kind::Indexed, index}, {}, isBold, false};
}

LogStyle styleOf(Look look)
{
    constexpr quint32 red = 1;
    constexpr quint32 green = 2;
    constexpr quint32 yellow = 3;
    constexpr quint32 cyan = 6;
    constexpr quint32 gray = 8;
    switch (look) {
    case Look::Plain:
        return {};
    case Look::Strong:
        return {{}, {}, true, false};
    case Look::Dim:
        return colored(gray);
    case Look::Good:
        return colored(green);
    case Look::Warning:
        return colored(yellow);
    case Look::Bad:
        return colored(red, true);
    case Look::Label:
        return colored(cyan);
    }
    return {};
}

LogRun textRun(const QString &text, Look look)
{
    return {visibleText(text), styleOf(look)};
}

int cellsOf(const QList<LogRun> &runs)
{
    int cells = 0;
    for (const LogRun &run : runs)
        cells += cellWidth(run.text);
    return cells;
}

QList<LogRun> partOf(const QList<LogRun> &runs, int from, int cells)
{
    QList<LogRun> part;
    for (const LogRun &run : runs) {
        const qsizetype skipped = unitsIn(run.text, 0, from);
        from -= cellWidth(run.text.left(skipped));
        if (skipped == run.text.size())
            continue;
        from = 0;
        const QString text = run.text.mid(skipped, unitsIn(run.text, skipped, cells));
        cells -= cellWidth(text);
        if (!text.isEmpty())
            part << LogRun{text, run.style};
        if (skipped + text.size() < run.text.size())
            break;
    }
    return part;
}

static Look lookOf(LogSeverity severity)
{
    switch (severity) {
    case LogSeverity::Critical:
    case LogSeverity::Error:
        return Look::Bad;
    case LogSeverity::Warning:
        return Look::Warning;
    case LogSeverity::Debug:
        return Look::Dim;
    default:
        return Look::Plain;
    }
}

QList<LogRun> logRuns(QByteArrayView line, LogSeverity severity)
{
    static const AnsiDecoder decoder([](char32_t character) { return cellWidth(character); });
    std::optional<QString> gbk;
    if (QString::fromUtf8(line).contains(QChar::ReplacementCharacter))
        gbk = gbkText(line);
    QList<LogRun> runs = decoder.decode(gbk ? terminalText(gbk->toUtf8()) : terminalText(line));
    for (LogRun &run : runs) {
        if (run.style == LogStyle())
            run.style = styleOf(lookOf(severity));
    }
    return runs;
}

QList<ScreenLine> wrapped(const QString &text, int cells)
{
    QList<ScreenLine> lines;
    for (const QString &line : text.split(u'\n')) {
        const QString shown = visibleText(line);
        qsizetype at = 0;
        do {
            qsizetype size = unitsIn(shown, at, cells);
            const qsizetype blank = shown.lastIndexOf(u' ', at + size - 1);
            if (at + size < shown.size() && blank > at)
                size = blank + 1 - at;
            size = std::max<qsizetype>(size, 1);
            lines << ScreenLine{{{shown.mid(at, size), {}}}};
            at += size;
        } while (at < shown.size());
    }
    return lines;
}

} // namespace rankdeck
