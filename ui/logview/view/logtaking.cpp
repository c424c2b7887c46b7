#include "logview/logtaking.h"

#include "logview/linehistorydialog.h"
#include "logview/logcanvas.h"
#include "logview/logcopy.h"
#include "logview/logsaving.h"

#include <QApplication>

namespace rankdeck
{

LogTaking::LogTaking(LogSource *source, LogCanvas *canvas, QWidget *view)
    : QObject(view)
    , m_source(source)
    , m_canvas(canvas)
    , m_view(view)
{
    connect(source, &LogSource::wholeLineReceived, this, &LogTaking::showHistory);
}

void LogTaking::copy(QClipboard::Mode mode, bool withEscapes)
{
    const LogSelection selection = m_source->inFile(m_canvas->selection());
    if (selection.isEmpty())
        return;
    auto *const job = new LogCopy(m_source, selection, withEscapes, this);
    connect(job, &LogCopy::finished, this, [this, mode](const QString &text, bool complete) {
        QApplication::clipboard()->setText(text, mode);
        if (!complete)
            Q_EMIT said(
                tr("Only the beginning of the selection was copied: %1 characters.").arg(text.size()));
        Q_EMIT copied(mode);
    });
    job->start();
}

void LogTaking::save()
{
    if (LogLines *const lines = m_source->lines())
        saveLog(lines, m_view, [this](const QString &sentence) { Q_EMIT said(sentence); });
}

void LogTaking::askForHistory()
{
    m_source->requestWhole(m_canvas->lineMeant());
}

void LogTaking::showHistory(const QByteArray &bytes, bool isWhole)
{
    if (bytes.isEmpty()) {
        Q_EMIT said(tr("There is nothing in this line."));
        return;
    }
    auto *const dialog = new LineHistoryDialog(bytes, isWhole, m_view);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace rankdeck
