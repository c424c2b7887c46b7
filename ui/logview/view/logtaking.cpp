#include "logview/view/logtaking.h"

#include "widgets/widgetparts.h"

#include <QApplication>
#include <QFileInfo>
#include <QProgressDialog>
#include <QThread>

namespace rankdeck
{

static void save(LogLines *lines, const QString &path, bool withEscapes, QWidget *view,
                 const std::function<void(const QString &)> &said)
{
    auto *const job = new LogSave(lines, path, withEscapes);
    auto *const thread = new QThread;
    job->moveToThread(thread);
    auto *const progress = new QProgressDialog(tr("Saving the log…"), tr("Cancel"), 0, 100, view);
    progress->setWindowTitle(tr("Save log"));
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    QObject::connect(job, &LogSave::progress, progress, &QProgressDialog::setValue);
    QObject::connect(progress, &QProgressDialog::canceled, job, &LogSave::cancel);
    QObject::connect(job, &LogSave::finished, view, [said, path](const QString &error) {
        said(error.isEmpty() ? tr("Saved as %1.").arg(path) : error);
    });
    QObject::connect(job, &LogSave::finished, progress, &QObject::deleteLater);
    // The view and its dialog may be closed before the job ends.
    QObject::connect(view, &QObject::destroyed, job, &LogSave::cancel);
    QObject::connect(job, &LogSave::finished, thread, &QThread::quit);
    QObject::connect(thread, &QThread::finished, job, &QObject::deleteLater);
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    QObject::connect(thread, &QThread::started, job, &LogSave::start);
    thread->start();
}

void LogCopy::start()
{
    connect(m_source, &LogSource::pageReceived, this, &LogCopy::onPage);
    connect(m_source, &LogSource::restarted, this, [this] { end(false); });
    ask();
}

void LogCopy::onPage(const LogPage &page)
{
    // Pages for the screen arrive as well; one that begins at the next line can be used.
    if (page.first.value != m_next)
        return;
    for (const QByteArray &line : page.lines) {
        if (m_next > m_selection.end().line)
            break;
        if (m_next > m_selection.begin().line)
            m_text += '\n'_L1;
        m_text +=
            m_withEscapes ? QString::fromUtf8(line) : ShownLine(line).textIn(m_selection.cellsOf(m_next));
        ++m_next;
        if (m_text.size() > mostCharacters) {
            end(false);
            return;
        }
    }
    if (m_next > m_selection.end().line || page.lines.isEmpty())
        end(true);
    else
        ask();
}

void LogCopy::end(bool complete)
{
    disconnect(m_source, nullptr, this, nullptr);
    Q_EMIT finished(m_text, complete);
    deleteLater();
}

LogSave::LogSave(LogLines *lines, const QString &path, bool withEscapes)
    : m_logs(lines->paths())
    , m_file(path, this)
    , m_withEscapes(withEscapes)
{
    connect(lines, &LogLines::page, this, &LogSave::onPage);
    connect(lines, &LogLines::restarted, this,
            [this] { end(tr("Nothing was saved: the log was replaced meanwhile.")); });
    connect(lines, &QObject::destroyed, this,
            [this] { end(tr("Nothing was saved: the log is not shown any more.")); });
    connect(this, &LogSave::linesRequested, lines, &LogLines::request);
}

void LogSave::start()
{
    if (m_isDone)
        return;
    if (isLog())
        fail(tr("Nothing was saved: this is the log itself"));
    else if (!m_file.open(QIODevice::WriteOnly))
        fail(tr("Nothing was saved: %1").arg(problemOf(m_file)));
    else
        ask();
}

bool LogSave::isLog() const
{
    const QString path = QFileInfo(m_file.fileName()).canonicalFilePath();
    return !path.isEmpty() && std::ranges::any_of(m_logs, [&path](const QString &log) {
        return QFileInfo(log).canonicalFilePath() == path;
    });
}

void LogSave::onPage(const LogPage &page)
{
    // Pages for the screen arrive as well; one that begins at the next line can be used.
    if (m_isDone || page.first.value != m_next || !m_file.isOpen())
        return;
    if (m_end < 0)
        m_end = page.totalLines;
    QByteArray bytes;
    for (const QByteArray &line : page.lines) {
        if (m_next == m_end)
            break;
        bytes += m_withEscapes ? line : AnsiDecoder::plainText(line).toUtf8();
        bytes += '\n';
        ++m_next;
    }
    if (m_file.write(bytes) != bytes.size()) {
        fail(tr("Nothing was saved: %1").arg(problemOf(m_file)));
        return;
    }
    const int percent = m_end > 0 ? int(100 * m_next / m_end) : 100;
    if (percent != std::exchange(m_percent, percent))
        Q_EMIT progress(percent);
    if (m_next < m_end && !page.lines.isEmpty())
        ask();
    else if (m_file.commit())
        end({});
    else
        fail(tr("Nothing was saved: %1").arg(problemOf(m_file)));
}

void LogSave::end(const QString &error)
{
    if (std::exchange(m_isDone, true))
        return;
    if (!error.isEmpty())
        m_file.cancelWriting();
    if (m_file.isOpen())
        m_file.commit(); // Writing was cancelled: this removes the written part.
    Q_EMIT finished(error);
}

/// Asks for a file and saves what `lines` shows there in the background, with a progress dialog over `view`.
/// `said` is called with the outcome, one sentence, unless `view` is gone by then.
static void saveLog(LogLines *lines, QWidget *view, const std::function<void(const QString &)> &said)
{
    const QString plain = tr("Plain text (*)");
    const QString withEscapes = tr("With colours, as the log has them (*)");
    QFileDialog *const dialog = saveFileDialog(view, tr("Save log"), {}, {plain, withEscapes}, {});
    QObject::connect(dialog, &QFileDialog::fileSelected, view,
                     [=, shown = QPointer(lines)](const QString &path) {
                         if (shown)
                             save(shown, path, dialog->selectedNameFilter() == withEscapes, view, said);
                     });
    dialog->open();
}

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
        lineLabel("", isWhole ? tr("Earlier contents of the line, in order: %L1").arg(pieces.size())
                              : tr("Last contents of the line, in order: %L1").arg(pieces.size()));
    auto *const text = named(new QPlainTextEdit(pieces.join('\n'_L1)), "", windowTitle());
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    useFixedFont(text);
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    addParts(new QVBoxLayout(this), {label, {text, 1}, buttons});
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

void LogTaking::showHistory(const QByteArray &bytes, bool isWhole)
{
    if (bytes.isEmpty()) {
        Q_EMIT said(tr("This line is empty."));
        return;
    }
    auto *const dialog = new LineHistoryDialog(bytes, isWhole, m_view);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace rankdeck
