#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QString>

#include <optional>
#include <vector>

namespace rankdeck
{

/// When a log had grown how far, by the marks that GrowthMarks wrote beside it. Reads them a few kilobytes at
/// a time, as far as it is asked, and looks for new ones ten times a second at most.
class GrowthTimes
{
public:
    /// @param file marksFile(); it may appear later.
    explicit GrowthTimes(QString file);

    /// The time of the first mark that says at least `size` bytes, UTC; of what has not been marked yet, that
    /// of the last one. Nothing where there is none. To be asked for growing sizes: one that is smaller than
    /// the one before has the same time.
    std::optional<QDateTime> reached(qint64 size);

private:
    struct Mark {
        qint64 time; ///< ms since 1970, UTC
        qint64 size;
    };
    bool readOn();

    QString m_file;
    qint64 m_offset = 0; ///< In the file of marks.
    std::vector<Mark> m_marks;
    std::size_t m_next = 0;
    std::optional<Mark> m_last;
    QElapsedTimer m_sinceEnd; ///< Since all marks had been read.
};

} // namespace rankdeck
