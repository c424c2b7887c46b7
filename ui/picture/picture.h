#pragma once

#include "canvas/widget/canvaswidget.h"

#include <QAction>
#include <QImage>
#include <QMenu>
#include <QPointer>

namespace rankdeck
{

/// A view to save as a picture.
struct Picture {
    QString name; ///< Offered name for the file, without its suffix.
    QSize size;   ///< In pixels of the screen.
    int dotsPerInch = 96;
    std::function<void(QPainter &painter)> paint;
    std::function<QByteArray()> svg; ///< A better one than what `paint` paints; may be null.
};

/// Returns the picture of a widget with all that is in it.
Picture pictureOf(QWidget *view, const QString &name);
/// Returns the picture of canvases, one below the other and without hidden ones, with text as text.
Picture pictureOfCanvases(const QList<CanvasWidget *> &views, const QString &name);

enum class PictureFormat { Png, Svg, Pdf };

/// Returns the picture as pixels, `scale` times as many as on the screen in each direction.
QImage pictureImage(const Picture &picture, int scale);

/// Returns the file's bytes. PNG has twice the pixels of the screen; a PDF one page as large as the picture.
QByteArray pictureBytes(const Picture &picture, PictureFormat format);

/// Paints the picture now and writes it in the background, whole or not at all; shows errors in a box.
/// Without a known suffix it is a PNG.
void writePicture(QWidget *parent, const Picture &picture, const QString &path);

/// Asks for a file, then paints and writes the picture.
/// @param make called when the file is chosen.
void savePictureOf(QWidget *parent, const QString &name, const std::function<Picture()> &make);

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
