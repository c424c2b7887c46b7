#include "devicegrid/grid/devicepanel.h"

#include "devicegrid/grid/devicegrid.h"
#include "devicegrid/grid/gridlegend.h"
#include "widgets/labels.h"

namespace rankdeck
{

constexpr int waitMs = 300; ///< Delay after a key, because the user may still be typing.
// A wider line edit sends more pixels with each repaint.
constexpr int editWidth = 260;

OrderLine::OrderLine(QWidget *parent)
    : QWidget(parent)
    , m_by(named(new QComboBox(this), "rankOrder", tr("Sort ranks by")))
    , m_descending(named(new QCheckBox(tr("&Descending"), this), "rankOrderDescending"))
    , m_edit(named(new QLineEdit(this), "rankFilter", tr("Filter ranks")))
    , m_result(resultLabel("rankFilterResult"))
    , m_problem(new NoteLabel(QStringLiteral("rankFilterProblem"), this))
{
    // In the order of RankValue.
    m_by->addItems({tr("rank"), tr("state"), tr("AICore"), tr("HBM"), tr("temperature"), tr("power"),
                    tr("health"), tr("clock"), tr("other processes"), tr("CPU"), tr("memory"), tr("read"),
                    tr("written")});
    m_edit->setMaximumWidth(editWidth);
    m_edit->setClearButtonEnabled(true);
    m_edit->setPlaceholderText(tr("Filter ranks, e.g. ai<10"));
    m_edit->setToolTip(
        tr("Shows ranks that match all of these words and conditions: ai<10 hbm>90% hbm>50GB temp>=80 "
           "power>300 clock<1500 health!=ok foreign throttled alarm cpu>800 mem>10GB read>5MB written>5MB "
           "rank<8 state=failed. Quote text to search for it literally."));
    auto *const close =
        named(flatButton(this, tr("Close"), tr("Clear filter and sorting (Esc)")), "rankFilterClose");
    close->setFocusPolicy(Qt::TabFocus);

    auto *const row = new QHBoxLayout;
    row->setSpacing(6);
    addWidgets(row, {labelOf(m_by, tr("S&ort:")), m_by, m_descending});
    row->addWidget(m_edit, 3);
    row->addWidget(m_result, 2);
    row->addWidget(close);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(m_problem);
    m_problem->hide();

    m_soon.setSingleShot(true);
    m_soon.setInterval(waitMs);
    connect(&m_soon, &QTimer::timeout, this, &OrderLine::reportFilter);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_edit, &QLineEdit::returnPressed, this, &OrderLine::reportFilter);
    connect(m_by, &QComboBox::currentIndexChanged, this, &OrderLine::reportOrder);
    connect(m_descending, &QCheckBox::toggled, this, &OrderLine::reportOrder);
    connect(close, &QToolButton::clicked, this, &OrderLine::closed);
}

void OrderLine::focusFilter()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void OrderLine::clear()
{
    m_by->setCurrentIndex(0);
    m_descending->setChecked(false);
    m_edit->clear();
    reportFilter();
}

void OrderLine::setOrder(const RankOrder &order)
{
    m_by->setCurrentIndex(int(order.by));
    m_descending->setChecked(order.isDescending);
}

void OrderLine::reportFilter()
{
    m_soon.stop();
    const auto filter = SampleFilter::from(m_edit->text());
    const QString problem = filter ? QString() : filter.error().sentence();
    m_problem->setProblem(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_edit->setAccessibleDescription(problem);
    if (filter)
        Q_EMIT filterChanged(*filter);
}

void OrderLine::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else
        QWidget::keyPressEvent(event);
}

DevicePanel::DevicePanel(QWidget *parent)
    : QWidget(parent)
    , m_order(new OrderLine(this))
    , m_legend(new GridLegend(this))
    , m_grid(new DeviceGrid(this))
{
    setManualPage(this, "window.md");
    setObjectName(QStringLiteral("devicePanel"));
    m_order->hide();
    m_legend->hide();
    auto *const layout = withoutMargins(new QVBoxLayout(this));
    layout->setSpacing(0);
    layout->addWidget(m_order);
    layout->addWidget(m_grid, 1);
    layout->addWidget(m_legend);
    connect(m_grid, &DeviceGrid::looksChanged, this, &DevicePanel::updateLegend);
    connect(m_order, &OrderLine::orderChanged, this, [this](const RankOrder &order) {
        Q_EMIT troubleFirstChanged(order == RankOrder{RankValue::State, false});
    });
    connect(m_order, &OrderLine::orderChanged, m_grid, &DeviceGrid::setCellOrder);
    connect(m_order, &OrderLine::filterChanged, m_grid, &DeviceGrid::setFilter);
    connect(m_order, &OrderLine::closed, this, [this] {
        m_order->hide();
        m_order->clear();
        m_grid->setFocus(Qt::OtherFocusReason);
    });
    connect(m_grid, &DeviceGrid::laidOut, this, [this] {
        m_order->setResult(tr("%1 of %2 shown").arg(m_grid->shownCount()).arg(m_grid->cellCount()));
        Q_EMIT laidOut();
    });
}

void DevicePanel::updateLegend()
{
    const bool isShown = tileSize(m_grid->density()) > 0 && m_grid->cellCount() > 0;
    if (isShown)
        m_legend->setScale(m_grid->tileScale(), m_grid->tileKinds());
    m_legend->setVisible(isShown);
}

void DevicePanel::setTroubleFirst(bool isFirst)
{
    m_order->setOrder({isFirst ? RankValue::State : RankValue::Place, false});
}

QList<CanvasWidget *> DevicePanel::canvases() const
{
    return {m_grid, m_legend};
}

void DevicePanel::openOrder()
{
    m_order->show();
    m_order->focusFilter();
    Q_EMIT laidOut();
}

} // namespace rankdeck
