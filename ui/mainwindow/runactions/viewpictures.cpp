#include "mainwindow/runactions/viewpictures.h"

#include "devicedetails/devicedetails.h"
#include "devicedetails/deviceplot.h"
#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/devicepanel.h"
#include "logview/canvas/logstrips.h"
#include "logview/panes/mergedpane.h"
#include "mainwindow/runlogs/runlogs.h"
#include "progressplot/progressplot.h"

#include <QScrollArea>

namespace rankdeck
{

ViewPictures::ViewPictures(DevicePanel *devices, RunLogs *logs, QScrollArea *errorPage, QObject *parent)
    : PictureActions(parent)
{
    DeviceGrid *const grid = devices->grid();
    const auto gridPicture = [devices] {
        return pictureOfCanvases(devices->canvases(), QStringLiteral("devices"));
    };
    m_gridAction = pictureAction(grid, QStringLiteral("devices"), gridPicture);
    add(tr("&Devices…"), grid, QStringLiteral("devices"), gridPicture);
    ProgressPlot *const curves = logs->curves()->plot();
    add(tr("&Training curves…"), curves, QStringLiteral("progress"),
        [curves] { return curves->picture(QStringLiteral("progress")); });
    DevicePlot *const samples = logs->details()->plot();
    add(tr("&NPUs and processes…"), samples, QStringLiteral("samples"),
        [samples] { return samples->picture(QStringLiteral("samples")); });
    LogStrips *const strips = logs->findChild<MergedPane *>()->strips();
    const auto timeline = [strips] {
        const std::shared_ptr<LogStrips> whole = strips->whole();
        Picture picture = pictureOfCanvases({whole.get()}, QStringLiteral("timeline"));
        picture.paint = [whole, paint = picture.paint](QPainter &painter) {
            paint(painter);
        };
        return picture;
    };
    strips->addAction(pictureAction(strips, QStringLiteral("timeline"), timeline));
    strips->setContextMenuPolicy(Qt::ActionsContextMenu);
    add(tr("T&imeline of the merged logs…"), strips, QStringLiteral("timeline"), timeline);
    add(tr("&Error…"), errorPage, QStringLiteral("error"),
        [errorPage] { return pictureOf(errorPage->widget(), QStringLiteral("error")); });
}

} // namespace rankdeck
