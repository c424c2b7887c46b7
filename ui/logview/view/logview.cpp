#include "logview/view/logview.h"

#include "log/merge/mergedlines.h"
#include "logview/view/markstrip.h"
#include "widgets/steadyviews.h"

#include <QAction>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QMetaMethod>

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
    m_marks = new MarkStrip(m_source, m_find, m_jumps, this);
    m_canvas->setEmptyText(m_emptyText);
    setFocusProxy(m_canvas);
    setTitle({});

    auto *const grid = withoutMargins(new QGridLayout(this), 0);
    grid->addWidget(m_canvas, 0, 0);
    grid->addWidget(m_marks, 0, 1);
    grid->addWidget(m_scroll->vertical(), 0, 2);
    grid->addWidget(m_scroll->horizontal(), 1, 0);
    grid->addWidget(m_findBar, 2, 0, 1, 3);
    m_findBar->hide();
    m_canvas->installEventFilter(this);
    addActions();
    connectParts();
}

void LogView::connectParts()
{
    connect(m_marks, &MarkStrip::lineRequested, m_scroll, &LogScroll::goTo);
    connect(m_findBar, &FindBar::allRequested, this, &LogView::allRequested);
    connect(m_canvas, &LogCanvas::cellPressed, this, [this](qint64 line, int cell) {
        if (const auto place = sourceAt(line, cell))
            openSource(*place);
    });
    connect(m_scroll, &LogScroll::zoomRequested, this, &LogView::zoomRequested);
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
    connect(m_find, &LogFind::lineRequested, m_scroll, &LogScroll::goTo);
    connect(m_find, &LogFind::cellsRequested, m_scroll, &LogScroll::showCells);
    connect(m_find, &LogFind::closed, this, [this] { m_canvas->setFocus(Qt::OtherFocusReason); });
    connect(m_jumps, &LogJumps::lineRequested, this, [this](qint64 line) {
        m_scroll->goTo(line);
        m_canvas->setFocus(Qt::OtherFocusReason);
    });
    connect(m_jumps, &LogJumps::markRequested, this, [this](qint64 line) { markLine(line); });
    connect(m_jumps, &LogJumps::topRequested, m_scroll, &LogScroll::alignTop);
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
    const auto separate = [this] {
        auto *const line = new QAction(m_canvas);
        line->setSeparator(true);
        m_canvas->addAction(line);
    };
    const auto addForSelection = [&](const QString &text, const char *name, auto signal, auto... more) {
        QAction *const action =
            named(add(text, {}, [=, this] { (this->*signal)(m_canvas->selectedText(), more...); }), name);
        m_selectionActions << action;
    };
    add(tr("&Copy"), QKeySequence::Copy, [this] { copy(); });
    add(tr("Copy with co&lours"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
        [this] { m_taking->copy(QClipboard::Clipboard, true); });
    named(add(tr("Copy pat&h"), {},
              [this] { QApplication::clipboard()->setText(pathOf(m_canvas->lineMeant())); }),
          "copyPathAction");
    add(tr("&Save…"), Qt::CTRL | Qt::Key_S, [this] { m_taking->save(); });
    add(tr("Select &all"), QKeySequence::SelectAll, [this] { selectAll(); });
    separate();
    addForSelection(tr("F&ilter by selection"), "filterSelectionAction", &LogView::filterRequested, false);
    addForSelection(tr("E&xclude selection"), "excludeSelectionAction", &LogView::filterRequested, true);
    addForSelection(tr("Highligh&t selection"), "highlightSelectionAction", &LogView::highlightRequested);
    m_allAction = named(add(tr("Find in all ran&ks…"), Qt::CTRL | Qt::ALT | Qt::Key_F,
                            [this] {
                                Q_EMIT allRequested({m_canvas->selectedText(), false, false});
                            }),
                        "findInAllAction");
    separate();
    m_sourceAction = named(add({}, {},
                               [this] {
                                   if (m_sourcePlace)
                                       openSource(*m_sourcePlace);
                               }),
                           "openSourceAction");
    m_sourceAction->setVisible(false);
    named(add(tr("Open the log in an e&ditor"), {},
              [this] {
                  const qint64 line = m_canvas->lineMeant();
                  setNotice(openInEditor(pathOf(line), int(m_source->lineInFile(line)) + 1));
              }),
          "openInEditorAction");
    named(add(tr("Open its fol&der"), {},
              [this] { setNotice(openFolder(QFileInfo(pathOf(m_canvas->lineMeant())).path())); }),
          "openFolderAction");
    separate();
    QAction *const find = add(tr("&Find…"), QKeySequence::Find, [this] { openFind(); });
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    add(tr("Find &next"), Qt::Key_F3, [this] { findNext(false); });
    add(tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, [this] { findNext(true); });
    add(tr("Next &error"), Qt::Key_F4, [this] { m_jumps->nextError(false); });
    add(tr("Previous e&rror"), Qt::SHIFT | Qt::Key_F4, [this] { m_jumps->nextError(true); });
    QAction *const goTo = add(tr("&Go to line or time…"), {}, [this] { m_jumps->askForPlace(); });
    goTo->setShortcuts({Qt::CTRL | Qt::Key_G, Qt::CTRL | Qt::Key_T});
    add(tr("Toggle book&mark"), Qt::CTRL | Qt::Key_F2, [this] { m_jumps->toggleBookmark(); });
    add(tr("Next bookmark"), Qt::Key_F2, [this] { m_jumps->nextBookmark(false); });
    add(tr("Pre&vious bookmark"), Qt::SHIFT | Qt::Key_F2, [this] { m_jumps->nextBookmark(true); });
    add(tr("Show the line's histor&y"), {}, [this] { m_taking->askForHistory(); });
    m_placeAction = add(tr("Sh&ow in its log"), Qt::Key_Return, [this] {
        if (const auto origin = m_source->origin(m_canvas->lineMeant()))
            Q_EMIT placeRequested(*origin);
    });
    m_placeAction->setVisible(false);
    m_canvas->setContextMenuPolicy(Qt::ActionsContextMenu);
    offerActions();
}

/// Offers what can be done with the line and the selection.
void LogView::offerActions()
{
    const auto isHeard = [this](auto signal) {
        return isSignalConnected(QMetaMethod::fromSignal(signal));
    };
    const bool isSelected = !m_canvas->selectedText().isEmpty();
    for (QAction *const action : std::as_const(m_selectionActions)) {
        const bool highlights = action->objectName() == "highlightSelectionAction"_L1;
        action->setEnabled(isSelected);
        action->setVisible(highlights ? isHeard(&LogView::highlightRequested)
                                      : isHeard(&LogView::filterRequested));
    }
    m_allAction->setVisible(isHeard(&LogView::allRequested));
    m_placeAction->setVisible(isHeard(&LogView::placeRequested) && qobject_cast<MergedLines *>(source()));
    const qint64 line = m_canvas->lineMeant();
    m_sourcePlace = sourceAt(line, m_canvas->cellMeant());
    m_sourceAction->setVisible(m_sourcePlace.has_value());
    if (m_sourcePlace) {
        const QString name = QFileInfo(m_sourcePlace->path).fileName();
        m_sourceAction->setText(
            tr("Open %1, line %2").arg(QString(name).replace('&'_L1, "&&"_L1)).arg(m_sourcePlace->line));
    }
}

bool LogView::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ContextMenu)
        offerActions();
    return QWidget::eventFilter(watched, event);
}

QString LogView::pathOf(qint64 line) const
{
    const auto origin = m_source->origin(line);
    return m_source->lines() ? m_source->lines()->paths().value(origin ? origin->log : 0) : QString();
}

std::optional<SourcePlace> LogView::sourceAt(qint64 line, int cell) const
{
    const ShownLine shown(m_source->line(line));
    const QList<SourcePlace> places = sourcePlacesIn(shown.text());
    if (places.isEmpty() || m_source->isMark(line))
        return std::nullopt;
    const qsizetype at = shown.textIn({0, cell}).size();
    const auto there = std::ranges::find_if(
        places, [at](const SourcePlace &place) { return at >= place.begin && at <= place.end; });
    SourcePlace place = there == places.end() ? places.constFirst() : *there;
    const auto origin = m_source->origin(line);
    place.path = QDir(m_directories.value(origin ? origin->log : 0)).filePath(place.path);
    return place;
}

void LogView::setSource(LogLines *lines)
{
    m_canvas->setEmptyText(m_emptyText);
    setNotice({});
    setFollowing(true);
    m_source->setLines(lines);
    offerActions();
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
    QStringList parts;
    for (const Highlight &highlight : look.highlights) {
        const Result<LogMatcher> matcher = LogMatcher::create(highlight.pattern);
        if (!matcher)
            continue;
        matchers.append({*matcher, highlight.color});
        const LogPattern &its = highlight.pattern;
        parts << u"(?%1:%2)"_s.arg(its.caseSensitive ? u"-i"_s : u"i"_s,
                                   its.isRegex ? its.text : LogMatcher::quoted(its.text));
    }
    m_canvas->setHighlights(matchers);
    m_find->collectWhileClosed({parts.join('|'_L1), true, true, false});
    m_marks->setHighlighted(!parts.isEmpty());
}

void LogView::reportLineCount()
{
    const qint64 count = m_source->totalLines();
    if (std::exchange(m_reportedLines, count) != count)
        Q_EMIT lineCountChanged(count);
}

void LogView::selectAll()
{
    setFollowing(false);
    m_canvas->setSelection(
        {{0, 0}, {std::max<qint64>(0, m_source->totalLines() - 1), LogSelection::endOfLine}});
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
