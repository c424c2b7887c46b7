#include "ranktable/tablegrid.h"

#include "ranktable/tablegridmodel.h"
#include "ranktable/tablewords.h"

#include <QEvent>
#include <QHeaderView>
#include <QStyle>

#include <algorithm>

namespace rankdeck
{

TableGrid::TableGrid(QWidget *parent)
    : QTableView(parent)
    , m_model(new TableGridModel(this))
{
    setModel(m_model);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAccessibleName(tr("Devices by server"));
    setCornerButtonEnabled(false);
    setWordWrap(false);
    viewport()->setAttribute(Qt::WA_Hover, false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    horizontalHeader()->hide();
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setSectionsClickable(true);
    connect(verticalHeader(), &QHeaderView::sectionPressed, this, [this](int server) {
        Q_EMIT placeChosen({server, -1});
    });
    fitCells();
}

void TableGrid::fitCells()
{
    // As wide as the highest rank of this table.
    const Device widest{DeviceId(10), {}, Rank(std::max(10, m_devices - 1))};
    const int icon = style()->pixelMetric(QStyle::PM_SmallIconSize);
    const QFontMetrics metrics(font());
    const int text = std::max(metrics.horizontalAdvance(rankWords(widest)),
                              metrics.horizontalAdvance(deviceWords(widest)));
    horizontalHeader()->setDefaultSectionSize(text + icon + 18);
    verticalHeader()->setDefaultSectionSize(2 * metrics.lineSpacing() + 8);
    verticalHeader()->setMaximumWidth(metrics.averageCharWidth() * 26);
}

void TableGrid::setTable(const SharedTable &table)
{
    m_showing = true;
    m_model->setTable(table);
    m_showing = false;
    m_devices = table ? table->table().deviceCount() : 0;
    fitCells();
}

void TableGrid::setIcons(const SeverityIcons &icons)
{
    m_model->setIcons(icons);
    viewport()->update();
}

void TableGrid::showPlace(DevicePlace place)
{
    const QModelIndex index = m_model->indexOf(place);
    // What the user is at is not to move under the mouse.
    if (index.isValid() && index == currentIndex())
        return;
    m_showing = true;
    setCurrentIndex(index);
    if (index.isValid())
        scrollTo(index);
    else
        clearSelection();
    m_showing = false;
}

void TableGrid::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTableView::currentChanged(current, previous);
    const DevicePlace place = m_showing ? DevicePlace() : m_model->placeOf(current);
    if (place.isValid())
        Q_EMIT placeChosen(place);
}

void TableGrid::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitCells();
}

} // namespace rankdeck
