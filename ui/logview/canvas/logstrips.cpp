#include "logview/canvas/logstrips.h"

#include "base/listcomma.h"
#include "base/times.h"
#include "widgets/tone.h"

#include <QApplication>
#include <QScrollBar>

#include <bit>

namespace rankdeck
{

constexpr int columnWidth = 2; // pixels
constexpr int fewestSlots = 16;

/// Leaves room for later slots, so that the drawn ones seldom move.
static int slotsAcross(const LogActivity &activity)
{
    return static_cast<int>(
        std::bit_ceil(static_cast<unsigned>(std::max(fewestSlots, activity.slotCount()))));
}

LogStrips::LogStrips(QWidget *parent)
    : CanvasWidget(parent)
    , m_palette(palette())
    , m_bar(new QScrollBar(Qt::Vertical, this))
{
    m_bar->setFocusPolicy(Qt::NoFocus);
    m_bar->hide();
    connect(m_bar, &QScrollBar::valueChanged, this, [this] { scheduleEverything(); });
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Output of each log over time"));
    setToolTip(tr("Output of each log over time: warnings are taller, errors tallest. Click a strip to go to "
                  "that time. Click a label to show or hide its log; Ctrl+click shows only that log."));
}

void LogStrips::setLogs(const QStringList &labels, const std::vector<int> &colors)
{
    m_labels = labels;
    m_colors = colors;
    m_isShown.assign(static_cast<std::size_t>(labels.size()), true);
    m_activity = LogActivity();
    m_current = 0;
    m_cursor = -1;
    m_labelCells = 0;
    for (const QString &label : m_labels)
        m_labelCells = std::max(m_labelCells, cellWidth(label));
    m_bar->setValue(0);
    layOut();
    describeCurrent();
}

std::unique_ptr<LogStrips> LogStrips::whole() const
{
    auto all = std::make_unique<LogStrips>();
    all->setPalette(palette());
    all->setFont(font());
    all->resize(width(), canvas().cellSize().height() * int(m_labels.size()));
    all->setLogs(m_labels, m_colors);
    all->m_isShown = m_isShown;
    all->setActivity(m_activity);
    return all;
}

void LogStrips::layOut()
{
    const int whole = std::max(1, height() / canvas().cellSize().height());
    m_bar->setRange(0, std::max(0, int(m_labels.size()) - whole));
    m_bar->setPageStep(whole);
    const int side = m_bar->sizeHint().width();
    m_bar->setGeometry(width() - side, 0, side, height());
    m_bar->setVisible(m_bar->maximum() > 0);
    updateGeometry();
    scheduleEverything();
}

int LogStrips::rowsSeen() const
{
    const int rowHeight = canvas().cellSize().height();
    return std::min(int(m_labels.size()) - m_bar->value(), (height() + rowHeight - 1) / rowHeight);
}

void LogStrips::wheelEvent(QWheelEvent *event)
{
    m_bar->setValue(m_bar->value() - event->angleDelta().y() * QApplication::wheelScrollLines() /
                                         QWheelEvent::DefaultDeltasPerStep);
}

void LogStrips::setActivity(const LogActivity &activity)
{
    if (activity.logs() != m_labels.size())
        return;
    m_activity = activity;
    describeCurrent();
    schedule();
}

int LogStrips::stripLeft() const
{
    constexpr int markCells = 2;
    return stripMargin + (m_labelCells + markCells + 1) * canvas().cellSize().width();
}

int LogStrips::stripWidth() const
{
    const int room = width() - stripLeft() - stripMargin - (m_bar->isHidden() ? 0 : m_bar->width());
    return std::max(columnWidth, room / columnWidth * columnWidth);
}

QRect LogStrips::labelRect(int log) const
{
    const int height = canvas().cellSize().height();
    return {0, (log - m_bar->value()) * height, stripLeft(), height};
}

QRect LogStrips::stripRect(int log) const
{
    const int height = canvas().cellSize().height();
    return {stripLeft(), (log - m_bar->value()) * height, stripWidth(), height};
}

int LogStrips::slotAt(int x) const
{
    const int slot = (x - stripLeft()) * slotsAcross(m_activity) / stripWidth();
    return x < stripLeft() || slot >= m_activity.slotCount() ? -1 : slot;
}

LogStrips::Row LogStrips::rowFor(int log) const
{
    Row row;
    const int columns = stripWidth() / columnWidth;
    row.columns.resize(static_cast<std::size_t>(columns));
    row.isShown = m_isShown[static_cast<std::size_t>(log)];
    row.isCurrent = hasFocus() && log == m_current;
    if (row.isCurrent && m_cursor >= 0)
        row.cursor = stripLeft() + m_cursor * stripWidth() / slotsAcross(m_activity);
    for (int slot = 0; slot < m_activity.slotCount(); ++slot) {
        const LogActivity::Slot there = m_activity.at(log, slot);
        const int first = slot * columns / slotsAcross(m_activity);
        const int last = std::max(first + 1, (slot + 1) * columns / slotsAcross(m_activity));
        for (int column = first; column < std::min(last, columns); ++column) {
            LogActivity::Slot &into = row.columns[static_cast<std::size_t>(column)];
            into.lines = there.lines > 0 ? 1 : into.lines; // The number of lines is not shown.
            into.worst = std::max(into.worst, there.worst);
        }
    }
    return row;
}

void LogStrips::drawCanvas(Canvas &canvas, bool everything)
{
    const auto count = static_cast<std::size_t>(rowsSeen());
    if (everything || m_drawn.size() != count) {
        canvas.fill(QRect(QPoint(), canvas.size()), m_palette.base());
        m_drawn.assign(count, Row{{}, true, false, -2});
    }
    for (std::size_t at = 0; at < count; ++at) {
        const int log = m_bar->value() + static_cast<int>(at);
        Row row = rowFor(log);
        if (row == m_drawn[at])
            continue;
        drawRow(canvas, log, row);
        m_drawn[at] = std::move(row);
    }
}

void LogStrips::drawRow(Canvas &canvas, int log, const Row &row)
{
    const Row &before = m_drawn[static_cast<std::size_t>(log - m_bar->value())];
    const QColor behind = row.isCurrent ? m_palette.foundLine() : m_palette.base();
    const QColor color = m_palette.ofRank(m_colors[static_cast<std::size_t>(log)], behind);
    const bool isAnew = before.isShown != row.isShown || before.isCurrent != row.isCurrent ||
                        before.cursor != row.cursor || before.columns.size() != row.columns.size();
    if (isAnew) {
        const QRect label = labelRect(log);
        canvas.fill(label.united(stripRect(log)), behind);
        const QString text = (row.isShown ? u"\u25a0 "_s : u"\u25a1 "_s) + m_labels[log];
        canvas.text({stripMargin, label.top()}, text,
                    {row.isShown ? color : m_palette.muted(), {}, row.isCurrent, false}, label);
    }
    const QRect strip = stripRect(log);
    for (std::size_t column = 0; column < row.columns.size(); ++column) {
        const LogActivity::Slot &slot = row.columns[column];
        if (!isAnew && slot == before.columns[column])
            continue;
        const QRect area(strip.left() + static_cast<int>(column) * columnWidth, strip.top() + 1, columnWidth,
                         strip.height() - 2);
        if (!isAnew)
            canvas.fill(area, behind);
        if (slot.lines == 0)
            continue;
        const bool isError = slot.worst >= LogSeverity::Error;
        const bool isWarning = slot.worst == LogSeverity::Warning;
        const int eighths = isError ? 8 : isWarning ? 6 : 3;
        const int height = std::max(1, area.height() * eighths / 8);
        const QColor shade = isError     ? toneColor(Tone::Bad, palette())
                             : isWarning ? toneColor(Tone::Caution, palette())
                                         : color;
        canvas.fill(QRect(area.left(), area.bottom() + 1 - height, area.width(), height), shade);
    }
    if (row.cursor >= 0)
        canvas.fill(QRect(row.cursor, strip.top(), columnWidth, strip.height()), m_palette.text());
}

void LogStrips::toggle(int log, bool alone)
{
    const auto at = static_cast<std::size_t>(log);
    if (alone) {
        m_isShown.assign(m_isShown.size(), false);
        m_isShown[at] = true;
    } else {
        m_isShown[at] = !m_isShown[at];
    }
    describeCurrent();
    schedule();
    Q_EMIT shownChanged();
}

void LogStrips::askForTime(int slot)
{
    m_cursor = slot;
    describeCurrent();
    schedule();
    Q_EMIT timeRequested(LogTime(m_activity.begin().value + slot * m_activity.slotMicroseconds()));
}

void LogStrips::mousePressEvent(QMouseEvent *event)
{
    const int log = m_bar->value() + event->pos().y() / canvas().cellSize().height();
    if (event->button() != Qt::LeftButton || log >= m_labels.size()) {
        event->ignore();
        return;
    }
    m_current = log;
    if (event->pos().x() < stripLeft())
        toggle(log, event->modifiers().testFlag(Qt::ControlModifier));
    else if (const int slot = slotAt(event->pos().x()); slot >= 0)
        askForTime(slot);
}

/// Moves to the next slot at which the current log printed.
void LogStrips::moveCursor(int step)
{
    for (int slot = m_cursor + step; slot >= 0 && slot < m_activity.slotCount(); slot += step) {
        if (m_activity.at(m_current, slot).lines > 0) {
            m_cursor = slot;
            break;
        }
    }
}

void LogStrips::keyPressEvent(QKeyEvent *event)
{
    if (m_labels.isEmpty()) {
        CanvasWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Up:
        m_current = std::max(0, m_current - 1);
        break;
    case Qt::Key_Down:
        m_current = std::min(static_cast<int>(m_labels.size()) - 1, m_current + 1);
        break;
    case Qt::Key_Left:
        moveCursor(-1);
        break;
    case Qt::Key_Right:
        moveCursor(1);
        break;
    case Qt::Key_Space:
        toggle(m_current, event->modifiers().testFlag(Qt::ControlModifier));
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_cursor >= 0)
            askForTime(m_cursor);
        break;
    default:
        CanvasWidget::keyPressEvent(event);
        return;
    }
    if (m_current < m_bar->value())
        m_bar->setValue(m_current);
    else if (m_current >= m_bar->value() + m_bar->pageStep())
        m_bar->setValue(m_current + 1 - m_bar->pageStep());
    describeCurrent();
    schedule();
}

void LogStrips::describeCurrent()
{
    if (m_labels.isEmpty())
        return;
    QStringList words{m_labels[m_current],
                      m_isShown[static_cast<std::size_t>(m_current)] ? tr("shown") : tr("hidden")};
    if (m_cursor >= 0 && m_cursor < m_activity.slotCount()) {
        const LogActivity::Slot slot = m_activity.at(m_current, m_cursor);
        const qint64 time = m_activity.begin().value + m_cursor * m_activity.slotMicroseconds();
        words << utcTime(time / 1000).toString(u"HH:mm:ss"_s);
        words << (slot.worst >= LogSeverity::Error     ? tr("errors")
                  : slot.worst == LogSeverity::Warning ? tr("warnings")
                  : slot.lines > 0                     ? tr("output")
                                                       : tr("no output"));
    }
    setAccessibleDescription(words.join(listComma()));
}

} // namespace rankdeck
