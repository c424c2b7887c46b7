#include "logview/view/logview.h"

#include "log/merge/mergedlines.h"
#include "logview/find/logjumps.h"
#include "logview/view/logtaking.h"
#include "widgets/steadyviews.h"

#include <QAction>
#include <QApplication>
#include <QGridLayout>

namespace rankdeck
{

LogView::LogView(QWidget *parent)
    : QWidget(parent)
    , m_emptyText(tr("No output yet."))
{
    m_source = new LogSource(this);
    m_canvas = new LogCanvas(m_source, this);
    m_scroll = new LogScroll(m_source, m_canvas, this);
    m_findBar = new FindBar(this);
    m_find = new LogFind(m_findBar, m_source, m_canvas, this);
    m_jumps = new LogJumps(m_source, m_canvas, this);
    m_taking = new LogTaking(m_source, m_canvas, this);
    m_canvas->setEmptyText(m_emptyText);
    setFocusProxy(m_canvas);
    setTitle({});

    auto *const grid = withoutMargins(new QGridLayout(this));
    grid->setSpacing(0);
    grid->addWidget(m_canvas, 0, 0);
    grid->addWidget(m_scroll->vertical(), 0, 1);
    grid->addWidget(m_scroll->horizontal(), 1, 0);
    grid->addWidget(m_findBar, 2, 0, 1, 2);
    m_findBar->hide();
    addActions();
    connectParts();
}

void LogView::connectParts()
{
    connect(m_scroll, &LogScroll::zoomWanted, this, &LogView::zoomWanted);
    connect(m_scroll, &LogScroll::followingChanged, this, &LogView::followingChanged);
    connect(m_scroll, &LogScroll::scrolledTo, this, &LogView::scrolledTo);
    connect(m_scroll, &LogScroll::newLinesChanged, this, &LogView::newLinesChanged);
    connect(m_source, &LogSource::pageChanged, this, &LogView::reportLineCount);
    connect(m_source, &LogSource::grew, this, &LogView::reportLineCount);
    connect(m_source, &LogSource::restarted, this, [this] {
        reportLineCount();
        m_canvas->setEmptyText(m_emptyText);
    });
    connect(m_source, &LogSource::unreadable, this, [this](const QString &sentence) {
        m_canvas->setEmptyText(sentence.isEmpty() ? m_emptyText : sentence);
        setNotice(sentence);
    });
    connect(m_canvas, &LogCanvas::linePressed, this, [this](qint64 line) {
        if (const auto origin = m_source->origin(line))
            Q_EMIT linePressed(*origin);
    });
    connect(m_canvas, &LogCanvas::selectionFinished, this, [this] {
        if (QApplication::clipboard()->supportsSelection())
            m_taking->copy(QClipboard::Selection);
    });
    connect(m_find, &LogFind::lineWanted, m_scroll, &LogScroll::goTo);
    connect(m_find, &LogFind::cellsWanted, m_scroll, &LogScroll::showCells);
    connect(m_find, &LogFind::closed, this, [this] { m_canvas->setFocus(Qt::OtherFocusReason); });
    connect(m_jumps, &LogJumps::lineWanted, this, [this](qint64 line) {
        m_scroll->goTo(line);
        m_canvas->setFocus(Qt::OtherFocusReason);
    });
    connect(m_jumps, &LogJumps::topWanted, m_scroll, &LogScroll::alignTop);
    connect(m_jumps, &LogJumps::said, this, [this](const QString &sentence) {
        if (!sentence.isEmpty() || m_notice == m_jumpNotice)
            setNotice(sentence);
        m_jumpNotice = sentence;
    });
    connect(m_taking, &LogTaking::said, this, &LogView::setNotice);
    connect(m_taking, &LogTaking::copied, this, [this](QClipboard::Mode mode) {
        if (mode == QClipboard::Clipboard)
            Q_EMIT copied();
    });
}

/// Fills the context menu of the canvas; its shortcuts work while the canvas has the focus.
void LogView::addActions()
{
    const auto add = [this](const QString &text, const QKeySequence &key, auto slot) {
        auto *const action = new QAction(text, m_canvas);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, slot);
        m_canvas->addAction(action);
        return action;
    };
    add(tr("&Copy"), QKeySequence::Copy, [this] { copy(); });
    add(tr("Copy with co&lours"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
        [this] { m_taking->copy(QClipboard::Clipboard, true); });
    add(tr("&Save…"), Qt::CTRL | Qt::Key_S, [this] { m_taking->save(); });
    add(tr("Select &all"), QKeySequence::SelectAll, [this] { selectAll(); });
    QAction *const find = add(tr("&Find…"), QKeySequence::Find, [this] { openFind(); });
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    add(tr("Find &next"), Qt::Key_F3, [this] { findNext(false); });
    add(tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, [this] { findNext(true); });
    add(tr("Next &error"), Qt::Key_F4, [this] { m_jumps->nextError(false); });
    add(tr("Previous e&rror"), Qt::SHIFT | Qt::Key_F4, [this] { m_jumps->nextError(true); });
    QAction *const goTo = add(tr("&Go to line or time…"), {}, [this] { m_jumps->askForPlace(); });
    goTo->setShortcuts({Qt::CTRL | Qt::Key_G, Qt::CTRL | Qt::Key_T});
    add(tr("Toggle book&mark"), Qt::CTRL | Qt::Key_F2, [this] { m_jumps->toggleBookmark(); });
    add(tr("Ne&xt bookmark"), Qt::Key_F2, [this] { m_jumps->nextBookmark(false); });
    add(tr("Pre&vious bookmark"), Qt::SHIFT | Qt::Key_F2, [this] { m_jumps->nextBookmark(true); });
    add(tr("Show the line's &history"), {}, [this] { m_taking->askForHistory(); });
    m_placeAction = add(tr("Sh&ow in its log"), Qt::Key_Return, [this] {
        if (const auto origin = m_source->origin(m_canvas->lineMeant()))
            Q_EMIT placeWanted(*origin);
    });
    m_placeAction->setVisible(false);
    m_canvas->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void LogView::setSource(LogLines *lines)
{
    m_canvas->setEmptyText(m_emptyText);
    setNotice({});
    setFollowing(true);
    m_source->setLines(lines);
    m_placeAction->setVisible(qobject_cast<MergedLines *>(lines) != nullptr);
    m_scroll->fetch();
}

void LogView::setTitle(const QString &title)
{
    m_canvas->setAccessibleName(title.isEmpty() ? tr("Log") : tr("Log of %1").arg(title));
    m_scroll->vertical()->setAccessibleName(tr("Scroll through the log"));
    m_scroll->horizontal()->setAccessibleName(tr("Scroll sideways"));
}

void LogView::setEmptyText(const QString &text)
{
    m_emptyText = text;
    if (m_notice.isEmpty())
        m_canvas->setEmptyText(text);
}

void LogView::showAsFile()
{
    m_isFile = true;
    m_scroll->neverFollow();
    m_canvas->setNumbered(true);
}

void LogView::setLook(const LogLook &look)
{
    m_canvas->setNumbered(look.isNumbered || m_isFile);
    if (look.isWrapped != m_canvas->logRows().isWrapped()) {
        m_scroll->setLeft(0);
        m_canvas->setWrapped(look.isWrapped);
    }
    if (look.textSize > 0) {
        QFont font = m_canvas->font();
        font.setPointSizeF(look.textSize);
        font.setFamilies(look.family.isEmpty() ? this->font().families() : QStringList{look.family});
        font.setFixedPitch(!look.family.isEmpty());
        m_canvas->setFont(font);
    }
    QList<std::pair<LogMatcher, int>> matchers;
    for (const Highlight &highlight : look.highlights) {
        if (const Result<LogMatcher> matcher = LogMatcher::create(highlight.pattern))
            matchers.append({*matcher, highlight.color});
    }
    m_canvas->setHighlights(matchers);
}

void LogView::reportLineCount()
{
    const qint64 count = m_source->totalLines();
    if (std::exchange(m_reportedLines, count) != count)
        Q_EMIT lineCountChanged(count);
}

void LogView::setNotice(const QString &sentence)
{
    if (sentence == m_notice)
        return;
    m_notice = sentence;
    Q_EMIT noticeChanged(sentence);
}

void LogView::selectAll()
{
    setFollowing(false);
    m_canvas->setSelection(
        {{0, 0}, {std::max<qint64>(0, m_source->totalLines() - 1), LogSelection::endOfLine}});
}

void LogView::copy()
{
    m_taking->copy(QClipboard::Clipboard);
}

void LogView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_find->isOpen())
        m_find->close();
    else if (!m_scroll->pressKey(*event))
        QWidget::keyPressEvent(event);
}

void LogView::wheelEvent(QWheelEvent *event)
{
    m_scroll->turnWheel(*event);
    event->accept();
}

} // namespace rankdeck
