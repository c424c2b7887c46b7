#include "mainwindow/runpage/viewtabs.h"

#include "mainwindow/runpage/logchoice.h"
#include "widgets/labels.h"
#include "widgets/tone.h"
#include "widgets/widgetparts.h"

#include <QAction>

namespace rankdeck
{

ViewTabs::ViewTabs(LogChoice *choice, QWidget *parent)
    : QTabBar(parent)
    , m_choice(choice)
{
    setObjectName(QStringLiteral("viewTabs"));
    setAccessibleName(tr("Views of the run"));
    setDocumentMode(true);
    setExpanding(false);
    setDrawBase(false);
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
    const auto colour = [this, error] {
        setTabTextColor(error, toneColor(Tone::Bad, palette()));
    };
    colour();
    onPaletteChange(this, colour);
    setTabToolTip(error, tr("Which rank failed, why, and what to do"));
    setState({});
    connect(this, &QTabBar::currentChanged, this, &ViewTabs::takeTab);
    connect(m_choice, &LogChoice::chosen, this, &ViewTabs::follow);
    connect(m_choice, &LogChoice::changed, this, [this] {
        if (currentIndex() != m_views.size()) // Who reads the error goes on with it.
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

void ViewTabs::setState(const RunState &state)
{
    setTabVisible(int(m_views.size()), state.failure.has_value());
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

void ViewTabs::follow()
{
    setCurrentIndex(int(m_choice->view()));
}

} // namespace rankdeck
