#include "picture/picture.h"

#include "picture/paintrecorder.h"
#include "widgets/widgetparts.h"

#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>

namespace rankdeck
{

constexpr int pngScale = 2;
constexpr double pointsPerInch = 72;

Picture pictureOf(QWidget *view, const QString &name)
{
    return {name,
            view->size(),
            view->logicalDpiX(),
            [view](QPainter &painter) {
                view->render(&painter, QPoint(), QRegion(),
                             QWidget::DrawWindowBackground | QWidget::DrawChildren);
            },
            {}};
}

Picture pictureOfCanvases(const QList<CanvasWidget *> &views, const QString &name)
{
    QList<CanvasWidget *> shown = views;
    shown.removeIf([](const CanvasWidget *view) { return view->isHidden() && view->parentWidget(); });
    QSize size;
    for (const CanvasWidget *view : std::as_const(shown))
        size = QSize(std::max(size.width(), view->width()), std::max(0, size.height()) + view->height());
    return {name,
            size,
            views.first()->logicalDpiX(),
            [shown](QPainter &painter) {
                for (CanvasWidget *view : shown) {
                    view->paintPicture(painter);
                    painter.translate(0, view->height());
                }
            },
            {}};
}

/// In the order of PictureFormat.
const QStringList suffixes{u"png"_s, u"svg"_s, u"pdf"_s};

/// Returns the format of a file by its suffix; nothing for another one.
static std::optional<PictureFormat> pictureFormat(const QString &path)
{
    const qsizetype format = suffixes.indexOf(QFileInfo(path).suffix().toLower());
    return format < 0 ? std::nullopt : std::optional(PictureFormat(format));
}

QImage pictureImage(const Picture &picture, int scale)
{
    QImage image(picture.size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    picture.paint(painter);
    painter.end();
    return image;
}

static std::unique_ptr<PaintRecorder> recorded(const Picture &picture)
{
    auto painting = std::make_unique<PaintRecorder>(picture.size, picture.dotsPerInch);
    QPainter painter(painting.get());
    picture.paint(painter);
    painter.end();
    return painting;
}

static QByteArray pdfOf(const Picture &picture)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(picture.name);
    writer.setCreator(u"Rankdeck"_s);
    writer.setResolution(picture.dotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(picture.size) * pointsPerInch / picture.dotsPerInch, QPageSize::Point,
                                 {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter(&writer);
    recorded(picture)->play(painter);
    painter.end();
    return bytes;
}

QByteArray pictureBytes(const Picture &picture, PictureFormat format)
{
    if (format == PictureFormat::Svg)
        return picture.svg ? picture.svg() : svgOf(*recorded(picture));
    if (format == PictureFormat::Pdf)
        return pdfOf(picture);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    pictureImage(picture, pngScale).save(&buffer, "PNG");
    return bytes;
}

void writePicture(QWidget *parent, const Picture &picture, const QString &path)
{
    const QByteArray bytes = pictureBytes(picture, pictureFormat(path).value_or(PictureFormat::Png));
    saveInBackground(parent, tr("Save as picture"), path, [bytes](QIODevice &file) {
        file.write(bytes);
        return std::optional<Error>();
    });
}

void savePictureOf(QWidget *parent, const QString &name, const std::function<Picture()> &make)
{
    const QStringList filters{tr("Picture (*.png)"), tr("Drawing (*.svg)"), tr("Page (*.pdf)")};
    QFileDialog *const chooser = named(saveFileDialog(parent, tr("Save as picture"),
                                                      QDir::home().filePath(name + '.'_L1 + suffixes.first()),
                                                      filters, suffixes.first()),
                                       "pictureFileDialog");
    QObject::connect(chooser, &QFileDialog::filterSelected, chooser, [=](const QString &filter) {
        const QString suffix = suffixes.value(filters.indexOf(filter));
        chooser->setDefaultSuffix(suffix);
        const QString chosen = chooser->selectedFiles().value(0);
        if (pictureFormat(chosen))
            chooser->selectFile(QFileInfo(chosen).completeBaseName() + '.'_L1 + suffix);
    });
    QObject::connect(chooser, &QFileDialog::fileSelected, parent,
                     [parent, make](const QString &path) { writePicture(parent, make(), path); });
    chooser->open();
}

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
