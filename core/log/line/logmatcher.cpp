#include "log/line/logmatcher.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace rankdeck
{

constexpr int shortestAtom = 3; ///< bytes
constexpr std::size_t mostAtoms = 8;

static re2::RE2::Options optionsOf(const LogPattern &pattern)
{
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_case_sensitive(pattern.caseSensitive);
    options.set_literal(!pattern.isRegex);
    // Neither a dot nor a class matches a line end.
    options.set_never_nl(true);
    return options;
}

/// Returns false for parts that mean something else in many lines: \A, \z, any byte, flags turned off.
static bool meansTheSameInManyLines(const QString &regex)
{
    for (const char *const special : {"\\A", "\\z", "\\C"}) {
        if (regex.contains(QLatin1String(special)))
            return false;
    }
    for (qsizetype at = 0; (at = regex.indexOf("(?"_L1, at)) >= 0; at += 2) {
        const auto end = std::find_if(regex.begin() + at + 2, regex.end(),
                                      [](QChar c) { return !c.isLetter() && c != '-'_L1; });
        if (QStringView(regex.begin() + at, end).contains('-'_L1))
            return false;
    }
    return true;
}

/// Works in blocks of fixed size, so that the compiler vectorizes the loop.
static QByteArray toLowerAscii(QByteArrayView bytes)
{
    constexpr qsizetype block = 64;
    QByteArray folded(bytes.size(), Qt::Uninitialized);
    char *const target = folded.data();
    const auto fold = [](char c) {
        return char(uchar(c) | uchar(uchar(uchar(c) - uchar('A')) < 26 ? 0x20 : 0));
    };
    qsizetype at = 0;
    for (; at + block <= bytes.size(); at += block) {
        std::array<char, block> part;
        std::memcpy(part.data(), bytes.data() + at, block);
        for (char &c : part)
            c = fold(c);
        std::memcpy(target + at, part.data(), block);
    }
    for (; at < bytes.size(); ++at)
        target[at] = fold(bytes.data()[at]);
    return folded;
}

/// Only ASCII letters of the text are folded, so others must have no case.
static bool foldsAsAscii(const std::string &atom)
{
    const QString text = QString::fromStdString(atom);
    return std::ranges::all_of(text, [](QChar c) {
        return c.unicode() < 0x80 || (!c.isSurrogate() && c.toLower() == c && c.toUpper() == c);
    });
}

static const char *find(std::string_view text, const std::string &part)
{
    return static_cast<const char *>(memmem(text.data(), text.size(), part.data(), part.size()));
}

static uchar isControl(char c)
{
    return uchar(uchar(uchar(c) < 0x20) & uchar(c != '\n')) | uchar(c == 0x7F);
}

/// Works in blocks without early exit, so that the compiler vectorizes the loop.
static bool hasControls(QByteArrayView bytes)
{
    constexpr qsizetype block = 64;
    uchar found = 0;
    qsizetype at = 0;
    for (; at + block <= bytes.size(); at += block) {
        for (qsizetype i = 0; i < block; ++i)
            found |= isControl(bytes.data()[at + i]);
    }
    for (; at < bytes.size(); ++at)
        found |= isControl(bytes.data()[at]);
    return found != 0;
}

struct LogMatcher::Content {
    std::string text;                      ///< Plain text to find without RE2.
    std::unique_ptr<re2::RE2> inLine;      ///< None for the plain text in its own case.
    std::unique_ptr<re2::RE2> inManyLines; ///< None where that cannot be.
    /// Words, in lower case, and the rule which words a match requires.
    std::vector<std::string> atoms;
    std::unique_ptr<re2::FilteredRE2> rule;

    void findAtoms(const LogPattern &pattern);
};

void LogMatcher::Content::findAtoms(const LogPattern &pattern)
{
    auto filtered = std::make_unique<re2::FilteredRE2>(shortestAtom);
    int id = 0;
    if (filtered->Add(inLine->pattern(), optionsOf(pattern), &id) != re2::RE2::NoError)
        return;
    filtered->Compile(&atoms);
    if (atoms.empty() || atoms.size() > mostAtoms || !std::ranges::all_of(atoms, foldsAsAscii))
        return;
    // A rule that is met without any atom rules nothing out.
    std::vector<int> met;
    filtered->AllPotentials({}, &met);
    if (met.empty())
        rule = std::move(filtered);
}

Result<LogMatcher> LogMatcher::create(const LogPattern &pattern)
{
    if (pattern.text.isEmpty())
        return Error{tr("the pattern is empty"), {}, tr("Give the text to search for.")};
    auto content = std::make_shared<Content>();
    content->text = pattern.text.toStdString();
    if (pattern.isRegex || !pattern.caseSensitive) {
        content->inLine = std::make_unique<re2::RE2>(content->text, optionsOf(pattern));
        if (!content->inLine->ok())
            return Error{tr("the pattern is not a regular expression: %1")
                             .arg(QString::fromStdString(content->inLine->error())),
                         pattern.text, tr("See the syntax of RE2, or search for plain text.")};
        const std::string lines = (pattern.isRegex ? "(?m)" : "") + content->text;
        if (!pattern.isRegex || meansTheSameInManyLines(pattern.text))
            content->inManyLines = std::make_unique<re2::RE2>(lines, optionsOf(pattern));
        content->findAtoms(pattern);
    }
    LogMatcher matcher;
    matcher.m_content = std::move(content);
    return matcher;
}

QString LogMatcher::quoted(const QString &text)
{
    return QString::fromStdString(re2::RE2::QuoteMeta(text.toStdString()));
}

bool LogMatcher::isIn(QByteArrayView line) const
{
    const std::string_view text(line.data(), std::size_t(line.size()));
    if (!m_content->inLine)
        return find(text, m_content->text) != nullptr;
    return re2::RE2::PartialMatch({text.data(), text.size()}, *m_content->inLine);
}

QList<LogMatcher::Range> LogMatcher::matches(QByteArrayView line) const
{
    QList<Range> found;
    const re2::StringPiece text(line.data(), std::size_t(line.size()));
    std::size_t at = 0;
    while (at <= text.size()) {
        Range range;
        if (!m_content->inLine) {
            const char *const hit = find({text.data() + at, text.size() - at}, m_content->text);
            if (!hit)
                break;
            range = {hit - text.data(), hit - text.data() + qsizetype(m_content->text.size())};
        } else {
            re2::StringPiece hit;
            if (!m_content->inLine->Match(text, at, text.size(), re2::RE2::UNANCHORED, &hit, 1))
                break;
            range = {hit.data() - text.data(), hit.data() - text.data() + qsizetype(hit.size())};
        }
        if (range.end > range.begin)
            found.append(range);
        at = std::size_t(std::max(range.end, range.begin + 1));
    }
    return found;
}

bool LogMatcher::takesManyLines() const
{
    return !m_content->inLine || m_content->inManyLines;
}

bool LogMatcher::mayBeIn(QByteArrayView lines) const
{
    if (!m_content->rule)
        return true;
    const QByteArray folded = toLowerAscii(lines);
    const auto count = int(m_content->atoms.size());
    std::vector<int> possible(m_content->atoms.size());
    std::iota(possible.begin(), possible.end(), 0);
    for (int i = 0; i < count; ++i) {
        if (find({folded.constData(), std::size_t(folded.size())}, m_content->atoms[std::size_t(i)]))
            continue;
        std::erase(possible, i);
        std::vector<int> met;
        m_content->rule->AllPotentials(possible, &met);
        if (met.empty())
            return false;
    }
    return true;
}

std::optional<qsizetype> LogMatcher::firstIn(QByteArrayView lines, qsizetype from) const
{
    // No line begins behind the last line end.
    const auto end = std::size_t(lines.endsWith('\n') ? lines.size() - 1 : lines.size());
    if (std::size_t(from) > end)
        return {};
    if (!m_content->inLine) {
        const char *const hit = find({lines.data() + from, end - std::size_t(from)}, m_content->text);
        return hit ? std::optional(hit - lines.data()) : std::nullopt;
    }
    const re2::StringPiece text(lines.data(), end);
    re2::StringPiece hit;
    if (!m_content->inManyLines->Match(text, std::size_t(from), end, re2::RE2::UNANCHORED, &hit, 1))
        return {};
    return hit.data() - lines.data();
}

bool isShownAsItIs(QByteArrayView bytes)
{
    return !hasControls(bytes) && bytes.isValidUtf8();
}

} // namespace rankdeck
