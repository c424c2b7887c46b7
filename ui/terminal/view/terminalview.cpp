#include "terminal/view/terminalview.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QEvent>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int fitDelay = 50; // ms

class AccessibleTerminal : public QAccessibleWidget
{
public:
    explicit AccessibleTerminal(TerminalView *view)
        : QAccessibleWidget(view, QAccessible::Terminal)
        , m_view(view)
    {
    }

    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? m_view->visibleText() : QAccessibleWidget::text(kind);
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.readOnly = !m_view->takesKeys();
        state.multiLine = true;
        return state;
    }

private:
    TerminalView *m_view;
};

QAccessibleInterface *makeInterface(const QString &, QObject *object)
{
    auto *const view = qobject_cast<TerminalView *>(object);
    return view ? new AccessibleTerminal(view) : nullptr;
}

/// Lets screen readers read the text that a terminal shows; it is composed only when one asks.
void installAccessibility()
{
    static const bool isInstalled = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(isInstalled);
}

} // namespace

TerminalView::TerminalView(QWidget *parent)
    : CanvasWidget(parent)
    , m_colors(LogPalette(palette()))
{
    installAccessibility();
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

/// Clears the selection if the change alters the selected text.
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

void TerminalView::drawCanvas(Canvas &canvas, bool everything)
{
    const TerminalRows rows(m_screen, m_colors, m_selection, m_preedit, hasFocus() && m_takesKeys);
    m_painter.draw(canvas, {margin, 0}, rows.from(topLine()), m_colors.palette().base(), everything);
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
