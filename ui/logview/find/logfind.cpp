#include "logview/find/logfind.h"

#include "logview/canvas/logcanvas.h"
#include "widgets/texthistory.h"

namespace rankdeck
{

// The wider a line edit, the more pixels each of its repaints sends.
constexpr int editWidth = 220;

FindBar::FindBar(QWidget *parent)
    : QWidget(parent)
{
    m_edit = named(new QLineEdit(this), "", tr("Find in this log"));
    m_edit->setMaximumWidth(editWidth);
    m_edit->setPlaceholderText(m_edit->accessibleName());
    new TextHistory(m_edit, u"log/searches"_s);
    m_regex = named(new QCheckBox(tr("Rege&x"), this), "findRegex");
    m_regex->setToolTip(tr("Search for a regular expression (RE2 syntax)"));
    m_case = new QCheckBox(tr("&Case"), this);
    m_case->setToolTip(tr("Match case"));
    auto *const previous = flatButton(this, tr("Previous"), tr("Previous match (Shift+F3)"));
    auto *const next = flatButton(this, tr("Next"), tr("Next match (F3)"));
    m_all = named(flatButton(this, tr("All ranks"), tr("Search the logs of all ranks (Ctrl+Alt+F)")),
                  "findInAll");
    m_all->hide();
    m_result = resultLabel("findResult");
    m_result->setAccessibleName(tr("Search result"));
    auto *const close = flatButton(this, tr("Close"), tr("Close the find bar (Esc)"));

    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(4, 2, 4, 2);
    row->setSpacing(4);
    addParts(row, {{m_edit, 3}, previous, next, m_regex, m_case, m_all, Gap{4}, {m_result, 2}, close});

    connect(&m_pause, &QTimer::timeout, this, &FindBar::editingPaused);
    connect(m_edit, &QLineEdit::textChanged, this, &FindBar::onEdited);
    for (const QCheckBox *const box : {m_regex, m_case}) {
        connect(box, &QCheckBox::toggled, this, &FindBar::onEdited);
        // The user can go on typing after a click.
        connect(box, &QCheckBox::clicked, m_edit, qOverload<>(&QLineEdit::setFocus));
    }
    connect(this, &FindBar::findRequested, &m_pause, &QTimer::stop);
    connect(this, &FindBar::closed, &m_pause, &QTimer::stop);
    connect(previous, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(true); });
    connect(next, &QToolButton::clicked, this, [this] { Q_EMIT findRequested(false); });
    connect(close, &QToolButton::clicked, this, &FindBar::closed);
    connect(m_all, &QToolButton::clicked, this, [this] { Q_EMIT allRequested(pattern()); });
}

void FindBar::onEdited()
{
    m_matcher.reset();
    m_pause.stop();
    QString trouble;
    if (!m_edit->text().isEmpty()) {
        if (Result<LogMatcher> matcher = LogMatcher::create(pattern())) {
            m_matcher = matcher.value();
            m_pause.start();
        } else {
            trouble = matcher.error().what;
        }
    }
    Q_EMIT edited();
    setResult(trouble);
}

void FindBar::open(const QString &suggestion)
{
    if (!suggestion.isEmpty())
        m_edit->setText(suggestion);
    show();
    m_edit->selectAll();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else if (event->key() == Qt::Key_F3 ||
             ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_edit->hasFocus()))
        Q_EMIT findRequested(event->modifiers().testFlag(Qt::ShiftModifier));
    else
        QWidget::keyPressEvent(event);
}

LogFind::LogFind(FindBar *bar, LogSource *source, LogCanvas *canvas, QObject *parent)
    : QObject(parent)
    , m_bar(bar)
    , m_source(source)
    , m_canvas(canvas)
{
    connect(bar, &FindBar::findRequested, this, &LogFind::next);
    connect(bar, &FindBar::closed, this, &LogFind::close);
    connect(bar, &FindBar::edited, this, &LogFind::onEdited);
    connect(bar, &FindBar::editingPaused, this,
            [this] { start(m_canvas->currentLine().value_or(m_canvas->top()), false); });
    connect(source, &LogSource::hitsChanged, this, &LogFind::showFound);
    connect(source, &LogSource::found, this, &LogFind::onFound);
    connect(source, &LogSource::notFound, this, &LogFind::onNotFound);
    connect(source, &LogSource::restarted, this, &LogFind::forget);
    connect(source, &LogSource::pageChanged, this, &LogFind::reveal);
    connect(source, &LogSource::searchProgress, this, [this](LogSource::Search search, int percent) {
        if (search == LogSource::Search::Text)
            m_bar->setResult(tr("Searching, %1 %").arg(percent));
    });
}

void LogFind::collectWhileClosed(const LogPattern &pattern)
{
    m_whileClosed = pattern;
    if (!isOpen())
        m_source->collect(pattern);
}

void LogFind::open()
{
    if (!isOpen())
        m_source->collect({});
    m_bar->open(m_canvas->selectedText());
    m_canvas->setMatcher(m_bar->matcher());
    Q_EMIT opened();
}

void LogFind::close()
{
    m_source->stopSearch();
    m_source->collect(m_whileClosed);
    m_canvas->setMatcher({});
    m_canvas->setCurrentLine({});
    forget();
    m_bar->hide();
    Q_EMIT closed();
}

void LogFind::forget()
{
    m_wasFound = false;
    m_revealing.reset();
    m_found.reset();
    m_bar->setResult({});
}

void LogFind::onEdited()
{
    if (m_source->search() == LogSource::Search::Text)
        m_source->stopSearch();
    m_source->collect({});
    m_wasFound = false;
    m_found.reset();
    m_canvas->setMatcher(m_bar->matcher());
}

void LogFind::next(bool backward)
{
    if (m_bar->pattern().text.isEmpty()) {
        open();
        return;
    }
    m_bar->show();
    Q_EMIT opened();
    m_canvas->setMatcher(m_bar->matcher());
    if (const std::optional<qint64> current = m_canvas->currentLine())
        start(*current + (backward ? -1 : 1), backward);
    else
        start(backward ? m_canvas->bottom() : m_canvas->top(), backward);
}

void LogFind::start(qint64 from, bool backward)
{
    if (!m_bar->matcher())
        return; // The bar shows why.
    m_from = from;
    m_isBackward = backward;
    m_isSecondTry = false;
    m_bar->setResult(tr("Searching"));
    m_found.reset();
    m_source->collect(m_bar->pattern());
    m_source->find(m_bar->pattern(), from, backward);
}

void LogFind::onFound(LogSource::Search search, qint64 line)
{
    if (search != LogSource::Search::Text)
        return;
    const bool isWrapped = m_wasFound && m_isSecondTry;
    m_wasFound = true;
    m_found = m_source->fileLine(line);
    m_wrapped = !isWrapped ? QString() : m_isBackward ? tr("from the end again") : tr("from the top again");
    showFound();
    m_revealing = line;
    Q_EMIT lineRequested(line);
    reveal();
}

/// "3 of 11", "3 of many" until all lines were looked at; empty while it is not known.
QString LogFind::place() const
{
    const QList<qint64> &hits = m_source->hits();
    const auto hit = std::ranges::lower_bound(hits, *m_found);
    if (hit == hits.end() || *hit != *m_found)
        return {};
    const qsizetype number = hit - hits.begin() + 1;
    if (!m_source->hasAllHits())
        return tr("%L1 of many").arg(number);
    return hits.size() < LogLines::mostCollected ? tr("%L1 of %L2").arg(number).arg(hits.size())
                                                 : tr("%L1 of more than %L2").arg(number).arg(hits.size());
}

void LogFind::showFound()
{
    if (!m_found)
        return;
    QStringList parts{place(), tr("line %1").arg(*m_found + 1), m_wrapped};
    parts.removeAll(QString());
    m_bar->setResult(parts.join(tr(", ", "between parts of a result")));
}

void LogFind::onNotFound(LogSource::Search search)
{
    if (search != LogSource::Search::Text)
        return;
    if (m_isSecondTry) {
        m_bar->setResult(tr("No match"));
        return;
    }
    m_isSecondTry = true;
    if (m_wasFound)
        m_source->find(m_bar->pattern(), m_isBackward ? m_source->totalLines() - 1 : 0, m_isBackward);
    else
        m_source->find(m_bar->pattern(), m_from + (m_isBackward ? 1 : -1), !m_isBackward);
}

/// Requests the first match to be shown, once the line is loaded.
void LogFind::reveal()
{
    if (!m_revealing || !m_bar->matcher() || !m_source->hasLines(*m_revealing, 1))
        return;
    const ShownLine line(m_source->line(*m_revealing));
    m_revealing.reset();
    const QList<CellRange> matches = line.matches(*m_bar->matcher());
    if (!matches.isEmpty())
        Q_EMIT cellsRequested(matches.front(), line.cells());
}

} // namespace rankdeck
