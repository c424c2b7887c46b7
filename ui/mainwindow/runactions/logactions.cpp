#include "mainwindow/runactions/logactions.h"

#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "logview/find/logjumps.h"
#include "logview/panes/logtiles.h"
#include "mainwindow/runlogs/runlogs.h"

#include <QAction>
#include <QActionGroup>
#include <QKeyEvent>
#include <QSettings>

namespace rankdeck
{

namespace
{

const QString worstFirstKey = QStringLiteral("window/worstServersFirst");
const QString valuesKey = QStringLiteral("window/gridValues");

/// A choice of cell values.
struct ValuesChoice {
    ShownSamples shown;
    const char *text;
    const char *word; ///< In the settings.
    const char *name; ///< Object name of its action.
};

constexpr ValuesChoice choices[] = {
    {ShownSamples::Devices, QT_TRANSLATE_NOOP("rankdeck::GridActions", "NPU &usage"), "devices",
     "gridDevicesAction"},
    {ShownSamples::Processes, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&CPU and memory"), "processes",
     "gridProcessesAction"},
    {ShownSamples::Both, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Both"), "both", "gridBothAction"},
    {ShownSamples::Neither, QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Nothing"), "neither",
     "gridNeitherAction"},
};

const QString togetherKey = QStringLiteral("window/logsTogether");
const QString wrappedKey = QStringLiteral("window/logLinesWrapped");
const QString numbersKey = QStringLiteral("window/logLineNumbers");
const QString textSizeKey = QStringLiteral("window/logTextSize");
constexpr qreal smallestText = 5; ///< Points.
constexpr qreal largestText = 40;

} // namespace

GridActions::GridActions(DevicePanel *panel)
    : QObject(panel)
    , m_panel(panel)
    , m_worstFirst(named(new QAction(tr("&Worst servers first"), this), "worstFirstAction"))
    , m_foldAll(named(new QAction(tr("&Fold all servers"), this), "foldAllAction"))
    , m_openAll(named(new QAction(tr("&Unfold all servers"), this), "unfoldAllAction"))
    , m_order(named(new QAction(tr("&Sort and filter ranks…"), this), "sortRanksAction"))
    , m_values(std::make_unique<QMenu>(tr("Gr&id shows")))
{
    m_order->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    connect(m_order, &QAction::triggered, panel, &DevicePanel::openOrder);
    addServerActions();
    addValueActions();
    update();
}

void GridActions::addServerActions()
{
    m_worstFirst->setCheckable(true);
    m_foldAll->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    m_openAll->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K));
    DeviceGrid *const grid = m_panel->grid();
    const auto setOrder = [grid](bool worstFirst) {
        grid->setOrder(worstFirst ? ServerGroups::Order::WorstFirst : ServerGroups::Order::Table);
    };
    connect(m_worstFirst, &QAction::toggled, grid, setOrder);
    // Not on each toggle: the settings keep what the user chose.
    connect(m_worstFirst, &QAction::triggered, this,
            [](bool worstFirst) { QSettings().setValue(worstFirstKey, worstFirst); });
    connect(m_foldAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(true); });
    connect(m_openAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(false); });
    m_worstFirst->setChecked(QSettings().value(worstFirstKey, true).toBool());
    setOrder(m_worstFirst->isChecked());
}

void GridActions::addValueActions()
{
    auto *const group = new QActionGroup(this);
    const QString remembered = QSettings().value(valuesKey).toString();
    DeviceGrid *const grid = m_panel->grid();
    for (const ValuesChoice &choice : choices) {
        const QString word = QLatin1String(choice.word);
        if (word == remembered)
            grid->setShownSamples(choice.shown);
        auto *const action = named(new QAction(tr(choice.text), this), choice.name);
        m_values->addAction(action);
        action->setCheckable(true);
        group->addAction(action);
        connect(action, &QAction::triggered, grid, [grid, shown = choice.shown, word] {
            grid->setShownSamples(shown);
            QSettings().setValue(valuesKey, word);
        });
    }
    for (qsizetype at = 0; at < group->actions().size(); ++at)
        group->actions().at(at)->setChecked(choices[at].shown == grid->shownSamples());
}

void GridActions::update()
{
    for (QAction *action : {m_worstFirst, m_foldAll, m_openAll})
        action->setEnabled(m_panel->grid()->groups().canFold());
    m_order->setEnabled(m_panel->grid()->isFiltered() || m_panel->grid()->cellCount() > 0);
}

LogActions::LogActions(RunLogs *logs)
    : QObject(logs)
    , m_logs(logs)
{
    addLookActions();
    addFindActions();
    connect(logs, &RunLogs::zoomWanted, this, &LogActions::zoom);

    m_look.highlights = HighlightSets::load().current();
    takePreferences(Preferences::load());
    connect(&preferencesNews(), &PreferencesNews::changed, this, &LogActions::takePreferences);
}

void LogActions::takePreferences(const Preferences &preferences)
{
    const bool isSize = preferences.logSize >= smallestText && preferences.logSize <= largestText;
    m_size = isSize ? preferences.logSize : usualTextSize();
    m_look.family = preferences.logFont;
    showSize();
}

void LogActions::showSize()
{
    m_look.textSize = m_size * appliedZoom();
    m_logs->setLook(m_look);
}

template <typename Slot>
QAction *LogActions::add(const QString &text, const char *name, const QKeySequence &key, Slot slot)
{
    auto *const action = named(new QAction(text, this), name);
    action->setShortcut(key);
    connect(action, &QAction::triggered, this, slot);
    m_actions.append(action);
    return action;
}

template <typename Slot>
void LogActions::addSwitch(const QString &text, const char *name, const QString &settingsKey, Slot set)
{
    QAction *const action = add(text, name, {}, [set, settingsKey](bool isOn) {
        set(isOn);
        QSettings().setValue(settingsKey, isOn);
    });
    action->setCheckable(true);
    action->setChecked(QSettings().value(settingsKey, false).toBool());
    set(action->isChecked());
}

void LogActions::addLookActions()
{
    addSwitch(tr("&Line numbers"), "lineNumbersAction", numbersKey, [this](bool areShown) {
        m_look.isNumbered = areShown;
        m_logs->setLook(m_look);
    });
    addSwitch(tr("Wrap long line&s"), "wrapAction", wrappedKey, [this](bool areWrapped) {
        m_look.isWrapped = areWrapped;
        m_logs->setLook(m_look);
    });
    addSwitch(tr("Scroll toget&her in time"), "togetherAction", togetherKey,
              [this](bool areTogether) { m_logs->tiles()->setTogether(areTogether); });
    add(tr("Lar&ger text"), "largerTextAction", Qt::CTRL | Qt::ALT | Qt::Key_Plus, [this] { zoom(1); });
    add(tr("S&maller text"), "smallerTextAction", Qt::CTRL | Qt::ALT | Qt::Key_Minus, [this] { zoom(-1); });
    add(tr("&Reset text size"), "normalTextAction", Qt::CTRL | Qt::ALT | Qt::Key_0, [this] {
        m_size = usualTextSize();
        showSize();
        QSettings().remove(textSizeKey);
    });
    add(tr("H&ighlights…"), "highlightsAction", {}, [this] { askForHighlights(); });
}

void LogActions::addFindActions()
{
    // Logs have these keys themselves: here they act in the menu alone, which never has the focus.
    const auto addFinder = [this](const QString &text, const char *name, const QList<QKeySequence> &keys,
                                  auto go) {
        auto *const action = named(new QAction(text, this), name);
        action->setShortcuts(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, go);
        m_finders << action;
    };
    const auto inView = [this](auto go) {
        return [this, go] {
            showLog();
            if (LogView *const view = m_logs->currentView())
                go(view);
        };
    };
    addFinder(tr("&Find in the log…"), "findAction", {QKeySequence(QKeySequence::Find)},
              inView([](LogView *view) { view->openFind(); }));
    addFinder(tr("Find &next"), "findNextAction", {QKeySequence(Qt::Key_F3)},
              inView([](LogView *view) { view->findNext(false); }));
    addFinder(tr("Find pre&vious"), "findPreviousAction", {QKeySequence(Qt::SHIFT | Qt::Key_F3)},
              inView([](LogView *view) { view->findNext(true); }));
    addFinder(tr("F&ilter the log…"), "filterAction", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
              [this] {
                  showLog();
                  m_logs->openFilter();
              });
    addFinder(tr("Next &error"), "nextErrorAction", {QKeySequence(Qt::Key_F4)},
              inView([](LogView *view) { view->jumps()->nextError(false); }));
    addFinder(tr("&Previous error"), "previousErrorAction", {QKeySequence(Qt::SHIFT | Qt::Key_F4)},
              inView([](LogView *view) { view->jumps()->nextError(true); }));
    addFinder(tr("Go to line or &time…"), "goToAction",
              {QKeySequence(Qt::CTRL | Qt::Key_G), QKeySequence(Qt::CTRL | Qt::Key_T)},
              inView([](LogView *view) { view->jumps()->askForPlace(); }));
    addFinder(tr("Toggle boo&kmark"), "toggleMarkAction", {QKeySequence(Qt::CTRL | Qt::Key_F2)},
              inView([](LogView *view) { view->jumps()->toggleBookmark(); }));
    addFinder(tr("Ne&xt bookmark"), "nextMarkAction", {QKeySequence(Qt::Key_F2)},
              inView([](LogView *view) { view->jumps()->nextBookmark(false); }));
    addFinder(tr("Previous book&mark"), "previousMarkAction", {QKeySequence(Qt::SHIFT | Qt::Key_F2)},
              inView([](LogView *view) { view->jumps()->nextBookmark(true); }));
}

void LogActions::showLog()
{
    if (!m_logs->isVisible() || !m_logs->currentView())
        Q_EMIT logWanted();
}

QAction *LogActions::actionOf(const QKeyEvent &event) const
{
    const QKeySequence pressed(event.keyCombination());
    const auto found = std::ranges::find_if(
        m_finders, [&](const QAction *action) { return action->shortcuts().contains(pressed); });
    return found == m_finders.end() ? nullptr : *found;
}

void LogActions::zoom(int steps)
{
    m_size = std::clamp(m_size + steps, smallestText, largestText);
    showSize();
    QSettings().setValue(textSizeKey, m_size);
}

void LogActions::askForHighlights()
{
    auto *const dialog = new HighlightDialog(HighlightSets::load(), m_logs);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        dialog->sets().save();
        m_look.highlights = dialog->sets().current();
        m_logs->setLook(m_look);
    });
    dialog->open();
}

} // namespace rankdeck
