#include "log/line/loglinereader.h"

#include "base/times.h"

#include <QDate>

#include <algorithm>
#include <string_view>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr qsizetype longestHead = 512;
constexpr qint64 dayMicroseconds = 86400LL * 1000 * 1000;
/// Shorter numbers may stand in a line by chance.
constexpr qint64 leastTellingPid = 1000;

struct SeverityWord {
    std::string_view word;
    LogSeverity severity;
};
constexpr std::array severityWords{
    SeverityWord{"INFO", LogSeverity::Info},       SeverityWord{"WARNING", LogSeverity::Warning},
    SeverityWord{"ERROR", LogSeverity::Error},     SeverityWord{"DEBUG", LogSeverity::Debug},
    SeverityWord{"EVENT", LogSeverity::Info},      SeverityWord{"WARN", LogSeverity::Warning},
    SeverityWord{"EXCEPTION", LogSeverity::Error}, SeverityWord{"CRITICAL", LogSeverity::Critical},
    SeverityWord{"FATAL", LogSeverity::Critical},  SeverityWord{"TRACE", LogSeverity::Debug},
    SeverityWord{"SUCCESS", LogSeverity::Info}, // of loguru
};

/// A form in which a line may begin. %l a severity, %c its first letter, %t a time stamp, %y one without a
/// year, %p a pid (or nothing), %# a number, %o a part that differs between ranks and %* anything, both up to
/// the next part. The first form that matches counts, so the longer ones come first.
struct Form {
    char first; ///< 0 a digit, A an upper-case letter, else itself: what the line must begin with.
    std::string_view form;
    LogSeverity severity = LogSeverity::None; ///< Severity of lines in this form that do not name one.
};
constexpr std::array forms{
    Form{'[', "[%l] %*(%p%o):%t"},                            // MindSpore GLOG, CANN slog and plog
    Form{'[', "[%l] %t (PID:%p, Device:%o, RankID:%o)"},      // torch_npu
    Form{'[', "[PID: %p] %t", LogSeverity::Error},            // CANN's reports
    Form{'[', "[%l] %t"},                                     // MindFormers
    Form{'[', "[%t] [%l]"},                                   // DeepSpeed
    Form{'[', "[%t][%*][%l]"},                                // Hydra
    Form{'[', "[%t %c %p %#]"},                               // Ray
    Form{'[', "[%t] [%p] [%*] [%*] [%l]"},                    // MindIE
    Form{'[', "[%t] %*: [%l]"},                               // torchrun
    Form{'[', "[%t"},                                         // Megatron
    Form{'[', "[%l|%t]"},                                     // LLaMA-Factory
    Form{'[', "[%l|%*] %t"},                                  // transformers
    Form{'[', "[%l:%*]"},                                     // ms-swift
    Form{'[', "[%l]"},                                        //
    Form{'[', "[%c%y %*:%#]"},                                // torch's C++ log
    Form{'[', "[%c %*:%#]"},                                  // the same before 2.0
    Form{'0', "%t - %l"},                                     // Python logging
    Form{'0', "%t - %* - %l"},                                //
    Form{'0', "%t [%l]"},                                     //
    Form{'0', "%t:%l"},                                       //
    Form{'0', "%t | %l"},                                     // loguru
    Form{'0', "%t %l"},                                       //
    Form{'0', "%t\t%l"},                                      // Ray
    Form{'0', "%t: %c %*:%#]"},                               // XLA
    Form{'0', "%y - %* - %l"},                                // MMEngine
    Form{'0', "%t"},                                          //
    Form{'A', "%l [%t"},                                      // MindSpeed
    Form{'A', "%l %t"},                                       //
    Form{'A', "%l %y"},                                       // vLLM
    Form{'(', "(%o pid=%p%o) (%o pid=%p%o) %l %y"},           // the same, of workers of workers
    Form{'(', "(%o pid=%p%o) %l %y"},                         // and of its workers
    Form{'(', "(%*) [%t %c %p %#]"},                          // Ray
    Form{'A', "%c%y %*:%#]"},                                 // glog
    Form{'A', "%l:%t"},                                       // JAX
    Form{'A', "%l:"},                                         // Python logging with its default format
    Form{'A', "%l -"},                                        //
    Form{'A', "E%*: [PID: %p] %t", LogSeverity::Error},       // CANN's reports
    Form{'A', "Fatal Python error:", LogSeverity::Critical},  //
    Form{'-', "- %l -"},                                      // MindFormers, cut off from its stamp
    Form{'/', "/%*.py:%#: %*Warning:", LogSeverity::Warning}, // Python's warnings
};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/// Days since 1970-01-01; year from 1970 on.
qint64 daysSinceEpoch(int year, int month, int day)
{
    const qint64 y = month <= 2 ? year - 1 : year;
    const qint64 shifted = (month + 9) % 12; // March is 0.
    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * shifted + 2) / 5 + day - 1 - 719468;
}

class Reader
{
public:
    explicit Reader(std::string_view line)
        : m_line(line)
    {
    }

    LogLineHead read();
    /// Returns where the text begins behind a head from `start` on: " TP3] ", " importing.py:10] ",
    /// " [core.py:708] ".
    std::size_t textBegin(std::size_t start) const;
    /// "[rank3]: ", as torch writes it. Returns where the line's own text begins.
    std::size_t skipRank();

private:
    /// Skips blanks and escapes of colours.
    void skipBlanks();
    bool matches(const Form &form);
    bool matchesToken(char token, std::string_view rest);
    bool skipSeverity();
    bool skipLetter();
    bool skipTime();
    bool skipYearlessTime();
    bool skipPid();
    bool skipNumber();
    bool skipTo(std::string_view rest);
    bool number(int digits, int least, int most, int &value);
    bool oneOf(std::string_view characters);
    qint64 fraction();
    std::optional<qint64> clock();
    char here() const { return m_at < m_line.size() ? m_line[m_at] : '\0'; }
    void own(std::size_t begin);

    std::string_view m_line;
    std::size_t m_at = 0;
    LogLineHead m_head;
    std::optional<LogTime> m_stamp; ///< The one that was read last, and where it stands.
    std::size_t m_stampBegin = 0;
    std::size_t m_stampEnd = 0;
};

void Reader::skipBlanks()
{
    while (here() == ' ' || here() == '\x1b') {
        if (here() == ' ') {
            ++m_at;
            continue;
        }
        const std::size_t end = m_line.find('m', m_at);
        if (end == std::string_view::npos || end - m_at > 20)
            break;
        m_at = end + 1;
    }
}

std::size_t Reader::skipRank()
{
    if (here() != '[')
        return m_at;
    std::size_t end = m_at + 1;
    while (end < m_line.size() && ((m_line[end] >= 'a' && m_line[end] <= 'z') || m_line[end] == '_'))
        ++end;
    const std::size_t digits = end;
    while (end < m_line.size() && isDigit(m_line[end]))
        ++end;
    if (digits == m_at + 1 || end == digits || m_line.substr(end, 2) != "]:")
        return m_at;
    m_at = end;
    own(digits);
    m_at = end + 2;
    if (here() == ' ')
        ++m_at;
    return m_at;
}

LogLineHead Reader::read()
{
    skipBlanks();
    skipRank();
    const LogLineHead empty = m_head;
    const std::size_t start = m_at;
    char first = here();
    if (isDigit(first))
        first = '0';
    else if (isUpper(first))
        first = 'A';
    for (const Form &form : forms) {
        if (form.first != first)
            continue;
        m_at = start;
        m_head = empty;
        if (matches(form)) {
            m_head.size = quint16(textBegin(start));
            return m_head;
        }
    }
    return empty;
}

std::size_t Reader::textBegin(std::size_t start) const
{
    constexpr std::size_t mostTag = 40;
    const auto afterBlank = [this](std::size_t at) {
        return at + (m_line.substr(at, 1) == " " ? 1 : 0);
    };
    const bool isOpen =
        m_line[start] == '[' && m_line.substr(start, m_at - start).find(']') == std::string_view::npos;
    const std::size_t tag = isOpen ? m_line.substr(m_at, mostTag).find(']') : std::string_view::npos;
    const std::size_t behind =
        tag != std::string_view::npos ? m_at + tag + 1 : m_at + (here() == ']' ? 1 : 0);
    const std::size_t begin = afterBlank(behind);
    const std::size_t end = std::min(m_line.find(' ', begin), m_line.size());
    const std::string_view place = m_line.substr(begin, end - begin);
    return place.ends_with(']') && place.find(':') != std::string_view::npos ? afterBlank(end) : begin;
}

bool Reader::matches(const Form &form)
{
    m_head.severity = form.severity;
    std::string_view rest = form.form;
    while (!rest.empty()) {
        if (rest.front() == '%') {
            const char token = rest[1];
            rest.remove_prefix(2);
            if (!matchesToken(token, rest))
                return false;
        } else if (here() == rest.front()) {
            ++m_at;
            rest.remove_prefix(1);
        } else {
            return false;
        }
    }
    return true;
}

bool Reader::matchesToken(char token, std::string_view rest)
{
    const std::size_t begin = m_at;
    switch (token) {
    case 'l':
        return skipSeverity();
    case 'c':
        return skipLetter();
    case 't':
    case 'y':
        if (!(token == 't' ? skipTime() : skipYearlessTime()))
            return false;
        own(begin);
        return true;
    case 'p':
        if (!skipPid())
            return false;
        own(begin);
        return true;
    case '#':
        return skipNumber();
    case 'o':
        if (!skipTo(rest))
            return false;
        own(begin);
        return true;
    default:
        return skipTo(rest);
    }
}

void Reader::own(std::size_t begin)
{
    if (m_at > begin && m_head.ownCount < int(m_head.ownParts.size()))
        m_head.ownParts[std::size_t(m_head.ownCount++)] = {quint16(begin), quint16(m_at - begin)};
}

bool Reader::skipSeverity()
{
    std::size_t end = m_at;
    while (end < m_line.size() && isUpper(m_line[end]))
        ++end;
    const std::string_view word = m_line.substr(m_at, end - m_at);
    const auto *const known = std::ranges::find(severityWords, word, &SeverityWord::word);
    if (known == severityWords.end())
        return false;
    m_head.severity = known->severity;
    m_at = end;
    return true;
}

bool Reader::skipLetter()
{
    constexpr std::string_view letters("DIWEF");
    const std::size_t which = letters.find(here());
    if (which == std::string_view::npos)
        return false;
    m_head.severity = LogSeverity(int(LogSeverity::Debug) + int(which));
    ++m_at;
    return true;
}

bool Reader::number(int digits, int least, int most, int &value)
{
    value = 0;
    for (int i = 0; i < digits; ++i, ++m_at) {
        if (!isDigit(here()))
            return false;
        value = 10 * value + (here() - '0');
    }
    return value >= least && value <= most;
}

bool Reader::oneOf(std::string_view characters)
{
    if (m_at >= m_line.size() || characters.find(m_line[m_at]) == std::string_view::npos)
        return false;
    ++m_at;
    return true;
}

/// Returns ".511.290", ",787", ".123456789" as µs; 0 without a fraction.
qint64 Reader::fraction()
{
    qint64 value = 0;
    int digits = 0;
    std::size_t at = m_at;
    while (at + 1 < m_line.size() && (m_line[at] == '.' || m_line[at] == ',') && isDigit(m_line[at + 1]) &&
           (digits == 0 || digits == 3)) {
        for (++at; at < m_line.size() && isDigit(m_line[at]); ++at, ++digits) {
            if (digits < 6)
                value = 10 * value + (m_line[at] - '0');
        }
        m_at = at;
    }
    for (; digits < 6; ++digits)
        value *= 10;
    return value;
}

/// Returns "14:22:26,123" as µs since midnight.
std::optional<qint64> Reader::clock()
{
    int hour = 0;
    int minute = 0;
    int second = 0;
    if (!number(2, 0, 23, hour) || !oneOf(":") || !number(2, 0, 59, minute) || !oneOf(":") ||
        !number(2, 0, 60, second))
        return std::nullopt;
    return 1000000 * (3600LL * hour + 60LL * minute + second) + fraction();
}

bool Reader::skipTime()
{
    // Several forms begin with a stamp: reads it once.
    if (m_stamp && m_at == m_stampBegin) {
        m_at = m_stampEnd;
        m_head.time = m_stamp;
        return true;
    }
    const std::size_t begin = m_at;
    int year = 0;
    int month = 0;
    int day = 0;
    const bool isDate = number(4, 1970, 9999, year) && oneOf("-/") && number(2, 1, 12, month) &&
                        oneOf("-/") && number(2, 1, 31, day) && oneOf("- T");
    const auto time = isDate ? clock() : std::nullopt;
    if (!time)
        return false;
    m_head.time = LogTime(dayMicroseconds * daysSinceEpoch(year, month, day) + *time);
    m_stamp = m_head.time;
    m_stampBegin = begin;
    m_stampEnd = m_at;
    return true;
}

bool Reader::skipYearlessTime()
{
    int month = 0;
    int day = 0;
    const std::size_t end = std::min(m_line.find_first_not_of("0123456789", m_at), m_line.size());
    const int monthDigits = end - m_at == 3 ? 1 : 2; // torch writes "E508" on 8 May.
    if (!number(monthDigits, 1, 12, month))
        return false;
    oneOf("-/");
    const auto time = number(2, 1, 31, day) && oneOf(" ") ? clock() : std::nullopt;
    if (time)
        m_head.yearless = {month, day, *time};
    return time.has_value();
}

bool Reader::skipPid()
{
    const std::size_t begin = m_at;
    m_head.pid = 0;
    for (; isDigit(here()) && m_at - begin < 10; ++m_at)
        m_head.pid = 10 * m_head.pid + (here() - '0');
    return true;
}

bool Reader::skipNumber()
{
    const std::size_t begin = m_at;
    while (isDigit(here()))
        ++m_at;
    return m_at > begin;
}

/// Skips to the text up to the next token.
bool Reader::skipTo(std::string_view rest)
{
    const std::size_t found = m_line.find(rest.substr(0, rest.find('%')), m_at);
    if (found == std::string_view::npos)
        return false;
    m_at = found;
    return true;
}

std::string_view headOf(QByteArrayView line)
{
    return {line.data(), std::size_t(std::min(line.size(), longestHead))};
}

constexpr qint64 epochDay = 2440588; ///< Julian day of 1970-01-01.
constexpr QByteArrayView tracebackHead("Traceback (most recent call last):");

} // namespace

std::optional<LogTime> LogLineHead::timeBefore(LogTime reference) const
{
    if (time || !yearless)
        return time;
    const qint64 latest = reference.value + dayMicroseconds; // Clocks differ.
    const int year = utcTime(latest / 1000).date().year();
    const auto in = [&](int which) {
        const qint64 day = QDate(which, yearless->month, 1).toJulianDay() - epochDay + yearless->day - 1;
        return dayMicroseconds * day + yearless->microseconds;
    };
    return LogTime(in(year) <= latest ? in(year) : in(year - 1));
}

LogTime logTimeOf(const QDateTime &moment)
{
    const QDateTime local = moment.toLocalTime();
    return LogTime(1000 * utcTime(local.date(), local.time()).toMSecsSinceEpoch());
}

LogLineHead readLogLineHead(QByteArrayView line)
{
    return Reader(headOf(line)).read();
}

QByteArray textOfAllRanks(QByteArrayView line, const LogLineHead &head)
{
    // Stands for each part that was left out; no text holds this byte.
    constexpr char leftOut = '\0';
    QByteArray text;
    text.reserve(line.size());
    qsizetype at = 0;
    for (int i = 0; i < head.ownCount; ++i) {
        const LogLineHead::Part part = head.ownParts[std::size_t(i)];
        text.append(line.data() + at, part.begin - at).append(leftOut);
        at = part.begin + part.size;
    }
    text.append(line.data() + at, line.size() - at);
    if (head.pid < leastTellingPid)
        return text;
    const QByteArray pid = QByteArray::number(head.pid);
    const auto digitAt = [&](qsizetype place) {
        return place >= 0 && place < text.size() && isDigit(text[place]);
    };
    for (qsizetype found = text.indexOf(pid); found >= 0; found = text.indexOf(pid, found + 1)) {
        if (!digitAt(found - 1) && !digitAt(found + pid.size()))
            text.replace(found, pid.size(), QByteArrayView(&leftOut, 1));
    }
    return text;
}

qsizetype rankPrefixSize(QByteArrayView line)
{
    return qsizetype(Reader(headOf(line)).skipRank());
}

LogLineReader::Line LogLineReader::read(QByteArrayView line)
{
    const LogLineHead head = readLogLineHead(line);
    if (head.time)
        m_reference = *head.time;
    if (const auto time = head.timeBefore(m_reference))
        m_last.time = time;
    const bool isBehindErrorHead = std::exchange(m_isBehindErrorHead, false);
    if (head.saysAnything()) {
        m_isInTraceback = false;
        m_last.severity = head.severity;
        m_isBehindErrorHead = head.severity >= LogSeverity::Error;
        return {m_last.severity, m_last.time, Source::Head};
    }
    const QByteArrayView text = line.sliced(rankPrefixSize(line));
    const bool isFirst = text.startsWith(tracebackHead);
    if (!isFirst && !m_isInTraceback)
        return m_last;
    m_isInTraceback = isFirst || text.isEmpty() || text.front() == ' ';
    const bool begins = isFirst && !isBehindErrorHead;
    return {std::max(m_last.severity, LogSeverity::Error), m_last.time,
            begins ? Source::TracebackBegin : Source::Traceback};
}

} // namespace rankdeck
