#include "rankdeckctl/top/screenline.h"

#include "rankdeckctl/console/output.h"
#include "rankdeckctl/console/terminaltext.h"

#include <cwchar>

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

static int cellsOf(char32_t character)
{
    const int cells = ::wcwidth(static_cast<wchar_t>(character));
    return cells < 0 ? 1 : cells;
}

static char32_t characterAt(const QString &text, qsizetype at)
{
    return text[at].isHighSurrogate() && at + 1 < text.size() ? QChar::surrogateToUcs4(text[at], text[at + 1])
                                                              : text[at].unicode();
}

static qsizetype unitsOf(char32_t character)
{
    return QChar::requiresSurrogates(character) ? 2 : 1;
}

int cellsOf(const QString &text)
{
    int cells = 0;
    for (qsizetype at = 0; at < text.size();) {
        const char32_t character = characterAt(text, at);
        cells += cellsOf(character);
        at += unitsOf(character);
    }
    return cells;
}

int cellsOf(const QList<LogRun> &runs)
{
    int cells = 0;
    for (const LogRun &run : runs)
        cells += cellsOf(run.text);
    return cells;
}

/// Returns how many characters from `at` on take at most so many cells.
static qsizetype fitting(const QString &text, qsizetype at, int cells)
{
    qsizetype end = at;
    while (end < text.size()) {
        const char32_t character = characterAt(text, end);
        cells -= cellsOf(character);
        if (cells < 0)
            break;
        end += unitsOf(character);
    }
    return end - at;
}

QString inCells(const QString &text, int cells, bool isAlignedRight)
{
    const int wanted = cellsOf(text);
    if (wanted > cells) {
        const QString begin = text.left(fitting(text, 0, std::max(0, cells - 1)));
        return begin + u"…"_s.repeated(std::min(1, cells)) + u" "_s.repeated(cells - cellsOf(begin) - 1);
    }
    const QString blanks(cells - wanted, u' ');
    return isAlignedRight ? blanks + text : text + blanks;
}

QList<LogRun> partOf(const QList<LogRun> &runs, int from, int cells)
{
    QList<LogRun> part;
    for (const LogRun &run : runs) {
        const qsizetype skipped = fitting(run.text, 0, from);
        from -= cellsOf(run.text.left(skipped));
        if (skipped == run.text.size())
            continue;
        from = 0;
        const QString text = run.text.mid(skipped, fitting(run.text, skipped, cells));
        cells -= cellsOf(text);
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
    static const AnsiDecoder decoder([](char32_t character) { return cellsOf(character); });
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
            qsizetype size = fitting(shown, at, cells);
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
