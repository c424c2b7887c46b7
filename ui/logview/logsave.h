#pragma once

#include "log/loglines.h"

#include <QObject>
#include <QSaveFile>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// Writes all lines that a view shows to a file, which is there only once it is whole. Lives in a thread of
/// its own; what is added to the log after it began is left out.
class LogSave : public QObject
{
    Q_OBJECT

public:
    /// @param withEscapes the bytes of the log, colours and all; else plain UTF-8.
    LogSave(LogLines *lines, const QString &path, bool withEscapes);

public Q_SLOTS:
    void start();
    void cancel();

Q_SIGNALS:
    /// 0 .. 100
    void progress(int percent);
    /// What went wrong, a sentence; empty if nothing did.
    void finished(const QString &error);

    void linesWanted(rankdeck::LineNumber first, int count);

private:
    void onPage(const LogPage &page);
    bool isLog() const;
    void ask();
    void end(const QString &error);

    QStringList m_logs; ///< Not to be written to.
    QSaveFile m_file;
    bool m_withEscapes;
    bool m_isDone = false;
    qint64 m_next = 0;
    qint64 m_end = -1; ///< Not known before the first page.
    int m_percent = 0;
};

} // namespace rankdeck
