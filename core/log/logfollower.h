#pragma once

#include "log/logmark.h"
#include "log/logtypes.h"

#include <QByteArray>
#include <QList>
#include <QMetaType>
#include <QObject>
#include <QString>

#include <memory>

namespace rankdeck
{

class LogFile;

/// A stretch of a log, as bytes of whole lines without their ends; each line is cut at maxShownLineBytes.
struct LogPage {
    LineNumber first; ///< Line number of lines[0].
    QList<QByteArray> lines;
    qint64 totalLines = 0; ///< Of the file when the page was read, an unfinished last line included.
    qint64 totalBytes = 0;
    bool atEnd = false;   ///< The page holds the file's last line.
    QList<LogMark> marks; ///< Of the whole file as far as it was read, in their order.
};

/// Follows one growing log file in the thread it lives in (never the GUI thread) and hands out pages of it.
/// Reads with pread on a timer; the file may appear later than the follower.
class LogFollower : public QObject
{
    Q_OBJECT

public:
    /// A longer line is shown up to here, with its true length said behind it.
    static constexpr int maxShownLineBytes = 16 * 1024;

    explicit LogFollower(QString path, QObject *parent = nullptr);
    ~LogFollower() override;

public Q_SLOTS:
    /// Start looking at the file, ten times a second.
    void start();
    /// The run is over: read to the end, then stop looking.
    void finish();
    /// Ask for `count` lines from `first`; answered by page(), at once. Lines beyond the end are left out.
    void request(rankdeck::LineNumber first, int count);
    /// While set, every growth is answered by page() with the last `count` lines. 0 turns it off.
    void followTail(int count);
    /// Find `text` from `from` (towards the end, or the start); answered by found() or notFound(). Works in
    /// slices so that requests are served meanwhile; a new search replaces the one before, an empty text
    /// cancels it.
    void find(const QString &text, rankdeck::LineNumber from, bool backward, bool caseSensitive);
    /// Put remarks into every page from now on, instead of those before; in the order of their offsets.
    void setMarks(const QList<rankdeck::LogMark> &marks);

Q_SIGNALS:
    /// The file grew or was cut. `lastLine` is its last line with something on it, at most 500 bytes, escapes
    /// removed.
    void grew(qint64 totalLines, qint64 totalBytes, const QString &lastLine);
    /// The file was cut or replaced: line numbers start again. grew() follows.
    void restarted();
    void page(const rankdeck::LogPage &page);
    /// There are other marks; pages that were sent before do not have them.
    void marked();
    void found(rankdeck::LineNumber line);
    void notFound();
    /// 0..100 while a search runs.
    void searchProgress(int percent);
    /// The file cannot be read: a sentence for the user. Looking goes on. Said again to who asks for lines;
    /// empty when the file can be read after all.
    void unreadable(const QString &sentence);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::LineNumber)
Q_DECLARE_METATYPE(rankdeck::LogPage)
