#include "mainwindow/runpage/lowerhalf.h"

#include "failure/failuredialog.h"
#include "logview/panes/searchpanel.h"
#include "mainwindow/session/runsession.h"
#include "widgets/labels.h"
#include "widgets/tone.h"

#include <QAction>
#include <QScrollArea>

namespace rankdeck
{

ViewTabs::ViewTabs(LogChoice *choice, QWidget *parent)
    : QTabBar(parent)
    , m_choice(choice)
{
    setObjectName(u"viewTabs"_s);
    setAccessibleName(tr("Views of the run"));
    setDocumentMode(true);
    setExpanding(false);
    setDrawBase(false);
    setElideMode(Qt::ElideRight);
    // In the order of LogChoice::View.
    constexpr Qt::Modifiers ctrl = Qt::CTRL;
    constexpr Qt::Modifiers ctrlShift = Qt::CTRL | Qt::SHIFT;
    add(tr("&One rank's log"), tr("Log"), "oneRankAction", ctrl | Qt::Key_1, &LogChoice::showOneRank);
    add(tr("&All logs, tiled"), tr("Tiled"), "allRanksAction", ctrl | Qt::Key_2, &LogChoice::showAllRanks);
    add(tr("All logs, merge&d"), tr("Merged"), "mergedRanksAction", ctrl | Qt::Key_M,
        &LogChoice::showMergedRanks);
    add(tr("Training cur&ves"), tr("Curves"), "plotAction", ctrl | Qt::Key_P, &LogChoice::showPlot);
    add(tr("NPUs and processes"), tr("NPUs"), "devicesAction", ctrlShift | Qt::Key_N,
        &LogChoice::showDevices);
    add(tr("&Collectives"), tr("Collectives"), "collectivesAction", ctrlShift | Qt::Key_G,
        &LogChoice::showCollectives);
    add(tr("&Terminals"), tr("Terminals"), "terminalsAction", ctrlShift | Qt::Key_T,
        &LogChoice::showTerminals);
    const int error = addTab(tr("✖ Error", "tab"));
    adaptToPalette(this, [this, error] { setTabTextColor(error, toneColor(Tone::Bad, palette())); });
    setTabToolTip(error, tr("Which rank failed, why, and what to do"));
    setState({});
    connect(this, &QTabBar::currentChanged, this, &ViewTabs::takeTab);
    connect(m_choice, &LogChoice::chosen, this, &ViewTabs::follow);
    connect(m_choice, &LogChoice::changed, this, [this] {
        if (currentIndex() != m_views.size()) // The error view stays if the user reads the error.
            follow();
    });
}

void ViewTabs::add(const QString &text, const QString &tab, const char *name, const QKeySequence &key,
                   void (LogChoice::*showView)())
{
    auto *action = named(new QAction(text, this), name);
    action->setShortcut(key);
    connect(action, &QAction::triggered, m_choice, showView);
    m_views << action;
    setTabToolTip(
        addTab(tab),
        tr("%1 (%2)", "view, key").arg(withoutMnemonic(text), key.toString(QKeySequence::NativeText)));
}

/// Where room is scarce, long words are cut, so that the last tab, the error, stays in sight.
QSize ViewTabs::minimumTabSizeHint(int index) const
{
    const QSize whole = tabSizeHint(index);
    const int error = tabSizeHint(count() - 1).width();
    return whole.width() <= error * 5 / 4 ? whole : QSize(error * 2 / 3, whole.height());
}

void ViewTabs::setState(const RunState &state)
{
    setTabVisible(int(m_views.size()), state.hasTrouble());
    setEnabled(state.plan != nullptr);
    for (QAction *const view : std::as_const(m_views))
        view->setEnabled(state.plan != nullptr);
}

void ViewTabs::goOn(bool isNext)
{
    int index = currentIndex();
    do {
        index = (index + (isNext ? 1 : count() - 1)) % count();
    } while (!isTabVisible(index));
    if (isEnabled())
        setCurrentIndex(index);
}

void ViewTabs::takeTab(int index)
{
    const bool isError = index == m_views.size();
    Q_EMIT errorShown(isError);
    if (!isError && index >= 0 && index != int(m_choice->view()))
        m_views[index]->trigger();
}

LowerHalf::LowerHalf(LogChoice *choice, RunLogs *logs, FailureNotice *failure, QWidget *parent)
    : QWidget(parent)
    , m_failure(failure)
    , m_tabs(new ViewTabs(choice, this))
    , m_logArea(new QScrollArea(this))
    , m_errorPage(named(new QScrollArea(this), "errorPage"))
    , m_shown(named(new QStackedWidget(this), "lowerHalf"))
    , m_search(new SearchPanel([this] { return searchedLogs(); }, this))
{
    // With large text, or in a small window, they scroll: the window need not grow.
    m_logArea->setWidget(logs);
    for (QScrollArea *const area : {m_logArea, m_errorPage}) {
        area->setWidgetResizable(true);
        area->setFrameShape(QFrame::NoFrame);
        m_shown->addWidget(area);
    }
    m_logArea->setFocusPolicy(Qt::NoFocus);
    m_search->hide();
    addParts(withoutMargins(new QVBoxLayout(this), 0),
             {m_tabs, {splitterOf(Qt::Vertical, {m_shown, m_search}, {2, 1}), 1}});
    connect(m_tabs, &ViewTabs::errorShown, this, &LowerHalf::showErrorPage);
    connect(logs, &RunLogs::allRequested, m_search, &SearchPanel::open);
    connect(m_search, &SearchPanel::lineRequested, choice, &LogChoice::showLine);
    connect(m_failure, &FailureNotice::openLog, this,
            [this, choice](int process, const QString &file, qint64 line) {
                choice->showLine(process, file, line);
                m_failure->giveWay({m_shown->mapToGlobal(QPoint()), m_shown->size()});
            });
}

void LowerHalf::setSession(RunSession *session)
{
    m_session = session;
    m_search->clear();
    m_search->hide();
}

void LowerHalf::setState(const RunState &state)
{
    m_tabs->setState(state);
    if (m_shown->currentWidget() == m_errorPage)
        showErrorPage(true); // The error may be another one by now.
}

void LowerHalf::showErrorPage(bool isShown)
{
    FailureView *const view = isShown ? m_failure->view() : nullptr;
    if (view && m_errorPage->widget() != view)
        m_errorPage->setWidget(view);
    m_shown->setCurrentWidget(view ? m_errorPage : m_logArea);
}

QList<SearchedLog> LowerHalf::searchedLogs() const
{
    QList<SearchedLog> logs;
    if (!m_session || !m_session->state().plan)
        return logs;
    int process = 0;
    for (const ProcessPlan &plan : m_session->state().plan->processes) {
        const QString name = processName(plan);
        const SessionLogs &its = m_session->logs();
        logs.append({process, name, plan.logFile, false, its.limitOf(process, false)});
        if (!plan.stderrFile.isEmpty())
            logs.append({process, name, plan.stderrFile, true, its.limitOf(process, true)});
        ++process;
    }
    return logs;
}

} // namespace rankdeck
