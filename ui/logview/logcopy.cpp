#include "logview/logcopy.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 linesAtOnce = 1000;

} // namespace

LogCopy::LogCopy(LogSource *source, const LogSelection &selection, bool withEscapes, QObject *parent)
    : QObject(parent)
    , m_source(source)
    , m_selection(selection)
    , m_withEscapes(withEscapes)
    , m_next(selection.begin().line)
{
}

void LogCopy::start()
{
    connect(m_source, &LogSource::pageReceived, this, &LogCopy::onPage);
    connect(m_source, &LogSource::restarted, this, [this] { end(false); });
    ask();
}

void LogCopy::ask()
{
    m_source->request(m_next, int(std::min(linesAtOnce, m_selection.end().line - m_next + 1)));
}

void LogCopy::onPage(const LogPage &page)
{
    // Pages for the screen come by as well; one that begins where this copy stands serves as well as its own.
    if (page.first.value != m_next)
        return;
    for (const QByteArray &line : page.lines) {
        if (m_next > m_selection.end().line)
            break;
        if (m_next > m_selection.begin().line)
            m_text += QLatin1Char('\n');
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

} // namespace rankdeck
