#include "terminal/terminalview.h"

#include "canvas/cellwidth.h"
#include "terminal/terminalaccessible.h"

#include <QEvent>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int fitDelay = 50; // ms

} // namespace

TerminalView::TerminalView(QWidget *parent)
    : CanvasWidget(parent)
    , m_colors(LogPalette(palette()))
{
    installTerminalAccessibility();
    m_clock.start();
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::IBeamCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAttribute(Qt::WA_InputMethodEnabled);
    setTitle({});
    setAccessibleDescription(tr("Keys go to the program. Ctrl+Tab leaves the terminal, Alt and an arrow "
                                "chooses the one beside it."));
    m_fitTimer.setSingleShot(true);
    m_fitTimer.setInterval(fitDelay);
    connect(&m_fitTimer, &QTimer::timeout, this, &TerminalView::fit);
}

TerminalView::~TerminalView() = default;

void TerminalView::setTitle(const QString &title)
{
    setAccessibleName(title.isEmpty() ? tr("Terminal") : tr("Terminal of %1").arg(title));
}

QSize TerminalView::minimumSizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {2 * margin + 20 * cell.width(), 3 * cell.height()};
}

TerminalSize TerminalView::fittingSize() const
{
    const QSize cell = canvas().cellSize();
    return {
        std::clamp(height() / cell.height(), TerminalScreen::leastSize.rows, TerminalScreen::mostSize.rows),
        std::clamp((width() - 2 * margin) / cell.width(), TerminalScreen::leastSize.columns,
                   TerminalScreen::mostSize.columns)};
}

void TerminalView::fit()
{
    const TerminalSize size = fittingSize();
    if (size == m_screen.size() && m_toldSize)
        return;
    m_toldSize = true;
    keepSelection([&] { m_screen.resize(size); });
    changed();
    Q_EMIT sizeChanged(size);
}

/// What it selects on the screen may become another text, and is no selection then.
void TerminalView::keepSelection(const std::function<void()> &change)
{
    TerminalSelection onScreen = m_selection;
    if (onScreen.isEmpty() || onScreen.end().line < m_screen.topLine()) {
        change();
        return;
    }
    onScreen = {onScreen.begin(), onScreen.end()};
    if (onScreen.anchor.line < m_screen.topLine())
        onScreen.anchor = {m_screen.topLine(), 0};
    const QString before = textOf(m_screen, onScreen);
    change();
    if (textOf(m_screen, onScreen) != before)
        setSelection({});
}

void TerminalView::write(const QByteArray &bytes, bool answers)
{
    QByteArray answer;
    keepSelection([&] { answer = m_screen.write(bytes); });
    changed();
    if (answers && !answer.isEmpty())
        Q_EMIT typed(answer);
}

void TerminalView::remark(const QString &text)
{
    m_screen.remark(text);
    changed();
}

void TerminalView::reset()
{
    m_screen.reset();
    m_following = true;
    setSelection({});
    changed();
}

void TerminalView::changed()
{
    setFlooded(m_rate.isFlood(m_screen.topLine(), m_clock.elapsed()));
    schedule();
    if (const QString title = m_screen.title(); title != m_title) {
        m_title = title;
        Q_EMIT titleChanged(title);
    }
    Q_EMIT scrolled();
}

void TerminalView::setTakesKeys(bool takes)
{
    if (takes == m_takesKeys)
        return;
    m_takesKeys = takes;
    updateMicroFocus();
    schedule();
}

qint64 TerminalView::topLine() const
{
    return m_following ? m_screen.topLine() : std::clamp(m_top, m_screen.firstLine(), m_screen.topLine());
}

void TerminalView::scrollTo(qint64 line)
{
    m_following = line >= m_screen.topLine();
    m_top = line;
    schedule();
    Q_EMIT scrolled();
}

void TerminalView::scrollBy(qint64 lines)
{
    scrollTo(std::max(m_screen.firstLine(), topLine() + lines));
}

QString TerminalView::visibleText() const
{
    QStringList lines;
    const qint64 top = topLine();
    for (qint64 line = top; line < top + m_screen.size().rows; ++line)
        lines.append(m_screen.line(line).text());
    while (!lines.isEmpty() && lines.constLast().isEmpty())
        lines.removeLast();
    return lines.join(QLatin1Char('\n'));
}

TerminalRow TerminalView::rowOf(qint64 line, int columns) const
{
    const TerminalLine content = m_screen.line(line);
    const auto [selectedBegin, selectedEnd] = m_selection.columnsOf(line);
    const auto cursor = m_screen.cursor();
    TerminalRow row(columns);
    TerminalCell last;
    TextStyle style = m_colors.style(last);
    for (int column = 0; column < columns; ++column) {
        const TerminalCell cell = column < content.cells.size() ? content.cells[column] : TerminalCell();
        if (cell.style != last.style || cell.isInverse != last.isInverse)
            style = m_colors.style(cell);
        last = cell;
        TerminalLook &look = row[column];
        look = {cell.characters, cell.width, style};
        if (look.characters[0] == 0)
            look.characters[0] = cell.width == 0 ? 0 : U' ';
        if (column >= selectedBegin && column < selectedEnd)
            look.style = m_colors.selected(style);
        // Of a line wider than the screen, as those of a history may be.
        if (cell.width == 2 && column + 1 == columns)
            look = {{U' '}, 1, look.style};
    }
    if (cursor && cursor->line == line) {
        const bool isWide = row[cursor->column].width == 2;
        for (int column = cursor->column; column <= cursor->column + (isWide ? 1 : 0); ++column)
            row[column].style = m_colors.cursor(row[column].style, hasFocus() && m_takesKeys);
    }
    if (!m_preedit.isEmpty() && m_screen.cursorPlace().line == line)
        showPreedit(row);
    return row;
}

/// What an input method has not settled yet, over what stands there.
void TerminalView::showPreedit(TerminalRow &row) const
{
    TextStyle style = m_colors.style({});
    style.underline = true;
    int column = m_screen.cursorPlace().column;
    if (column > 0 && row[column].width == 0)
        row[column - 1] = {{U' '}, 1, row[column - 1].style};
    for (qsizetype at = 0; at < m_preedit.size();) {
        const Cluster cluster = clusterAt(m_preedit, at);
        if (column + cluster.cells > row.size())
            break;
        TerminalLook look{{}, static_cast<quint8>(cluster.cells), style};
        const QList<uint> characters = m_preedit.mid(at, cluster.size).toUcs4();
        std::copy_n(characters.begin(), std::min<qsizetype>(characters.size(), 3), look.characters.begin());
        row[column] = look;
        if (cluster.cells == 2)
            row[column + 1] = {{}, 0, style};
        column += cluster.cells;
        at += cluster.size;
    }
    if (column < row.size() && row[column].width == 0)
        row[column] = {{U' '}, 1, row[column].style};
}

void TerminalView::drawCanvas(Canvas &canvas, bool everything)
{
    const TerminalSize size = m_screen.size();
    QList<TerminalRow> rows;
    rows.reserve(size.rows);
    const qint64 top = topLine();
    for (int row = 0; row < size.rows; ++row)
        rows.append(rowOf(top + row, size.columns));
    m_painter.draw(canvas, {margin, 0}, rows, m_colors.palette().base(), everything);
}

void TerminalView::resizeEvent(QResizeEvent *event)
{
    CanvasWidget::resizeEvent(event);
    m_fitTimer.start();
}

void TerminalView::changeEvent(QEvent *event)
{
    CanvasWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_colors = TerminalColors(LogPalette(palette()));
    else if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        m_fitTimer.start();
}

void TerminalView::focusInEvent(QFocusEvent *event)
{
    CanvasWidget::focusInEvent(event);
    schedule();
    Q_EMIT focusChanged(true);
}

void TerminalView::focusOutEvent(QFocusEvent *event)
{
    CanvasWidget::focusOutEvent(event);
    m_preedit.clear();
    schedule();
    Q_EMIT focusChanged(false);
}

} // namespace rankdeck
