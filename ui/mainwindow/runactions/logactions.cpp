#include "mainwindow/runactions/logactions.h"

#include "devicedetails/devicedetails.h"
#include "devicedetails/deviceplot.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "logview/canvas/logstrips.h"
#include "logview/panes/logtiles.h"
#include "logview/panes/mergedpane.h"
#include "mainwindow/runlogs/runlogs.h"
#include "progressplot/progressplot.h"

#include <QActionGroup>
#include <QScrollArea>
#include <QSettings>

namespace rankdeck
{

namespace
{

const QString worstFirstKey = u"window/worstServersFirst"_s;
const QString valuesKey = u"window/gridValues"_s;

const QString densityKey = u"window/gridDensity"_s;
const QString colorKey = u"window/gridColor"_s;

/// A choice of what the grid shows, or how.
struct GridChoice {
    const char *text;
    const char *word; ///< In the settings.
    const char *name; ///< Object name of its action.
};

/// In the order of ShownSamples.
constexpr GridChoice valueChoices[] = {
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "NPU &usage"), "devices", "gridDevicesAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&CPU and memory"), "processes", "gridProcessesAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Both"), "both", "gridBothAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Nothing"), "neither", "gridNeitherAction"},
};

constexpr GridChoice densityChoices[] = {
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Automatic"), "automatic", "gridAutomaticAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Tiles"), "tiles", "gridTilesAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Lines"), "lines", "gridLinesAction"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Cells"), "cells", "gridCellsAction"},
};
/// In the order of densityChoices.
constexpr DensityRange densityRanges[] = {DensityRange::automatic(), DensityRange::tiles(),
                                          DensityRange::only(GridDensity::Lines),
                                          DensityRange::only(GridDensity::Cells)};

/// In the order of TileColor.
constexpr GridChoice colorChoices[] = {
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&State"), "state", "tileColor_state"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&AI cores"), "aicore", "tileColor_aicore"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&HBM"), "hbm", "tileColor_hbm"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Temperature"), "temperature", "tileColor_temperature"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "Steps &behind"), "lag", "tileColor_lag"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&CPU"), "cpu", "tileColor_cpu"},
    {QT_TRANSLATE_NOOP("rankdeck::GridActions", "&Memory"), "memory", "tileColor_memory"},
};

/// Adds an action for each choice to `menu`. Calls `choose` with the index of the remembered one now, and
/// with that of a triggered one later, which the settings then remember.
QList<QAction *> addChoices(GridActions *parent, QMenu *menu, std::span<const GridChoice> choices,
                            const QString &key, const std::function<void(int index)> &choose)
{
    auto *const group = new QActionGroup(parent);
    const QString remembered = QSettings().value(key).toString();
    for (int index = 0; index < int(choices.size()); ++index) {
        const GridChoice &choice = choices[std::size_t(index)];
        const QString word = QLatin1String(choice.word);
        if (word == remembered)
            choose(index);
        QAction *const action = named(group->addAction(GridActions::tr(choice.text)), choice.name);
        action->setCheckable(true);
        QObject::connect(action, &QAction::triggered, parent, [index, word, key, choose] {
            choose(index);
            QSettings().setValue(key, word);
        });
    }
    menu->addActions(group->actions());
    return group->actions();
}

const QString togetherKey = u"window/logsTogether"_s;
const QString errorsApartKey = u"window/standardErrorApart"_s;
const QString wrappedKey = u"window/logLinesWrapped"_s;
const QString numbersKey = u"window/logLineNumbers"_s;
const QString textSizeKey = u"window/logTextSize"_s;
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
    , m_troubleFirst(
          named(new QAction(tr("Failed, stalled and selected ranks first"), this), "troubleFirstAction"))
    , m_values(std::make_unique<QMenu>(tr("Gr&id shows")))
    , m_look(std::make_unique<QMenu>(tr("&Grid")))
{
    m_troubleFirst->setCheckable(true);
    m_troubleFirst->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
    connect(m_troubleFirst, &QAction::triggered, panel, &DevicePanel::setTroubleFirst);
    connect(panel, &DevicePanel::troubleFirstChanged, m_troubleFirst, &QAction::setChecked);
    m_order->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    connect(m_order, &QAction::triggered, panel, &DevicePanel::openOrder);
    addServerActions();
    addValueActions();
    addDensityActions();
    addColorActions();
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
    // Only on the user's own choice: the settings keep that.
    connect(m_worstFirst, &QAction::triggered, this,
            [](bool worstFirst) { QSettings().setValue(worstFirstKey, worstFirst); });
    connect(m_foldAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(true); });
    connect(m_openAll, &QAction::triggered, grid, [grid] { grid->setAllFolded(false); });
    m_worstFirst->setChecked(QSettings().value(worstFirstKey, true).toBool());
    setOrder(m_worstFirst->isChecked());
}

void GridActions::addValueActions()
{
    DeviceGrid *const grid = m_panel->grid();
    const auto all = addChoices(this, m_values.get(), valueChoices, valuesKey,
                                [grid](int index) { grid->setShownSamples(ShownSamples(index)); });
    all.at(int(grid->shownSamples()))->setChecked(true);
}

void GridActions::addDensityActions()
{
    DeviceGrid *const grid = m_panel->grid();
    grid->setDensities(DensityRange::automatic());
    m_densities = addChoices(this, m_look.get(), densityChoices, densityKey, [this, grid](int index) {
        grid->setDensities(densityRanges[index]);
        updateDensity();
    });
    m_densities.first()->actionGroup()->setExclusionPolicy(QActionGroup::ExclusionPolicy::ExclusiveOptional);
    connect(grid, &DeviceGrid::looksChanged, this, &GridActions::updateDensity);
    updateDensity();
}

/// None is checked for a size that the wheel chose.
void GridActions::updateDensity()
{
    update();
    for (qsizetype at = 0; at < m_densities.size(); ++at)
        m_densities.at(at)->setChecked(densityRanges[at] == m_panel->grid()->densities());
}

void GridActions::addColorActions()
{
    m_look->addSeparator();
    DeviceGrid *const grid = m_panel->grid();
    const auto all = addChoices(this, m_look->addMenu(tr("C&olour tiles by")), colorChoices, colorKey,
                                [grid](int index) { grid->setTileColor(TileColor(index)); });
    all.at(int(grid->tileColor()))->setChecked(true);
}

void GridActions::update()
{
    const bool canFold = m_panel->grid()->groups().canFold();
    m_worstFirst->setEnabled(canFold);
    for (QAction *action : {m_foldAll, m_openAll})
        action->setEnabled(canFold && tileSize(m_panel->grid()->density()) == 0); // Tiles have no headings.
    m_order->setEnabled(m_panel->grid()->isFiltered() || m_panel->grid()->cellCount() > 0);
}

LogActions::LogActions(RunLogs *logs)
    : QObject(logs)
    , m_logs(logs)
{
    addLookActions();
    addFindActions();
    connect(logs, &RunLogs::zoomRequested, this, &LogActions::zoom);
    connect(logs, &RunLogs::highlightRequested, this, [this](const QString &text) {
        HighlightSets sets = HighlightSets::load();
        sets.add(text);
        use(sets);
    });

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
    addSwitch(tr("Standard error a&part"), "errorsApartAction", errorsApartKey,
              [this](bool areApart) { m_logs->setErrorsApart(areApart); });
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
    addFinder(tr("Find in all r&anks…"), "findInAllRanksAction",
              {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_F)}, [this] { Q_EMIT m_logs->allRequested({}); });
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
        Q_EMIT logRequested();
}

bool LogActions::press(const QKeyEvent &event) const
{
    const QKeySequence pressed(event.keyCombination());
    const auto found = std::ranges::find_if(
        m_finders, [&](const QAction *action) { return action->shortcuts().contains(pressed); });
    if (found == m_finders.end())
        return false;
    (*found)->trigger();
    return true;
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
    connect(dialog, &QDialog::accepted, this, [this, dialog] { use(dialog->sets()); });
    dialog->open();
}

void LogActions::use(const HighlightSets &sets)
{
    sets.save();
    m_look.highlights = sets.current();
    m_logs->setLook(m_look);
}

ViewPictures::ViewPictures(DevicePanel *devices, RunLogs *logs, QScrollArea *errorPage, QObject *parent)
    : PictureActions(parent)
{
    DeviceGrid *const grid = devices->grid();
    const auto gridPicture = [devices] {
        return pictureOfCanvases(devices->canvases(), u"devices"_s);
    };
    m_gridAction = pictureAction(grid, u"devices"_s, gridPicture);
    add(tr("&Devices…"), grid, u"devices"_s, gridPicture);
    ProgressPlot *const curves = logs->curves()->plot();
    add(tr("&Training curves…"), curves, u"progress"_s, [curves] { return curves->picture(u"progress"_s); });
    DevicePlot *const samples = logs->details()->plot();
    add(tr("&NPUs and processes…"), samples, u"samples"_s,
        [samples] { return samples->picture(u"samples"_s); });
    LogStrips *const strips = logs->findChild<MergedPane *>()->strips();
    const auto timeline = [strips] {
        const std::shared_ptr<LogStrips> whole = strips->whole();
        Picture picture = pictureOfCanvases({whole.get()}, u"timeline"_s);
        picture.paint = [whole, paint = picture.paint](QPainter &painter) {
            paint(painter);
        };
        return picture;
    };
    strips->addAction(pictureAction(strips, u"timeline"_s, timeline));
    strips->setContextMenuPolicy(Qt::ActionsContextMenu);
    add(tr("T&imeline of the merged logs…"), strips, u"timeline"_s, timeline);
    add(tr("&Error…"), errorPage, u"error"_s,
        [errorPage] { return pictureOf(errorPage->widget(), u"error"_s); });
}

} // namespace rankdeck
