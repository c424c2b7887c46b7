#include "logview/view/markstrip.h"

#include "logview/find/logfind.h"
#include "logview/find/logjumps.h"

#include <QMouseEvent>
#include <QPainter>

namespace rankdeck
{

constexpr int markHeight = 2; // pixels

MarkStrip::MarkStrip(LogSource *source, const LogFind *find, const LogJumps *jumps, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_find(find)
    , m_jumps(jumps)
    , m_palette(palette())
{
    setFixedWidth(stripWidth);
    setAccessibleName(tr("Matches, highlights and bookmarks"));
    setToolTip(
        tr("Where matches (narrow), highlights (left) and bookmarks (wide) are in the log. Click to go "
           "there."));
    hide();
    connect(&m_soon, &QTimer::timeout, this, &MarkStrip::refresh);
    connect(find, &LogFind::opened, this, &MarkStrip::refresh);
    connect(find, &LogFind::closed, this, &MarkStrip::refresh);
    connect(jumps, &LogJumps::bookmarksChanged, this, &MarkStrip::refresh);
    connect(source, &LogSource::hitsChanged, this, &MarkStrip::refresh);
    connect(source, &LogSource::grew, this, [this] {
        if (isVisible() && !m_soon.isActive())
            m_soon.start(); // As seldom as the scroll bar: it sends pixels.
    });
}

void MarkStrip::refresh()
{
    m_marks = {};
    (m_find->isOpen() ? m_marks.matches : m_marks.highlights) = m_source->hits();
    m_marks.bookmarks = m_jumps->bookmarks().lines();
    for (QList<qint64> *const lines : {&m_marks.matches, &m_marks.highlights, &m_marks.bookmarks}) {
        for (qint64 &line : *lines)
            line = m_source->shownLine(line);
    }
    m_lines = m_source->totalLines();
    setVisible(m_find->isOpen() || m_isHighlighted || !m_marks.bookmarks.isEmpty());
    place();
}

int MarkStrip::rowOf(qint64 line) const
{
    return int(std::clamp<qint64>(line * height() / std::max<qint64>(1, m_lines), 0,
                                  std::max(0, height() - markHeight)));
}

void MarkStrip::place()
{
    std::vector<quint8> rows(std::size_t(std::max(0, height())));
    const auto mark = [&](const QList<qint64> &lines, Mark kind) {
        for (auto line = lines.begin(); line != lines.end();) {
            const int row = rowOf(*line);
            for (int y = row; y < std::min(row + markHeight, height()); ++y)
                rows[std::size_t(y)] |= kind;
            // Many lines share a row.
            const qint64 nextRow = (qint64(row) + 1) * m_lines / std::max(1, height());
            line = std::lower_bound(line + 1, lines.end(), nextRow);
        }
    };
    mark(m_marks.matches, Match);
    mark(m_marks.highlights, Highlighted);
    mark(m_marks.bookmarks, Bookmark);
    if (rows == m_rows)
        return;
    m_rows = std::move(rows);
    update();
}

QList<int> MarkStrip::markedRows() const
{
    QList<int> rows;
    for (std::size_t y = 0; y < m_rows.size(); ++y) {
        if (m_rows[y] != None)
            rows.append(int(y));
    }
    return rows;
}

void MarkStrip::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    painter.fillRect(event->rect(), m_palette.base());
    for (int y = event->rect().top(); y <= std::min(event->rect().bottom(), int(m_rows.size()) - 1); ++y) {
        const quint8 row = m_rows[std::size_t(y)];
        if ((row & Bookmark) != 0)
            painter.fillRect(0, y, width(), 1, m_palette.text());
        if ((row & Highlighted) != 0)
            painter.fillRect(0, y, width() / 2, 1, m_palette.muted());
        if ((row & Match) != 0)
            painter.fillRect(2, y, width() - 4, 1, m_palette.foundMark());
    }
}

void MarkStrip::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_palette = LogPalette(palette());
}

void MarkStrip::mousePressEvent(QMouseEvent *event)
{
    const qint64 there = qint64(event->pos().y()) * m_lines / std::max(1, height());
    std::optional<qint64> nearest;
    for (const QList<qint64> *lines : {&m_marks.matches, &m_marks.highlights, &m_marks.bookmarks}) {
        const auto after = std::ranges::lower_bound(*lines, there);
        for (const auto &each : {after, after == lines->begin() ? after : after - 1}) {
            if (each != lines->end() && (!nearest || std::abs(*each - there) < std::abs(*nearest - there)))
                nearest = *each;
        }
    }
    if (nearest)
        Q_EMIT lineRequested(*nearest);
}

} // namespace rankdeck
