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
