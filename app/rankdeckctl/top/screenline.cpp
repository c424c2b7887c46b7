#include "rankdeckctl/top/screenline.h"

#include "rankdeckctl/console/output.h"

namespace rankdeck
{

LogStyle styleOf(Look look)
{
    enum Color : quint32 { Red = 1, Green = 2, Yellow = 3, Cyan = 6, Gray = 8 };
    const auto colored = [](Color index, bool isBold = false) {
        return LogStyle{{LogColor::Kind::Indexed, index}, {}, isBold, false};
    };
    static const std::array styles{LogStyle(),      LogStyle{{}, {}, true, false},
                                   colored(Gray),   colored(Green),
                                   colored(Yellow), colored(Red, true),
                                   colored(Cyan)};
    return styles.at(std::size_t(look));
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
    const bool isError = severity == LogSeverity::Critical || severity == LogSeverity::Error;
    return isError                            ? Look::Bad
           : severity == LogSeverity::Warning ? Look::Warning
           : severity == LogSeverity::Debug   ? Look::Dim
                                              : Look::Plain;
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
