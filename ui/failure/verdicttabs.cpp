#include "failure/verdicttabs.h"

#include "diagnosis/verdict/verdicttext.h"
#include "log/line/sourceplace.h"
#include "log/merge/logfold.h"
#include "widgets/editor.h"

#include <QDir>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTextBlock>
#include <QTreeWidget>

namespace rankdeck
{

constexpr int processRole = Qt::UserRole;
constexpr int fileRole = Qt::UserRole + 1;
constexpr int lineRole = Qt::UserRole + 2;

constexpr int placeColumn = 1;

static QTreeWidget *makeTable(const QStringList &headings, const char *name, QWidget *parent)
{
    auto *table = named(new QTreeWidget(parent), name);
    table->setHeaderLabels(headings);
    table->setRootIsDecorated(false);
    table->setUniformRowHeights(true);
    table->setAllColumnsShowFocus(true);
    table->setTextElideMode(Qt::ElideRight);
    table->header()->setSectionsMovable(false);
    return table;
}

static QPlainTextEdit *makeText(const char *name, const QString &spoken)
{
    auto *text = readOnlyText(name, spoken);
    text->setCursorWidth(0);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    useFixedFont(text);
    return text;
}

static QPlainTextEdit *makeEnd(const char *name, const QString &spoken)
{
    QPlainTextEdit *text = makeText(name, spoken);
    // The layout may make the view smaller after it has got its text: its end stays in sight. Queued, since
    // the view sets its own position after the range.
    QScrollBar *bar = text->verticalScrollBar();
    const auto keepEnd = [bar, end = 0](int, int newEnd) mutable {
        if (bar->value() >= end)
            bar->setValue(newEnd);
        end = newEnd;
    };
    QObject::connect(bar, &QScrollBar::rangeChanged, bar, keepEnd, Qt::QueuedConnection);
    return text;
}

/// Shows the lines, scrolled to the end: the error that ended the process is usually the last line.
static void showText(QPlainTextEdit *view, const QStringList &lines)
{
    const QString text = lines.join('\n'_L1);
    if (text == view->toPlainText())
        return;
    view->setPlainText(text);
    view->moveCursor(QTextCursor::End);
    view->ensureCursorVisible();
    view->horizontalScrollBar()->setValue(0);
}

static QString nameOf(Role role, Rank rank)
{
    return role == Role::Scheduler ? VerdictTabs::tr("scheduler") : QString::number(rank.value);
}

QSize VerdictTabs::sizeHint() const
{
    constexpr int someLines = 220;
    return {QTabWidget::sizeHint().width(), std::max(someLines, minimumSizeHint().height())};
}

static void showAsLink(QTreeWidgetItem *item)
{
    QFont font = item->treeWidget()->font();
    font.setUnderline(true);
    item->setFont(placeColumn, font);
    item->setForeground(placeColumn, item->treeWidget()->palette().link());
}

/// Makes the columns as wide as their content; the last one takes the rest.
static void fitColumns(QTreeWidget *table)
{
    for (int column = 0; column + 1 < table->columnCount(); ++column)
        table->resizeColumnToContents(column);
}

VerdictTabs::VerdictTabs(QWidget *parent)
    : QTabWidget(parent)
    , m_evidence(makeTable({tr("Rank"), tr("Where"), tr("When"), tr("What")}, "verdictEvidence", this))
    , m_groups(makeTable({tr("Ranks"), tr("How many"), tr("Message")}, "verdictGroups", this))
    , m_exits(makeTable({tr("When"), tr("Rank"), tr("How")}, "verdictExits", this))
    , m_trace(makeEnd("failureTraceback", tr("Traceback")))
    , m_stacks(makeText("failureStacks", tr("Stacks")))
    , m_tail(makeEnd("failureTail", tr("Last lines")))
{
    setObjectName(u"verdictTabs"_s);
    m_tail->setPlaceholderText(tr("It printed nothing."));
    addTab(m_evidence, tr("&Evidence"));
    addTab(m_groups, tr("&Ranks"));
    addTab(m_exits, tr("&Timeline"));
    addTab(m_trace, tr("Tr&aceback"));
    addTab(m_stacks, tr("Stac&ks"));
    addTab(m_tail, tr("&Last lines"));
    for (QTreeWidget *table : {m_evidence, m_groups, m_exits})
        connect(table, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem *item) { goToLine(item); });
    for (QPlainTextEdit *text : {m_trace, m_stacks, m_tail}) {
        text->installEventFilter(this);
        text->viewport()->installEventFilter(this);
        text->setToolTip(tr("Double-click a line that names a source file to open it in your editor."));
    }
    connect(m_evidence, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem *item, int column) {
        if (column == placeColumn && !item->data(0, fileRole).toString().isEmpty())
            goToLine(item);
    });
}

bool VerdictTabs::eventFilter(QObject *watched, QEvent *event)
{
    for (QPlainTextEdit *text : {m_trace, m_stacks, m_tail}) {
        if (watched == text->viewport() && event->type() == QEvent::MouseButtonDblClick) {
            const QPoint place = static_cast<QMouseEvent *>(event)->pos();
            return openSource(text->cursorForPosition(place).block().text());
        }
        if (watched == text && event->type() == QEvent::KeyPress &&
            static_cast<QKeyEvent *>(event)->key() == Qt::Key_Return)
            return openSource(text->textCursor().block().text());
    }
    return QTabWidget::eventFilter(watched, event);
}

/// Returns false if the line names no source file.
bool VerdictTabs::openSource(const QString &line)
{
    const QList<SourcePlace> places = sourcePlacesIn(line);
    if (places.isEmpty())
        return false;
    const SourcePlace &place = places.constFirst();
    const QString problem = openInEditor(QDir(m_directory).filePath(place.path), place.line);
    if (!problem.isEmpty())
        showProblem(this, tr("Open in editor"), problem);
    return true;
}

void VerdictTabs::goToLine(const QTreeWidgetItem *item)
{
    const int process = item->data(0, processRole).toInt();
    if (process >= 0)
        Q_EMIT lineRequested(process, item->data(0, fileRole).toString(),
                             item->data(0, lineRole).toLongLong());
}

void VerdictTabs::setVerdict(const Verdict &verdict, const QStringList &tail, bool isWhole)
{
    // Unchanged tabs keep the user's selection and scroll position.
    if (verdict.evidence != m_shown.evidence)
        showEvidence(verdict);
    if (verdict.groups != m_shown.groups)
        showGroups(verdict);
    if (verdict.exits != m_shown.exits)
        showExits(verdict);
    showText(m_trace, verdict.trace);
    // Not scrolled: the frame where the process stands is the first.
    if (const QString stacks = verdict.stacks.join('\n'_L1); stacks != m_stacks->toPlainText())
        m_stacks->setPlainText(stacks);
    showText(m_tail, tail);
    m_shown = verdict;
    setTabVisible(indexOf(m_evidence), !verdict.evidence.empty());
    setTabVisible(indexOf(m_groups), !verdict.groups.empty());
    setTabVisible(indexOf(m_exits), !verdict.exits.empty());
    setTabVisible(indexOf(m_trace), !verdict.trace.isEmpty());
    setTabVisible(indexOf(m_stacks), !verdict.stacks.isEmpty());
    setTabToolTip(indexOf(m_stacks), stacksHeading(verdict));
    if (isWhole && !m_wasWhole && !verdict.evidence.empty())
        setCurrentWidget(m_evidence);
    else if (!isWhole)
        setCurrentWidget(m_tail);
    m_wasWhole = isWhole;
}

void VerdictTabs::showEvidence(const Verdict &verdict)
{
    m_evidence->clear();
    for (const Verdict::Evidence &each : verdict.evidence) {
        auto *item = new QTreeWidgetItem(
            m_evidence, {nameOf(each.role, each.rank), evidencePlace(each), each.time, each.text});
        item->setData(0, processRole, each.process);
        item->setData(0, fileRole, each.file);
        item->setData(0, lineRole, each.line - 1);
        if (!each.file.isEmpty())
            showAsLink(item);
    }
    fitColumns(m_evidence);
}

void VerdictTabs::showGroups(const Verdict &verdict)
{
    m_groups->clear();
    for (const Verdict::Group &group : verdict.groups) {
        std::vector<int> ranks;
        for (const Rank rank : group.ranks)
            ranks.push_back(rank.value);
        auto *item =
            new QTreeWidgetItem(m_groups, {rankRanges(ranks), QString::number(ranks.size()), group.text});
        item->setData(0, processRole, group.process);
        item->setData(0, lineRole, -1);
    }
    fitColumns(m_groups);
}

void VerdictTabs::showExits(const Verdict &verdict)
{
    m_exits->clear();
    for (const Verdict::Exit &each : verdict.exits) {
        const QString when =
            each.when.isValid() ? each.when.toLocalTime().toString(u"HH:mm:ss.zzz"_s) : QString();
        auto *item = new QTreeWidgetItem(m_exits, {when, nameOf(each.role, each.rank), each.text});
        item->setData(0, processRole, each.process);
        item->setData(0, lineRole, -1);
    }
    fitColumns(m_exits);
}

} // namespace rankdeck
