#pragma once

#include "base/result.h"
#include "diagnosis/failure/launcherwords.h"
#include "log/line/rankprefix.h"

#include <QFile>
#include <QTemporaryDir>

#include <memory>

namespace rankdeck
{

/// The ranks in one file with the output of a launcher and its ranks.
struct ConsoleLog {
    std::set<int> ranks; ///< Ranks with lines of their own; see RankPrefixes.
    LauncherWords words;

    /// Returns true if it holds more than one process's output.
    bool isOfSeveral() const { return ranks.size() > 1 || !words.isEmpty(); }
};

/// Reads the whole file, unless it is unchanged since. Blocks. Any thread. Empty if it cannot be read.
ConsoleLog readConsoleLog(const QString &path);

/// Copies of the lines of each rank in a log of several, without their prefixes: a file for each rank.
class SplitLog
{
public:
    /// The files are in a private temporary directory, which goes with this object.
    explicit SplitLog(QString path)
        : m_path(std::move(path))
    {
    }
    /// The files stay. @param directory exists.
    SplitLog(QString path, QString directory)
        : m_path(std::move(path))
        , m_directory(std::move(directory))
    {
    }

    /// Copies the part that was added to the log since the last call; everything again if the log was cut, or
    /// its beginning now assigns the lines to other ranks. Blocks. Fails if a file cannot be read or written.
    std::optional<Error> update();
    /// The same for at most stepBytes of the log at once, without a line that is still being written.
    std::optional<Error> step() { return takeNext(true); }
    /// Returns true if the log has more than the last step() took.
    bool isBehind() const { return m_isBehind; }
    QString path() const { return m_path; }
    /// Returns the file of a rank; it is there once a line of the rank was.
    QString fileOf(int rank) const;
    /// The ranks with lines, at most mostRanks.
    const std::set<int> &ranks() const { return m_ranks; }

    static constexpr qint64 stepBytes = 4 * 1024 * 1024;
    static constexpr std::size_t mostRanks = 65536;

private:
    class Copies;
    /// A line whose end has not been read yet.
    struct InLine {
        std::optional<int> rank;
    };
    std::optional<Error> begin(QFile &log);
    std::optional<Error> takeNext(bool leavesUnfinished);
    void take(QByteArrayView text, Copies &copies);

    QString m_path;
    QString m_directory;
    std::unique_ptr<QTemporaryDir> m_ownDirectory;
    std::optional<RankPrefixes> m_prefixes; ///< As the first m_sampled bytes of the log have them.
    qint64 m_sampled = 0;
    std::unique_ptr<RankLines> m_lines;
    std::set<int> m_ranks;
    qint64 m_offset = 0;
    bool m_isBehind = false;
    std::optional<InLine> m_inLine; ///< The unfinished line at the end of the log.
};

} // namespace rankdeck
