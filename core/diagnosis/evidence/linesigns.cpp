#include "diagnosis/evidence/linesigns.h"

#include <re2/set.h>

namespace rankdeck
{

namespace
{

enum Own { TracebackHead, ErrorWord, FactWord, OwnCount };

constexpr std::array<const char *, OwnCount> ownPatterns{
    "Traceback \\(most recent call last\\)|^Fatal Python error:|most recent call first\\):$",
    "\\b(?:ERROR|CRITICAL|EXCEPTION|FATAL|Error|Exception)\\b|^\\[E ?\\d{3,}|^\\[[EF] |错误|异常",
    "Entry-Hccl|HCCL_(?:CONNECT|EXEC)_TIMEOUT set|LocalRank Key Info|localInfo\\{server|alive node num: |"
    "(?i:Local information: ?server |world[ _]size['\"]?\\s*[:=]|rank[: ]{1,2}\\d{1,6}/)|process \\d{1,6} of "
    "\\d|\\btp_size=|"
    "distributed training: False|clients joined|tdt "
    "result = -?\\d+, device is "};

re2::RE2::Options options()
{
    re2::RE2::Options chosen;
    chosen.set_max_mem(int64_t(64) * 1024 * 1024);
    chosen.set_log_errors(false);
    return chosen;
}

} // namespace

struct LineSigns::Patterns {
    re2::RE2::Set set{options(), re2::RE2::UNANCHORED}; ///< The catalogue's patterns first.
};

LineSigns::LineSigns(const ErrorCatalogue &catalogue)
    : m_catalogue(catalogue)
    , m_patterns(std::make_unique<Patterns>())
{
    std::string reason;
    for (const ErrorEntry &entry : m_catalogue.entries())
        m_patterns->set.Add(entry.pattern, &reason);
    for (const char *pattern : ownPatterns)
        m_patterns->set.Add(pattern, &reason);
    m_patterns->set.Compile();
}

LineSigns::~LineSigns() = default;

LineSigns::Signs LineSigns::of(std::string_view line) const
{
    const re2::StringPiece text(line.data(), line.size()); // Newer versions take no std::string_view.
    std::vector<int> found;
    // Nearly every line matches nothing, and this test is the fastest.
    if (!m_patterns->set.Match(text, nullptr) || !m_patterns->set.Match(text, &found))
        return {};
    const auto known = int(m_catalogue.entries().size());
    Signs signs;
    int heaviest = known;
    for (const int each : found) {
        heaviest = std::min(heaviest, each);
        signs.isTracebackHead |= each == known + TracebackHead;
        signs.isErrorWord |= each == known + ErrorWord;
        signs.isFactWord |= each == known + FactWord;
    }
    if (heaviest < known)
        signs.entry = &m_catalogue.entries()[std::size_t(heaviest)];
    return signs;
}

} // namespace rankdeck
