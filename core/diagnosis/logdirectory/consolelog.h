#pragma once

#include "base/result.h"
#include "diagnosis/failure/launcherwords.h"
#include "log/line/rankprefix.h"

#include <QTemporaryDir>

#include <memory>

namespace rankdeck
{

/// Which ranks one file with the output of a launcher and its ranks speaks of.
struct ConsoleLog {
    std::set<int> ranks; ///< With lines of their own; see RankPrefixes.
    LauncherWords words;

    /// Returns true if it holds more than one process's output.
    bool isOfSeveral() const { return ranks.size() > 1 || !words.isEmpty(); }
};

/// Reads the whole file, unless it is as it was when it was read before. Blocks. Any thread. A file that
/// cannot be read speaks of no rank.
ConsoleLog readConsoleLog(const QString &path);

/// Copies of the lines of each rank in a log of several, without what stands before them: a file for each
/// rank in a private temporary directory, which goes with this object.
class SplitLog
{
public:
    explicit SplitLog(QString path)
        : m_path(std::move(path))
    {
    }

    /// Copies what was added to the log since the last call; all again if the log was cut. Blocks. Fails if
    /// the log cannot be read or a copy cannot be written.
    std::optional<Error> update();
    QString path() const { return m_path; }
    /// Returns the file of a rank; it is there once a line of the rank was.
    QString fileOf(int rank) const;

private:
    class Copies;
    /// A line whose end has not been read yet.
    struct InLine {
        std::optional<int> rank;
    };
    void take(QByteArrayView text, Copies &copies);

    QString m_path;
    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<RankLines> m_lines;
    qint64 m_offset = 0;
    std::optional<InLine> m_inLine; ///< That the log ended in.
};

} // namespace rankdeck
