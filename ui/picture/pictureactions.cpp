#include "picture/pictureactions.h"

#include "widgets/widgetparts.h"

namespace rankdeck
{

QAction *pictureAction(QWidget *view, const QString &name, const std::function<Picture()> &make)
{
    QAction *const action =
        named(new QAction(PictureActions::tr("Save as pict&ure…"), view), "pictureAction");
    QObject::connect(action, &QAction::triggered, view,
                     [view, name, make] { savePictureOf(view, name, make); });
    return action;
}

PictureActions::PictureActions(QObject *parent)
    : QObject(parent)
    , m_menu(std::make_unique<QMenu>(tr("Save as pict&ure")))
{
    m_menu->setObjectName(u"pictureMenu"_s);
    connect(m_menu.get(), &QMenu::aboutToShow, this, [this] {
        for (const Entry &entry : std::as_const(m_entries))
            entry.action->setEnabled(entry.view && entry.view->isVisible());
    });
}

void PictureActions::add(const QString &title, QWidget *view, const QString &name,
                         const std::function<Picture()> &make)
{
    QAction *const action = m_menu->addAction(title);
    connect(action, &QAction::triggered, view, [view, name, make] { savePictureOf(view, name, make); });
    m_entries << Entry{action, view};
}

} // namespace rankdeck
