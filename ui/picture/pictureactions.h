#pragma once

#include "picture/picture.h"

#include <QAction>
#include <QMenu>
#include <QPointer>

namespace rankdeck
{

/// Returns "Save as picture…" for a view, in its context menu and for other menus.
/// @param make called when the file is chosen.
QAction *pictureAction(QWidget *view, const QString &name, const std::function<Picture()> &make);

/// A menu of the views that can be saved as pictures; enables those that are visible.
class PictureActions : public QObject
{
    Q_OBJECT

public:
    explicit PictureActions(QObject *parent);

    /// Opens the menu.
    QAction *action() const { return m_menu->menuAction(); }
    /// @param title of the view's content.
    void add(const QString &title, QWidget *view, const QString &name, const std::function<Picture()> &make);

private:
    struct Entry {
        QAction *action;
        QPointer<QWidget> view;
    };

    std::unique_ptr<QMenu> m_menu;
    QList<Entry> m_entries;
};

} // namespace rankdeck
