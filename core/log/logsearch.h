#pragma once

#include "log/linefinder.h"
#include "log/logtypes.h"

#include <QByteArray>

#include <memory>
#include <optional>

namespace rankdeck
{

class LogFile;

/// One search through a LogFile, done in steps so that its thread stays free for others. A match anywhere in
/// a line counts, also behind what is shown of a long one; one of more than 4 KiB in a line of more than 1
/// MiB may be missed.
class LogSearch
{
public:
    enum class State { Running, Found, NotFound };

    /// Search from line `from`, itself included, towards the end or the start of what `file` holds now.
    LogSearch(const LogFile &file, std::unique_ptr<LineFinder> finder, LineNumber from, bool backward);

    /// Read on for about `budget` bytes. `file` must be the one given first, not cut since.
    State step(const LogFile &file, qint64 budget);
    /// The line found.
    LineNumber line() const { return m_match.value_or(LineNumber()); }
    /// 0..100.
    int progress() const;

private:
    bool enterStretch(const LogFile &file);
    void searchLines(QByteArrayView lines);
    bool inRange(qint64 line) const;

    std::unique_ptr<LineFinder> m_finder;
    bool m_backward;
    LineNumber m_from;
    int m_stretch;
    int m_lastStretch;
    qint64 m_at = 0;
    qint64 m_end = 0;
    qint64 m_line = 0;    ///< Line number of the first byte of m_pending.
    QByteArray m_pending; ///< Read, but its line is not whole yet.
    qint64 m_searched = 0;
    qint64 m_toSearch = 0;
    std::optional<LineNumber> m_match;
};

} // namespace rankdeck
