#include "mainwindow/runactions/logactions.h"

#include "logview/find/logjumps.h"
#include "logview/highlight/highlights.h"
#include "logview/panes/logtiles.h"
#include "logview/view/logview.h"
#include "mainwindow/runlogs/runlogs.h"

#include <QAction>
#include <QFontInfo>
#include <QSettings>

#include <algorithm>

namespace rankdeck
{

namespace
{

const QString togetherKey = QStringLiteral("window/logsTogether");
const QString wrappedKey = QStringLiteral("window/logLinesWrapped");
const QString numbersKey = QStringLiteral("window/logLineNumbers");
const QString textSizeKey = QStringLiteral("window/logTextSize");
constexpr qreal smallestText = 5; ///< Points.
constexpr qreal largestText = 40;

} // namespace

LogActions::LogActions(RunLogs *logs)
    : QObject(logs)
    , m_logs(logs)
    , m_usualSize(QFontInfo(logs->font()).pointSizeF())
{
    addLookActions();
    auto *const separator = new QAction(this);
    separator->setSeparator(true);
    m_actions.append(separator);
    addJumpActions();
    connect(logs, &RunLogs::zoomWanted, this, &LogActions::zoom);

    const qreal size = QSettings().value(textSizeKey).toReal();
    if (size >= smallestText && size <= largestText)
        m_look.textSize = size;
    m_look.highlights = HighlightSets::load().current();
    logs->setLook(m_look);
}

template <typename Slot>
QAction *LogActions::add(const QString &text, const char *name, const QKeySequence &key, Slot slot)
{
    auto *const action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
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
    add(tr("No&rmal text"), "normalTextAction", Qt::CTRL | Qt::ALT | Qt::Key_0, [this] {
        m_look.textSize = m_usualSize;
        m_logs->setLook(m_look);
        QSettings().remove(textSizeKey);
    });
    add(tr("H&ighlights…"), "highlightsAction", {}, [this] { askForHighlights(); });
}

void LogActions::addJumpActions()
{
    const auto addJump = [this](const QString &text, const char *name, const QString &key, auto go) {
        // The panes have the shortcuts; here they are only shown.
        add(text + QLatin1Char('\t') + key, name, {}, [this, go] {
            if (LogView *const view = m_logs->currentView())
                go(view->jumps());
        });
    };
    addJump(tr("Next &error"), "nextErrorAction", tr("F4"), [](LogJumps *jumps) { jumps->nextError(false); });
    addJump(tr("&Previous error"), "previousErrorAction", tr("Shift+F4"),
            [](LogJumps *jumps) { jumps->nextError(true); });
    addJump(tr("Go to line or &time…"), "goToAction", tr("Ctrl+T"),
            [](LogJumps *jumps) { jumps->askForPlace(); });
    addJump(tr("Set or ta&ke a mark"), "toggleMarkAction", tr("Ctrl+F2"),
            [](LogJumps *jumps) { jumps->toggleBookmark(); });
    addJump(tr("Ne&xt mark"), "nextMarkAction", tr("F2"),
            [](LogJumps *jumps) { jumps->nextBookmark(false); });
    addJump(tr("Pre&vious mark"), "previousMarkAction", tr("Shift+F2"),
            [](LogJumps *jumps) { jumps->nextBookmark(true); });
}

void LogActions::zoom(int steps)
{
    const qreal size = m_look.textSize > 0 ? m_look.textSize : m_usualSize;
    m_look.textSize = std::clamp(size + steps, smallestText, largestText);
    m_logs->setLook(m_look);
    QSettings().setValue(textSizeKey, m_look.textSize);
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
