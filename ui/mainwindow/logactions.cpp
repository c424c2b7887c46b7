#include "mainwindow/logactions.h"

#include "logview/highlightdialog.h"
#include "logview/logjumps.h"
#include "logview/logtiles.h"
#include "logview/logview.h"
#include "mainwindow/runlogs.h"

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
    , m_textSize(QFontInfo(logs->font()).pointSizeF())
{
    const qreal usual = m_textSize;
    const auto add = [this](const QString &text, const char *name, const QKeySequence &key, auto slot) {
        auto *const action = new QAction(text, this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(key);
        connect(action, &QAction::triggered, this, slot);
        m_actions.append(action);
        return action;
    };
    QAction *numbers = add(tr("&Line numbers"), "lineNumbersAction", {}, [this](bool areShown) {
        m_logs->setNumbered(areShown);
        QSettings().setValue(numbersKey, areShown);
    });
    numbers->setCheckable(true);
    QAction *wrapped = add(tr("Wrap long line&s"), "wrapAction", {}, [this](bool areWrapped) {
        m_logs->setWrapped(areWrapped);
        QSettings().setValue(wrappedKey, areWrapped);
    });
    wrapped->setCheckable(true);
    QAction *together = add(tr("Scroll toget&her in time"), "togetherAction", {}, [this](bool areTogether) {
        m_logs->tiles()->setTogether(areTogether);
        QSettings().setValue(togetherKey, areTogether);
    });
    together->setCheckable(true);
    add(tr("Lar&ger text"), "largerTextAction", Qt::CTRL | Qt::ALT | Qt::Key_Plus, [this] { zoom(1); });
    add(tr("S&maller text"), "smallerTextAction", Qt::CTRL | Qt::ALT | Qt::Key_Minus, [this] { zoom(-1); });
    add(tr("No&rmal text"), "normalTextAction", Qt::CTRL | Qt::ALT | Qt::Key_0, [this, usual] {
        setTextSize(usual);
        QSettings().remove(textSizeKey);
    });
    add(tr("H&ighlights…"), "highlightsAction", {}, [this] { askForHighlights(); });
    m_actions.append(new QAction(this));
    m_actions.last()->setSeparator(true);
    const auto addJump = [&](const QString &text, const char *name, const QString &key, auto go) {
        // The panes have the keys; here they are only said.
        add(text + QLatin1Char('\t') + key, name, {}, [this, go] {
            if (LogView *const view = m_logs->currentView())
                go(view);
        });
    };
    addJump(tr("Next &error"), "nextErrorAction", tr("F4"),
            [](LogView *view) { view->jumps()->nextError(false); });
    addJump(tr("&Previous error"), "previousErrorAction", tr("Shift+F4"),
            [](LogView *view) { view->jumps()->nextError(true); });
    addJump(tr("Go to line or &time…"), "goToAction", tr("Ctrl+T"),
            [](LogView *view) { view->jumps()->askForPlace(); });
    addJump(tr("Set or ta&ke a mark"), "toggleMarkAction", tr("Ctrl+F2"),
            [](LogView *view) { view->jumps()->toggleBookmark(); });
    addJump(tr("Ne&xt mark"), "nextMarkAction", tr("F2"),
            [](LogView *view) { view->jumps()->nextBookmark(false); });
    addJump(tr("Pre&vious mark"), "previousMarkAction", tr("Shift+F2"),
            [](LogView *view) { view->jumps()->nextBookmark(true); });
    logs->setHighlights(HighlightSets::load().current());
    connect(logs, &RunLogs::zoomWanted, this, &LogActions::zoom);

    const QSettings settings;
    numbers->setChecked(settings.value(numbersKey, false).toBool());
    logs->setNumbered(numbers->isChecked());
    wrapped->setChecked(settings.value(wrappedKey, false).toBool());
    logs->setWrapped(wrapped->isChecked());
    together->setChecked(settings.value(togetherKey, false).toBool());
    logs->tiles()->setTogether(together->isChecked());
    if (const qreal size = settings.value(textSizeKey).toReal(); size >= smallestText && size <= largestText)
        setTextSize(size);
}

void LogActions::zoom(int steps)
{
    setTextSize(std::clamp(m_textSize + steps, smallestText, largestText));
    QSettings().setValue(textSizeKey, m_textSize);
}

void LogActions::askForHighlights()
{
    auto *const dialog = new HighlightDialog(HighlightSets::load(), m_logs);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] {
        dialog->sets().save();
        m_logs->setHighlights(dialog->sets().current());
    });
    dialog->open();
}

void LogActions::setTextSize(qreal points)
{
    m_textSize = points;
    m_logs->setTextSize(points);
}

} // namespace rankdeck
