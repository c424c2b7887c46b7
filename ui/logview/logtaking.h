#pragma once

#include "logview/logsource.h"

#include <QClipboard>
#include <QObject>
#include <QString>

class QWidget;

namespace rankdeck
{

class LogCanvas;

/// What can be taken out of a log: its lines onto the clipboard or into a file, and what a line showed before
/// it overwrote itself.
class LogTaking : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it; dialogs are opened over `view`.
    LogTaking(LogSource *source, LogCanvas *canvas, QWidget *view);

    /// Put the selected text on the clipboard; copied() when it is there.
    /// @param withEscapes the whole lines of the selection with their escapes, as they are in the log.
    void copy(QClipboard::Mode mode, bool withEscapes = false);
    /// Ask for a file and save all lines there.
    void save();
    /// Show in a dialog what the line that is meant showed before it overwrote itself.
    void askForHistory();

Q_SIGNALS:
    void copied(QClipboard::Mode mode);
    /// How it went, where that is worth a word.
    void said(const QString &sentence);

private:
    void showHistory(const QByteArray &bytes, bool isWhole);

    LogSource *m_source;
    LogCanvas *m_canvas;
    QWidget *m_view;
};

} // namespace rankdeck
