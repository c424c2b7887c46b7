#pragma once

#include "log/logtypes.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankdeck
{

class LogFile;

/// One search through a LogFile, done in steps so that its thread stays free for others. Compares with the
/// text as it is shown (escapes removed); a match anywhere in a line counts, also behind what is shown of a
/// long one.
class LogSearch
{
public:
    enum class State { Running, Found, NotFound };

    /// Search from line `from`, itself included, towards the end or the start of what `file` holds now.
    LogSearch(const LogFile &file, QString text, LineNumber from, bool backward, bool caseSensitive);

    /// Read on for about `budget` bytes. `file` must be the one given first, not cut since.
    State step(const LogFile &file, qint64 budget);
    /// The line found.
    LineNumber line() const { return m_match.value_or(LineNumber()); }
    /// 0..100.
    int progress() const;

private:
    bool enterStretch(const LogFile &file);
    void searchLines(QByteArrayView lines);
    qsizetype indexOf(QByteArrayView bytes, qsizetype from) const;
    bool matchesShownText(QByteArrayView line) const;
    bool inRange(qint64 line) const;

    QString m_text;
    QByteArray m_needle; ///< m_text in UTF-8, in lower case for a search that folds case.
    bool m_bytesSuffice; ///< Comparing bytes gives the right answer in lines without control characters.
    bool m_backward;
    bool m_caseSensitive;
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
