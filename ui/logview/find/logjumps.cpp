#include "logview/find/logjumps.h"

#include "base/times.h"
#include "logview/canvas/logcanvas.h"

namespace rankdeck
{

/// Returns the present for timeGiven(): a time of day is on the day of the log; "10m" counts from now.
static QDateTime presentFor(const QString &text, const std::optional<LogTime> &timeHere)
{
    const QDateTime now = QDateTime::currentDateTime();
    if (!timeHere || text.back().isLetter())
        return now;
    return {utcTime(timeHere->value / 1000).date(), QTime(12, 0)};
}

PlaceDialog::PlaceDialog(qint64 here, qint64 lines, const std::optional<LogTime> &timeHere, QWidget *parent)
    : QDialog(parent)
    , m_lines(lines)
    , m_timeHere(timeHere)
{
    setObjectName(u"placeDialog"_s);
    setWindowTitle(tr("Go to line or time"));
    auto *const label =
        lineLabel("", tr("&Line, 1 to %L1, or time, e.g. 14:22:26, or 10m for ten minutes ago:")
                          .arg(std::max<qint64>(1, lines)));
    m_place = new QLineEdit(QString::number(here + 1));
    m_place->selectAll();
    label->setBuddy(m_place);
    m_trouble = plainLabel("");
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

    addParts(new QVBoxLayout(this), {label, m_place, m_trouble, buttons});
    connect(buttons, &QDialogButtonBox::accepted, this, &PlaceDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PlaceDialog::reject);
    connect(m_place, &QLineEdit::textChanged, m_trouble, &QLabel::clear);
}

void PlaceDialog::accept()
{
    const QString text = m_place->text().trimmed();
    if (text.isEmpty())
        return;
    bool isNumber = false;
    const qint64 line = text.toLongLong(&isNumber);
    if (isNumber && line >= 1 && line <= m_lines) {
        Q_EMIT lineChosen(line - 1);
        QDialog::accept();
    } else if (isNumber) {
        m_trouble->setText(tr("There is no line %1.").arg(text));
    } else if (const Result<LogTime> time = timeGiven(text, presentFor(text, m_timeHere))) {
        Q_EMIT timeChosen(*time);
        QDialog::accept();
    } else {
        m_trouble->setText(time.error().sentence());
    }
}

LogJumps::LogJumps(LogSource *source, LogCanvas *canvas, QWidget *view)
    : QObject(view)
    , m_source(source)
    , m_canvas(canvas)
    , m_view(view)
{
    connect(source, &LogSource::found, this, &LogJumps::onFound);
    connect(source, &LogSource::notFound, this, &LogJumps::onNotFound);
    connect(source, &LogSource::restarted, this, [this] {
        m_bookmarks.clear();
        m_canvas->setBookmarks(m_bookmarks);
        Q_EMIT bookmarksChanged();
        Q_EMIT said({});
    });
    connect(source, &LogSource::searchProgress, this, [this](LogSource::Search search, int percent) {
        if (search == LogSource::Search::Error)
            Q_EMIT said(tr("Searching for an error, %1 %").arg(percent));
    });
}

void LogJumps::nextError(bool backward)
{
    m_isBackward = backward;
    m_isAligning = false;
    const qint64 last = m_canvas->bottom();
    const std::optional<qint64> current = m_canvas->currentLine();
    Q_EMIT said({});
    if (current && *current >= m_canvas->top() && *current <= last)
        m_source->findError(*current + (backward ? -1 : 1), backward);
    else
        m_source->findError(backward ? last : m_canvas->top(), backward);
}

void LogJumps::askForPlace()
{
    const qint64 here = m_canvas->top();
    auto *const dialog = new PlaceDialog(m_source->fileLine(here), m_source->fileLine(m_source->totalLines()),
                                         m_source->time(here), m_view);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &PlaceDialog::lineChosen, this, [this](qint64 line) {
        Q_EMIT said({});
        Q_EMIT lineRequested(m_source->shownLine(line));
    });
    connect(dialog, &PlaceDialog::timeChosen, this, &LogJumps::findTime);
    dialog->open();
}

void LogJumps::findTime(LogTime time)
{
    m_isAligning = false;
    Q_EMIT said({});
    m_source->findTime(time);
}

void LogJumps::alignTo(LogTime time)
{
    const bool isAtIt = m_isAligning && m_source->search() == LogSource::Search::Time;
    m_isAligning = true;
    if (isAtIt)
        m_nextAlign = time;
    else
        m_source->findTime(time);
}

void LogJumps::findOrigin(int log, qint64 lineInFile)
{
    m_isAligning = false;
    Q_EMIT said({});
    m_source->findOrigin(log, lineInFile);
}

/// Searches for the last of the times that were requested during the search before.
bool LogJumps::alignOn()
{
    const auto next = std::exchange(m_nextAlign, std::nullopt);
    if (!m_isAligning || !next)
        return false;
    m_source->findTime(*next);
    return true;
}

void LogJumps::toggleBookmark()
{
    const qint64 line = m_canvas->lineMeant();
    if (line >= m_source->totalLines())
        return;
    m_bookmarks.toggle(m_source->fileLine(line));
    m_canvas->setBookmarks(m_bookmarks);
    Q_EMIT bookmarksChanged();
}

void LogJumps::nextBookmark(bool backward)
{
    const std::optional<qint64> line = m_bookmarks.next(m_source->fileLine(m_canvas->lineMeant()), backward);
    Q_EMIT said(line ? QString() : tr("No bookmarks. Ctrl+F2 sets one."));
    if (line)
        Q_EMIT lineRequested(m_source->shownLine(*line));
}

void LogJumps::onFound(LogSource::Search search, qint64 line)
{
    if (search == LogSource::Search::Text)
        return;
    if (m_isAligning) {
        if (!alignOn())
            Q_EMIT topRequested(line);
        return;
    }
    Q_EMIT said({});
    if (search == LogSource::Search::Place)
        Q_EMIT markRequested(line);
    else
        Q_EMIT lineRequested(line);
}

void LogJumps::onNotFound(LogSource::Search search)
{
    alignOn();
    if (search == LogSource::Search::Error)
        Q_EMIT said(m_isBackward ? tr("No error before this.") : tr("No error after this."));
    else if (search == LogSource::Search::Time && !m_isAligning)
        Q_EMIT said(tr("The log has no line at or after that time."));
}

} // namespace rankdeck
