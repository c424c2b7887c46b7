#pragma once

#include "logview/canvas/logcanvas.h"
#include "logview/source/logsource.h"

#include <QClipboard>
#include <QDialog>
#include <QSaveFile>

namespace rankdeck
{

/// Fetches the text of a selection, page by page: it may reach far beyond the screen.
class LogCopy : public QObject
{
    Q_OBJECT

public:
    /// Limit of the text: other programs read a clipboard as a whole.
    static constexpr qsizetype mostCharacters = 32 * 1024 * 1024;

    /// @param selection in the file.
    /// @param withEscapes whole lines, with colours and all other escapes that programs printed.
    LogCopy(LogSource *source, const LogSelection &selection, bool withEscapes, QObject *parent = nullptr)
        : QObject(parent)
        , m_source(source)
        , m_selection(selection)
        , m_withEscapes(withEscapes)
        , m_next(selection.begin().line)
    {
    }
    void start();

Q_SIGNALS:
    /// `complete` is false if the text ends at mostCharacters or the log was truncated during the copy.
    void finished(const QString &text, bool complete);

private:
    static constexpr qint64 linesAtOnce = 1000;

    void onPage(const LogPage &page);
    void ask() { m_source->request(m_next, int(std::min(linesAtOnce, m_selection.end().line - m_next + 1))); }
    void end(bool complete);

    LogSource *m_source;
    LogSelection m_selection;
    bool m_withEscapes;
    qint64 m_next;
    QString m_text;
};

/// Writes all lines of a view to a file, which appears only when it is complete. Lives in a thread of its
/// own; leaves out lines that are added to the log after the start.
class LogSave : public QObject
{
    Q_OBJECT

public:
    /// @param withEscapes the bytes of the log, colours and all; else plain UTF-8.
    LogSave(LogLines *lines, const QString &path, bool withEscapes);

public Q_SLOTS:
    void start();
    void cancel() { end(tr("Nothing was saved: cancelled.")); }

Q_SIGNALS:
    /// 0 .. 100
    void progress(int percent);
    /// `error` is a sentence; empty on success.
    void finished(const QString &error);

    void linesRequested(rankdeck::LineNumber first, int count);

private:
    static constexpr int linesAtOnce = 2000;

    void onPage(const LogPage &page);
    bool isLog() const;
    void fail(const QString &what) { end(Error{what, m_file.fileName(), {}}.sentence()); }
    void ask() { Q_EMIT linesRequested(LineNumber(m_next), linesAtOnce); }
    void end(const QString &error);

    QStringList m_logs; ///< Paths that must not be written to.
    QSaveFile m_file;
    bool m_withEscapes;
    bool m_isDone = false;
    qint64 m_next = 0;
    qint64 m_end = -1; ///< Line to stop at; unknown before the first page.
    int m_percent = 0;
};

/// Shows a line's earlier contents: its parts between carriage returns, as progress bars write them.
class LineHistoryDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param isWhole whether `bytes` begin at the start of the line.
    LineHistoryDialog(const QByteArray &bytes, bool isWhole, QWidget *parent = nullptr);
};

/// Copies lines of a log, saves them in a file, and shows the history of a line that overwrote itself.
class LogTaking : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it; `view` is the parent of dialogs.
    LogTaking(LogSource *source, LogCanvas *canvas, QWidget *view);

    /// Puts the selected text on the clipboard; copied() is emitted after that.
    /// @param withEscapes the whole lines of the selection with their escapes, unchanged from the log.
    void copy(QClipboard::Mode mode, bool withEscapes = false);
    /// Asks for a file and saves all lines there.
    void save();
    /// Shows the history of LogCanvas::lineMeant() in a dialog.
    void askForHistory() { m_source->requestWhole(m_canvas->lineMeant()); }

Q_SIGNALS:
    void copied(QClipboard::Mode mode);
    /// A result that the user should know.
    void said(const QString &sentence);

private:
    void showHistory(const QByteArray &bytes, bool isWhole);

    LogSource *m_source;
    LogCanvas *m_canvas;
    QWidget *m_view;
};

} // namespace rankdeck
