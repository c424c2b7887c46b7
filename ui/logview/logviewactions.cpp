#include "logview/logviewactions.h"

#include "logview/logjumps.h"
#include "logview/logtaking.h"
#include "logview/logview.h"

#include <QAction>

namespace rankdeck
{

QAction *addLogViewActions(LogView *view, QWidget *canvas)
{
    const auto add = [=](const QString &text, const QKeySequence &key, auto slot) {
        auto *const action = new QAction(text, canvas);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        QObject::connect(action, &QAction::triggered, view, slot);
        canvas->addAction(action);
        return action;
    };
    const auto tr = [](const char *text) {
        return LogView::tr(text);
    };
    LogJumps *const jumps = view->jumps();
    LogTaking *const taking = view->taking();
    add(tr("&Copy"), QKeySequence::Copy, [=] { view->copy(); });
    add(tr("Copy with co&lours"), Qt::CTRL | Qt::SHIFT | Qt::Key_C,
        [=] { taking->copy(QClipboard::Clipboard, true); });
    add(tr("&Save…"), Qt::CTRL | Qt::Key_S, [=] { taking->save(); });
    add(tr("Select &all"), QKeySequence::SelectAll, [=] { view->selectAll(); });
    add(tr("&Find…"), QKeySequence::Find, [=] {
        view->openFind();
    })->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    add(tr("Find &next"), Qt::Key_F3, [=] { view->findNext(false); });
    add(tr("Find &previous"), Qt::SHIFT | Qt::Key_F3, [=] { view->findNext(true); });
    add(tr("Next &error"), Qt::Key_F4, [=] { jumps->nextError(false); });
    add(tr("Previous e&rror"), Qt::SHIFT | Qt::Key_F4, [=] { jumps->nextError(true); });
    add(tr("&Go to line or time…"), {}, [=] {
        jumps->askForPlace();
    })->setShortcuts({Qt::CTRL | Qt::Key_G, Qt::CTRL | Qt::Key_T});
    add(tr("Set or take a &mark"), Qt::CTRL | Qt::Key_F2, [=] { jumps->toggleBookmark(); });
    add(tr("Ne&xt mark"), Qt::Key_F2, [=] { jumps->nextBookmark(false); });
    add(tr("Pre&vious mark"), Qt::SHIFT | Qt::Key_F2, [=] { jumps->nextBookmark(true); });
    add(tr("Show the line's &history"), {}, [=] { taking->askForHistory(); });
    canvas->setContextMenuPolicy(Qt::ActionsContextMenu);
    return add(tr("Sh&ow in its log"), Qt::Key_Return, [=] { view->askForPlaceOfLine(); });
}

} // namespace rankdeck
