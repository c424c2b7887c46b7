#include "log/file/loglines.h"

namespace rankdeck
{

LogLines::LogLines(QObject *parent)
    : QObject(parent)
    , m_timer(this)
    , m_catchUp(this)
    , m_searchStep(this)
{
    m_timer.setTimerType(Qt::CoarseTimer);
    m_catchUp.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &LogLines::look);
    connect(&m_catchUp, &QTimer::timeout, this, &LogLines::look);
    connect(&m_searchStep, &QTimer::timeout, this, &LogLines::continueSearch);
}

void LogLines::request(LineNumber first, int count)
{
    repeatTrouble();
    Q_EMIT page(read(first, count));
}

void LogLines::followTail(int count)
{
    m_tailCount = std::max(0, count);
    repeatTrouble();
    sendTail();
}

void LogLines::startSearching()
{
    m_progress = -1;
    m_searchStep.start(0);
}

void LogLines::tellProgress(int percent)
{
    if (std::exchange(m_progress, percent) != percent)
        Q_EMIT searchProgress(percent);
}

void LogLines::sendTail()
{
    if (m_tailCount > 0)
        Q_EMIT page(read(LineNumber(std::max(qint64(0), lineCount() - m_tailCount)), m_tailCount));
}

void LogLines::report(const QString &sentence)
{
    if (std::exchange(m_trouble, sentence) != sentence)
        Q_EMIT unreadable(sentence);
}

/// The caller may have connected after the error was reported.
void LogLines::repeatTrouble()
{
    if (!m_trouble.isEmpty())
        Q_EMIT unreadable(m_trouble);
}

} // namespace rankdeck
