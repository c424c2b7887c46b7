#include "help/shortcutsdialog.h"

#include "widgets/labels.h"
#include "widgets/widgetparts.h"

#include <QAction>
#include <QHeaderView>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QTreeWidget>

namespace rankdeck
{

static QString keysOf(const QAction *action)
{
    QStringList keys;
    for (const QKeySequence &sequence : action->shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

/// Adds those of `actions` that have keys and a text below an item with the title; leaves it out if there are
/// none.
static void addGroup(QTreeWidget *tree, const QString &title, const QList<QAction *> &actions)
{
    QList<QTreeWidgetItem *> items;
    for (const QAction *action : actions) {
        if (!action->menu() && !action->shortcut().isEmpty() && !action->text().isEmpty())
            items << new QTreeWidgetItem({withoutMnemonic(action->text()), keysOf(action)});
    }
    if (items.isEmpty())
        return;
    auto *group = new QTreeWidgetItem(tree, {title});
    group->setFirstColumnSpanned(true);
    group->addChildren(items);
}

/// Returns the actions of a menu and of those in it; null: none.
static QList<QAction *> actionsOf(const QMenu *menu)
{
    QList<QAction *> actions;
    for (QAction *action : menu ? menu->actions() : QList<QAction *>()) {
        actions << action;
        actions << actionsOf(action->menu());
    }
    return actions;
}

static void showMatching(QTreeWidget *tree, const QString &words)
{
    for (int at = 0; at < tree->topLevelItemCount(); ++at) {
        QTreeWidgetItem *group = tree->topLevelItem(at);
        bool isEmpty = true;
        for (int child = 0; child < group->childCount(); ++child) {
            QTreeWidgetItem *item = group->child(child);
            const bool isWanted = item->text(0).contains(words, Qt::CaseInsensitive) ||
                                  item->text(1).contains(words, Qt::CaseInsensitive);
            item->setHidden(!isWanted);
            isEmpty = isEmpty && !isWanted;
        }
        group->setHidden(isEmpty);
    }
}

ShortcutsDialog::ShortcutsDialog(QWidget *window)
    : QDialog(window)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Keyboard shortcuts"));
    auto *filter = filterEdit(this, "shortcutFilter", tr("Filter by words or keys"));
    auto *tree = named(new QTreeWidget, "shortcuts", tr("Keyboard shortcuts"));
    tree->setHeaderLabels({tr("Action"), tr("Keys")});
    tree->setRootIsDecorated(false);
    tree->setItemsExpandable(false);

    QList<QAction *> rest = window->findChildren<QAction *>();
    if (const auto *main = qobject_cast<QMainWindow *>(window)) {
        for (const QAction *menu : main->menuBar()->actions()) {
            const QList<QAction *> actions = actionsOf(menu->menu());
            addGroup(tree, withoutMnemonic(menu->text()), actions);
            rest.removeIf([&](QAction *action) { return actions.contains(action); });
        }
    }
    addGroup(tree, tr("Elsewhere in the window"), rest);
    tree->expandAll();
    tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(filter, &QLineEdit::textChanged, this,
            [tree](const QString &words) { showMatching(tree, words.trimmed()); });
    auto *layout = new QVBoxLayout(this);
    addWidgets(layout, {filter, tree, buttons});
    resizeInText(this, 70, 32);
}

} // namespace rankdeck
