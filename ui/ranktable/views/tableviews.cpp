#include "ranktable/views/tableviews.h"

#include "logview/view/logview.h"

#include <QEvent>
#include <QHeaderView>
#include <QStyle>

namespace rankdeck
{

// Internal id of a row: 0 for a server, else the index of its server + 1.
constexpr quintptr serverRow = 0;

// With more rows, the user opens servers one by one.
constexpr int mostDevicesExpanded = 256;
// Column widths are fitted to this many rows, for speed.
constexpr int rowsMeasured = 64;

/// Makes `index` the current one; an invalid one clears the selection. Does not scroll if it was current
/// before, because the user may just have clicked it.
static void showCurrent(QAbstractItemView &view, const QModelIndex &index, const QModelIndex &before)
{
    if (index.isValid() && index == before)
        return;
    view.setCurrentIndex(index);
    if (index.isValid())
        view.scrollTo(index);
    else
        view.clearSelection();
}

void TableGridModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    m_columns = 0;
    if (m_table) {
        for (const Server &server : m_table->table().servers)
            m_columns = std::max(m_columns, int(server.devices.size()));
    }
    endResetModel();
}

DevicePlace TableGridModel::placeOf(const QModelIndex &index) const
{
    if (!index.isValid() || index.column() >= int(m_table->server({index.row(), -1}).devices.size()))
        return {};
    return {index.row(), index.column()};
}

QVariant TableGridModel::data(const QModelIndex &index, int role) const
{
    const DevicePlace place = placeOf(index);
    if (!place.isValid())
        return {};
    const Device &device = m_table->device(place);
    switch (role) {
    case Qt::DisplayRole:
        return u"%1\n%2"_s.arg(rankWords(device), deviceWords(device));
    case Qt::DecorationRole:
        if (const auto severity = m_table->worstAt(place))
            return m_icons.of(*severity);
        return {};
    case Qt::ToolTipRole:
        return plainToolTip(deviceDescription(*m_table, place));
    case Qt::AccessibleTextRole:
        return deviceDescription(*m_table, place);
    default:
        return {};
    }
}

QVariant TableGridModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (!m_table || orientation != Qt::Vertical || section >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return m_table->server({section, -1}).serverId;
    const auto severity = role == Qt::DecorationRole ? m_table->worstAt({section, -1}) : std::nullopt;
    return severity ? QVariant(m_icons.of(*severity)) : QVariant();
}

TableGrid::TableGrid()
    : m_model(new TableGridModel(this))
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
    // Wide enough for the highest rank of this table.
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
    m_showing = true;
    showCurrent(*this, index, currentIndex());
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

void TableTreeModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    endResetModel();
}

DevicePlace TableTreeModel::placeOf(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == serverRow)
        return {index.row(), -1};
    return {int(index.internalId()) - 1, index.row()};
}

QModelIndex TableTreeModel::indexOf(DevicePlace place) const
{
    if (!place.isValid() || place.server >= rowCount())
        return {};
    const QModelIndex server = index(place.server, 0);
    if (place.device < 0)
        return server;
    return place.device < rowCount(server) ? index(place.device, 0, server) : QModelIndex();
}

QModelIndex TableTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : serverRow);
}

QModelIndex TableTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == serverRow)
        return {};
    return createIndex(int(child.internalId()) - 1, 0, serverRow);
}

int TableTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!m_table)
        return 0;
    if (!parent.isValid())
        return int(m_table->table().servers.size());
    if (parent.internalId() != serverRow || parent.column() != 0)
        return 0;
    return int(m_table->server({parent.row(), -1}).devices.size());
}

QVariant TableTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const DevicePlace place = placeOf(index);
    const bool isServer = place.device < 0;
    switch (role) {
    case Qt::DisplayRole:
        return isServer ? serverText(place.server, index.column()) : deviceText(place, index.column());
    case Qt::DecorationRole:
        if (index.column() != FindingColumn)
            return {};
        if (const auto severity = worst(place))
            return m_icons.of(*severity);
        return {};
    case Qt::ToolTipRole:
        return plainToolTip(isServer ? findingWords(*m_table, place) : deviceDescription(*m_table, place));
    case Qt::AccessibleTextRole:
        return isServer ? data(index, Qt::DisplayRole) : deviceDescription(*m_table, place);
    default:
        return {};
    }
}

QVariant TableTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr const char *headings[ColumnCount] = {QT_TR_NOOP("Server, rank"), QT_TR_NOOP("Device"),
                                                          QT_TR_NOOP("Findings"), QT_TR_NOOP("Device IP"),
                                                          QT_TR_NOOP("Super device ID")};
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return tr(headings[section]);
}

QString TableTreeModel::serverText(int server, int column) const
{
    const Server &shown = m_table->server({server, -1});
    switch (column) {
    case NameColumn:
        return shown.serverId.isEmpty() ? tr("(no server_id)") : shown.serverId;
    case DeviceColumn:
        return tr("%n devices", "%n device", int(shown.devices.size()));
    case IpColumn:
        return membershipWords(m_table->table(), server);
    case FindingColumn:
        return findingText({server, -1});
    default:
        return {};
    }
}

QString TableTreeModel::deviceText(DevicePlace place, int column) const
{
    const Device &device = m_table->device(place);
    return QStringList{rankWords(device), deviceWords(device), findingText(place), device.deviceIp,
                       device.superDeviceId}
        .value(column);
}

/// Returns a few words; the list of findings and the tool tip have the sentences.
QString TableTreeModel::findingText(DevicePlace place) const
{
    const std::optional<Severity> all = worst(place);
    if (!all)
        return {};
    if (m_table->worstAt(place) != all)
        return tr("%1 below").arg(severityWord(*all));
    const auto own = int(m_table->places.findingsAt(place).size());
    return own == 1 ? severityWord(*all) : tr("%n findings", "%n finding", own);
}

TableTree::TableTree()
    : m_model(new TableTreeModel(this))
{
    setModel(m_model);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setAccessibleName(tr("Servers and devices"));
    setAnimated(false);
    viewport()->setAttribute(Qt::WA_Hover, false);
    header()->setResizeContentsPrecision(rowsMeasured);
}

void TableTree::setTable(const SharedTable &table)
{
    m_showing = true;
    m_model->setTable(table);
    m_showing = false;
    if (!table)
        return;
    if (table->table().deviceCount() <= mostDevicesExpanded)
        expandAll();
    else
        expand(m_model->index(0, 0));
    hideEmptyColumns(table->table());
    // A long name must not push the findings out of sight.
    const int most = std::max(160, viewport()->width() * 2 / 5);
    for (int column = 0; column < TableTreeModel::ColumnCount; ++column) {
        resizeColumnToContents(column);
        if (columnWidth(column) > most)
            setColumnWidth(column, most);
    }
}

/// Hides columns without content: not every form has addresses or super pods.
void TableTree::hideEmptyColumns(const RankTable &table)
{
    bool hasIps = !table.groups.empty() || !table.superPods.empty();
    bool hasSuperDevices = false;
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices) {
            hasIps = hasIps || !device.deviceIp.isEmpty();
            hasSuperDevices = hasSuperDevices || !device.superDeviceId.isEmpty();
        }
        if (hasIps && hasSuperDevices)
            break;
    }
    setColumnHidden(TableTreeModel::IpColumn, !hasIps);
    setColumnHidden(TableTreeModel::SuperDeviceColumn, !hasSuperDevices);
}

void TableTree::setIcons(const SeverityIcons &icons)
{
    m_model->setIcons(icons);
    viewport()->update();
}

void TableTree::showPlace(DevicePlace place)
{
    const QModelIndex index = m_model->indexOf(place);
    m_showing = true;
    showCurrent(*this, index, currentIndex().siblingAtColumn(index.column()));
    m_showing = false;
}

void TableTree::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTreeView::currentChanged(current, previous);
    if (!m_showing && current.isValid())
        Q_EMIT placeChosen(m_model->placeOf(current));
}

TableText::TableText()
    : m_thread(u"rank table text"_s)
    , m_view(named(new LogView, "tableText"))
{
    m_view->showAsFile();
    m_view->setEmptyText(tr("The file is empty."));
    withoutMargins(new QVBoxLayout(this))->addWidget(m_view);
    setFocusProxy(m_view);
}

TableText::~TableText()
{
    m_view->setSource(nullptr);
}

void TableText::setFile(const QString &path)
{
    m_path = path;
    m_view->clearMark();
    openFile();
}

void TableText::reload()
{
    const qint64 top = m_view->topLine();
    openFile();
    if (!m_view->markedLine())
        m_view->setTopLine(top);
}

/// Uses a new follower each time: one expects that its file only grows.
void TableText::openFile()
{
    m_view->setSource(nullptr);
    m_follower.reset();
    if (m_path.isEmpty())
        return;
    m_follower.reset(new LogFollower(m_path));
    m_thread.adopt(m_follower.get());
    m_view->setSource(m_follower.get());
    QMetaObject::invokeMethod(m_follower.get(), &LogFollower::start);
    // The page watches the file for changes.
    QMetaObject::invokeMethod(m_follower.get(), &LogFollower::finish);
}

void TableText::markLine(int line, int column)
{
    if (line > 0)
        m_view->markLine(line - 1, std::max(0, column - 1));
    else
        m_view->clearMark();
}

} // namespace rankdeck
