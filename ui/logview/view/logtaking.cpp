#include "logview/view/logtaking.h"

#include "log/line/ansidecoder.h"
#include "logview/canvas/logcanvas.h"
#include "logview/source/logexport.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace rankdeck
{

LineHistoryDialog::LineHistoryDialog(const QByteArray &bytes, bool isWhole, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("History of the line"));
    QStringList pieces;
    for (const QByteArray &piece : bytes.split('\r')) {
        const QString text = AnsiDecoder::plainText(piece);
        if (!text.trimmed().isEmpty())
            pieces.append(text);
    }
    auto *const label =
        new QLabel(isWhole ? tr("What the line showed, one after the other: %L1").arg(pieces.size())
                           : tr("What the line showed last, one after the other: %L1").arg(pieces.size()));
    label->setTextFormat(Qt::PlainText);
    auto *const text = new QPlainTextEdit(pieces.join(QLatin1Char('\n')));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(windowTitle());
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *const column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(700, 400);
}

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
