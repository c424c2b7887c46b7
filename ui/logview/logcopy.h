#pragma once

#include "logview/logselection.h"
#include "logview/logsource.h"

#include <QObject>
#include <QString>

namespace rankdeck
{

/// Fetches the text of a selection, page by page: it may reach far beyond what is on the screen.
class LogCopy : public QObject
{
    Q_OBJECT

public:
    /// More is not put on a clipboard, which other programs would have to take whole.
    static constexpr qsizetype mostCharacters = 32 * 1024 * 1024;

    /// @param selection in the file.
    /// @param withEscapes whole lines, with the colours and all that programs printed to control a terminal.
    LogCopy(LogSource *source, const LogSelection &selection, bool withEscapes, QObject *parent = nullptr);
    void start();

Q_SIGNALS:
    /// `complete` is false when the text ends at mostCharacters, or when the log was cut meanwhile.
    void finished(const QString &text, bool complete);

private:
    void onPage(const LogPage &page);
    void ask();
    void end(bool complete);

    LogSource *m_source;
    LogSelection m_selection;
    bool m_withEscapes;
    qint64 m_next;
    QString m_text;
};

} // namespace rankdeck
