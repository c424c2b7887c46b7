#pragma once

#include "logview/source/logsource.h"

#include <QByteArray>
#include <QClipboard>
#include <QDialog>
#include <QObject>
#include <QString>

namespace rankdeck
{

class LogCanvas;

/// Shows the earlier contents of a line of a log: its parts between carriage returns, as progress bars write
/// them.
class LineHistoryDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param isWhole whether `bytes` begin at the start of the line.
    LineHistoryDialog(const QByteArray &bytes, bool isWhole, QWidget *parent = nullptr);
};

/// Copies lines of a log to the clipboard, saves them in a file, and shows the history of a line that
/// overwrote itself.
class LogTaking : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it; `view` is the parent of dialogs.
    LogTaking(LogSource *source, LogCanvas *canvas, QWidget *view);

    /// Puts the selected text on the clipboard; copied() when it is there.
    /// @param withEscapes the whole lines of the selection with their escapes, as they are in the log.
    void copy(QClipboard::Mode mode, bool withEscapes = false);
    /// Asks for a file and saves all lines there.
    void save();
    /// Shows the history of LogCanvas::lineMeant() in a dialog.
    void askForHistory();

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
