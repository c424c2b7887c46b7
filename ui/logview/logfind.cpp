#include "logview/logfind.h"

#include "logview/findbar.h"
#include "logview/logcanvas.h"

namespace rankdeck
{

LogFind::LogFind(FindBar *bar, LogSource *source, LogCanvas *canvas, QObject *parent)
    : QObject(parent)
    , m_bar(bar)
    , m_source(source)
    , m_canvas(canvas)
{
    connect(bar, &FindBar::findWanted, this, &LogFind::next);
    connect(bar, &FindBar::closed, this, &LogFind::close);
    connect(bar, &FindBar::edited, this, &LogFind::onEdited);
    connect(bar, &FindBar::editingPaused, this,
            [this] { start(m_canvas->currentLine().value_or(m_canvas->top()), false); });
    connect(source, &LogSource::found, this, &LogFind::onFound);
    connect(source, &LogSource::notFound, this, &LogFind::onNotFound);
    connect(source, &LogSource::restarted, this, &LogFind::restart);
    connect(source, &LogSource::searchProgress, this, [this](LogSource::Search search, int percent) {
        if (search == LogSource::Search::Text)
            m_bar->setResult(tr("Searching, %1 %").arg(percent));
    });
}

bool LogFind::isOpen() const
{
    return m_bar->isVisible();
}

void LogFind::open()
{
    const LogSelection &selection = m_canvas->selection();
    QString suggestion;
    if (!selection.isEmpty() && selection.begin().line == selection.end().line)
        suggestion = ShownLine(m_source->line(selection.begin().line))
                         .textIn(selection.cellsOf(selection.begin().line));
    m_bar->open(suggestion);
    m_canvas->setMatcher(m_bar->matcher());
}

void LogFind::close()
{
    m_source->stopSearch();
    m_canvas->setMatcher({});
    m_canvas->setCurrentLine({});
    m_wasFound = false;
    m_revealing.reset();
    m_bar->setResult({});
    m_bar->hide();
    Q_EMIT closed();
}

void LogFind::onEdited()
{
    if (m_source->search() == LogSource::Search::Text)
        m_source->stopSearch();
    m_wasFound = false;
    m_canvas->setMatcher(m_bar->matcher());
}

void LogFind::next(bool backward)
{
    if (m_bar->pattern().text.isEmpty()) {
        open();
        return;
    }
    m_bar->show();
    m_canvas->setMatcher(m_bar->matcher());
    if (const std::optional<qint64> current = m_canvas->currentLine())
        start(*current + (backward ? -1 : 1), backward);
    else
        start(backward ? m_canvas->bottom() : m_canvas->top(), backward);
}

void LogFind::start(qint64 from, bool backward)
{
    if (!m_bar->matcher())
        return; // The bar says why.
    m_from = from;
    m_isBackward = backward;
    m_isSecondTry = false;
    m_bar->setResult(tr("Searching"));
    m_source->find(m_bar->pattern(), from, backward);
}

void LogFind::onFound(LogSource::Search search, qint64 line)
{
    if (search != LogSource::Search::Text)
        return;
    m_wasFound = true;
    m_bar->setResult(tr("Line %1").arg(m_source->fileLine(line) + 1));
    m_revealing = line;
    Q_EMIT lineWanted(line);
    reveal();
}

void LogFind::onNotFound(LogSource::Search search)
{
    if (search != LogSource::Search::Text)
        return;
    if (m_wasFound || m_isSecondTry) {
        m_bar->setResult(m_wasFound ? tr("No further match") : tr("No match"));
        return;
    }
    m_isSecondTry = true;
    m_source->find(m_bar->pattern(), m_from + (m_isBackward ? 1 : -1), !m_isBackward);
}

void LogFind::restart()
{
    m_wasFound = false;
    m_revealing.reset();
    m_bar->setResult({});
}

void LogFind::pageChanged()
{
    reveal();
}

/// Sideways: only when the line is here is it known where in it the match stands.
void LogFind::reveal()
{
    if (!m_revealing || !m_bar->matcher() || !m_source->hasLines(*m_revealing, 1))
        return;
    const ShownLine line(m_source->line(*m_revealing));
    m_revealing.reset();
    const QList<CellRange> matches = line.matches(*m_bar->matcher());
    if (!matches.isEmpty())
        Q_EMIT cellsWanted(matches.front(), line.cells());
}

} // namespace rankdeck
