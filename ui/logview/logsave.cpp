#include "logview/logsave.h"

#include "log/ansidecoder.h"
#include "result.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

constexpr int linesAtOnce = 2000;

} // namespace

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
    connect(this, &LogSave::linesWanted, lines, &LogLines::request);
}

void LogSave::start()
{
    if (m_isDone)
        return;
    if (isLog())
        end(Error{tr("Nothing was saved: this is the log itself"), m_file.fileName(), {}}.sentence());
    else if (!m_file.open(QIODevice::WriteOnly))
        end(Error{tr("Nothing was saved: %1").arg(m_file.errorString()), m_file.fileName(), {}}.sentence());
    else
        ask();
}

bool LogSave::isLog() const
{
    const QString path = QFileInfo(m_file.fileName()).canonicalFilePath();
    return !path.isEmpty() && std::any_of(m_logs.begin(), m_logs.end(), [&path](const QString &log) {
        return QFileInfo(log).canonicalFilePath() == path;
    });
}

void LogSave::cancel()
{
    end(tr("Nothing was saved: cancelled."));
}

void LogSave::ask()
{
    Q_EMIT linesWanted(LineNumber(m_next), linesAtOnce);
}

void LogSave::onPage(const LogPage &page)
{
    // Pages for the screen come by as well; one that begins where this stands serves as well as its own.
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
        end(Error{tr("Nothing was saved: %1").arg(m_file.errorString()), m_file.fileName(), {}}.sentence());
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
        end(Error{tr("Nothing was saved: %1").arg(m_file.errorString()), m_file.fileName(), {}}.sentence());
}

void LogSave::end(const QString &error)
{
    if (std::exchange(m_isDone, true))
        return;
    if (!error.isEmpty())
        m_file.cancelWriting();
    if (m_file.isOpen())
        m_file.commit(); // Removes what was written: writing is cancelled.
    Q_EMIT finished(error);
}

} // namespace rankdeck
