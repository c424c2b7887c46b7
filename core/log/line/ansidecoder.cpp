#include "log/line/ansidecoder.h"

#include <iconv.h>

#include <algorithm>
#include <cstdint>

namespace rankdeck
{

namespace
{

bool looksLikeGbk(QByteArrayView line)
{
    int characters = 0;
    int common = 0;
    for (qsizetype at = 0; at < line.size(); ++at) {
        if (uchar(line[at]) < 0x80)
            continue;
        if (!isBetween(line[at], 0x81, 0xFE) || at + 1 == line.size() ||
            !isBetween(line[at + 1], 0x40, 0xFE) || uchar(line[at + 1]) == 0x7F)
            return false;
        ++characters;
        common += isBetween(line[at], 0xA1, 0xF7) && isBetween(line[at + 1], 0xA1, 0xFE);
        ++at;
    }
    return characters > 0 && 2 * common >= characters;
}

/// iconv descriptor, opened on first use; one for each thread.
class Converter
{
public:
    Converter() = default;
    ~Converter()
    {
        if (isOpen())
            iconv_close(m_converter);
    }
    Q_DISABLE_COPY_MOVE(Converter)

    bool isOpen() const { return reinterpret_cast<std::intptr_t>(m_converter) != -1; }

    std::optional<QString> convert(QByteArrayView line)
    {
        // Two bytes of GBK become at most three of UTF-8.
        QByteArray target(line.size() * 3, Qt::Uninitialized);
        char *in = const_cast<char *>(line.data()); // iconv() does not write there.
        char *out = target.data();
        auto inLeft = std::size_t(line.size());
        auto outLeft = std::size_t(target.size());
        iconv(m_converter, nullptr, nullptr, nullptr, nullptr);
        if (iconv(m_converter, &in, &inLeft, &out, &outLeft) == std::size_t(-1))
            return {};
        target.truncate(out - target.constData());
        return QString::fromUtf8(target);
    }

private:
    iconv_t m_converter = iconv_open("UTF-8", "GBK");
};

constexpr char escape = '\x1B';

/// An escape sequence: its length and, if it is an SGR, its parameters.
struct Escape {
    qsizetype size = 1;
    std::optional<QByteArrayView> sgr;
};

/// ECMA-48 5.4: parameter bytes, intermediate bytes, one final byte.
Escape readControlSequence(QByteArrayView bytes)
{
    qsizetype at = 2;
    while (at < bytes.size() && isBetween(bytes[at], 0x30, 0x3F))
        ++at;
    const QByteArrayView parameters = bytes.sliced(2, at - 2);
    const bool isPrivate = !parameters.isEmpty() && isBetween(parameters.front(), 0x3C, 0x3F);
    const qsizetype intermediates = at;
    while (at < bytes.size() && isBetween(bytes[at], 0x20, 0x2F))
        ++at;
    if (at >= bytes.size() || !isBetween(bytes[at], 0x40, 0x7E))
        return {at, {}};
    Escape found{at + 1, {}};
    if (bytes[at] == 'm' && !isPrivate && at == intermediates)
        found.sgr = parameters;
    return found;
}

/// ECMA-48 5.6 control strings, ended by ST, or by BEL as xterm has it. An unterminated one hides no text.
Escape readControlString(QByteArrayView bytes)
{
    for (qsizetype at = 2; at < bytes.size(); ++at) {
        if (bytes[at] == '\a')
            return {at + 1, {}};
        if (bytes[at] == escape && at + 1 < bytes.size() && bytes[at + 1] == '\\')
            return {at + 2, {}};
    }
    return {2, {}};
}

Escape readEscape(QByteArrayView bytes)
{
    if (bytes.size() < 2)
        return {};
    const char kind = bytes[1];
    if (kind == '[')
        return readControlSequence(bytes);
    if (kind == ']' || kind == 'P' || kind == 'X' || kind == '^' || kind == '_')
        return readControlString(bytes);
    qsizetype at = 1;
    while (at < bytes.size() && isBetween(bytes[at], 0x20, 0x2F))
        ++at;
    return {at < bytes.size() && isBetween(bytes[at], 0x30, 0x7E) ? at + 1 : at, {}};
}

QList<int> numbers(QByteArrayView text, char separator)
{
    QList<int> values;
    int value = 0;
    for (const char c : text) {
        if (c == separator) {
            values.append(value);
            value = 0;
        } else if (isBetween(c, '0', '9')) {
            value = std::min(9999, value * 10 + (c - '0'));
        }
    }
    values.append(value);
    return values;
}

/// Returns the colour by the numbers after 38 or 48 ("5;n" or "2;r;g;b"), and how many it takes.
std::pair<std::optional<LogColor>, int> extendedColor(const QList<int> &values, int at)
{
    const auto component = [&](int index) {
        return quint32(std::clamp(values.value(index), 0, 255));
    };
    if (values.value(at) == 5 && at + 1 < values.size())
        return {LogColor{LogColor::Kind::Indexed, component(at + 1)}, 2};
    if (values.value(at) == 2 && at + 3 < values.size()) {
        const quint32 rgb = component(at + 1) << 16 | component(at + 2) << 8 | component(at + 3);
        return {LogColor{LogColor::Kind::Rgb, rgb}, 4};
    }
    return {std::nullopt, int(values.size()) - at};
}

/// Applies "38:2::r:g:b" and the like (ITU-T T.416 13.1.8): one parameter; its colour space is often empty.
void applyParts(LogStyle &style, QByteArrayView parameter)
{
    QList<int> parts = numbers(parameter, ':');
    if (parts.front() == 4) {
        style.underline = parts.value(1) != 0;
    } else if (parts.front() == 38 || parts.front() == 48) {
        if (parts.value(1) == 2 && parts.size() >= 6)
            parts.removeAt(2);
        if (const auto color = extendedColor(parts, 1).first)
            (parts.front() == 38 ? style.foreground : style.background) = *color;
    }
}

void applyNumbers(LogStyle &style, const QList<int> &values)
{
    const auto indexed = [](int index) {
        return LogColor{LogColor::Kind::Indexed, quint32(index)};
    };
    for (int i = 0; i < values.size(); ++i) {
        const int value = values[i];
        if (value == 0) {
            style = {};
        } else if (value == 1 || value == 22) {
            style.bold = value == 1;
        } else if (value == 4 || value == 24) {
            style.underline = value == 4;
        } else if (value == 7 || value == 27) {
            style.reverse = value == 7;
        } else if (value >= 30 && value <= 37) {
            style.foreground = indexed(value - 30);
        } else if (value >= 40 && value <= 47) {
            style.background = indexed(value - 40);
        } else if (value >= 90 && value <= 97) {
            style.foreground = indexed(value - 90 + 8);
        } else if (value >= 100 && value <= 107) {
            style.background = indexed(value - 100 + 8);
        } else if (value == 39) {
            style.foreground = {};
        } else if (value == 49) {
            style.background = {};
        } else if (value == 38 || value == 48) {
            const auto [color, used] = extendedColor(values, i + 1);
            if (color)
                (value == 38 ? style.foreground : style.background) = *color;
            i += used;
        }
    }
}

void applySgr(LogStyle &style, QByteArrayView parameters)
{
    if (!parameters.contains(':')) {
        applyNumbers(style, numbers(parameters, ';'));
        return;
    }
    for (const QByteArray &parameter : parameters.toByteArray().split(';')) {
        if (parameter.contains(':'))
            applyParts(style, parameter);
        else
            applyNumbers(style, numbers(parameter, ';'));
    }
}

/// Collects runs; handles columns and carriage returns.
class RunList
{
public:
    explicit RunList(AnsiDecoder::CellWidth cellWidth)
        : m_cellWidth(cellWidth)
    {
    }

    void append(const QString &text, const LogStyle &style)
    {
        for (const char32_t codePoint : text.toUcs4()) {
            m_column += m_cellWidth ? m_cellWidth(codePoint) : 1;
            m_blank = m_blank && codePoint == U' ';
        }
        if (!m_runs.isEmpty() && m_runs.back().style == style)
            m_runs.back().text += text;
        else
            m_runs.append({text, style});
    }

    void tab(const LogStyle &style) { append(QString(8 - m_column % 8, ' '_L1), style); }

    void carriageReturn()
    {
        if (!m_blank || m_shown.isEmpty())
            m_shown.swap(m_runs);
        m_runs.clear();
        m_column = 0;
        m_blank = true;
    }

    QList<LogRun> take()
    {
        carriageReturn();
        return std::move(m_shown);
    }

private:
    AnsiDecoder::CellWidth m_cellWidth;
    QList<LogRun> m_shown;
    QList<LogRun> m_runs;
    int m_column = 0;
    bool m_blank = true;
};

/// C1 control characters arrive as valid UTF-8 and have no pictures.
QString textOf(QByteArrayView bytes, bool isGbk)
{
    QString text = isGbk ? gbkText(bytes).value_or(QString::fromUtf8(bytes)) : QString::fromUtf8(bytes);
    for (QChar &c : text) {
        if (c.unicode() >= 0x80 && c.unicode() < 0xA0)
            c = QChar::ReplacementCharacter;
    }
    return text;
}

} // namespace

std::optional<QString> gbkText(QByteArrayView line)
{
    if (!looksLikeGbk(line))
        return {};
    thread_local Converter converter;
    return converter.isOpen() ? converter.convert(line) : std::nullopt;
}

QList<LogRun> AnsiDecoder::decode(QByteArrayView line) const
{
    RunList runs(m_cellWidth);
    LogStyle style;
    const bool isGbk = !line.isValidUtf8() && gbkText(line);
    qsizetype at = 0;
    while (at < line.size()) {
        qsizetype end = at;
        while (end < line.size() && uchar(line[end]) >= 0x20 && uchar(line[end]) != 0x7F)
            ++end;
        if (end > at) {
            runs.append(textOf(line.sliced(at, end - at), isGbk), style);
            at = end;
            continue;
        }
        const char control = line[at];
        if (control == '\t') {
            runs.tab(style);
        } else if (control == '\r') {
            runs.carriageReturn();
        } else if (control == escape) {
            const Escape found = readEscape(line.sliced(at));
            if (found.sgr)
                applySgr(style, *found.sgr);
            at += found.size;
            continue;
        } else {
            runs.append(QChar(control == 0x7F ? 0x2421 : 0x2400 + uchar(control)), style);
        }
        ++at;
    }
    return runs.take();
}

QString AnsiDecoder::plainText(QByteArrayView line)
{
    QString text;
    for (const LogRun &run : AnsiDecoder().decode(line))
        text += run.text;
    return text;
}

} // namespace rankdeck
