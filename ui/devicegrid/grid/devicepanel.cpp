#include "devicegrid/grid/devicepanel.h"

#include "base/listcomma.h"
#include "devicegrid/grid/devicegrid.h"
#include "widgets/labels.h"
#include "widgets/statelook.h"

namespace rankdeck
{

constexpr int margin = 8; // pixels
constexpr int tileSide = 14;

static RankTile sample(Tone tone, TileSign sign, int step = RankTile::ofState)
{
    return {.isOurs = true, .tone = tone, .sign = sign, .step = step};
}

GridLegend::GridLegend(QWidget *parent)
    : CanvasWidget(parent)
{
    setObjectName(u"gridLegend"_s);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setScale({});
}

void GridLegend::setScale(const TileScale &scale, const TileKinds &kinds)
{
    if (scale == m_scale && kinds == m_kinds && !accessibleName().isEmpty())
        return;
    m_scale = scale;
    m_kinds = kinds;
    QStringList all = QStringList{scale.name, scale.fromText} + words();
    all.removeAll(QString());
    setAccessibleName(tr("Colours of the ranks: %1").arg(all.join(listComma())));
    scheduleEverything();
}

QSize GridLegend::sizeHint() const
{
    return {0, std::max(tileSide, canvas().cellSize().height()) + 4};
}

QList<GridLegend::Entry> GridLegend::entries() const
{
    QList<Entry> entries;
    if (m_scale.name.isEmpty()) {
        entries << Entry{{sample(Tone::Active, TileSign::None)}, shownWord(RankPhase::Running)}
                << Entry{{sample(Tone::Idle, TileSign::None)}, shownWord(RankPhase::Waiting)}
                << Entry{{sample(Tone::Good, TileSign::Succeeded)}, shownWord(RankPhase::Exited)}
                << Entry{{sample(Tone::Ended, TileSign::None)}, shownWord(RankPhase::Unknown)};
    } else {
        Entry scale{{}, m_scale.toText};
        for (int step = 0; step < RankTile::steps; ++step)
            scale.tiles << sample(Tone::Active, TileSign::None, step);
        entries << scale << Entry{{sample(Tone::Active, TileSign::None, RankTile::unknown)}, tr("unknown")};
    }
    const auto withSign = [this](Tone tone, TileSign sign) {
        return QList{sample(tone, sign, m_scale.name.isEmpty() ? RankTile::ofState : RankTile::unknown)};
    };
    entries << Entry{withSign(Tone::Bad, TileSign::Failed), shownWord(RankPhase::Failed)}
            << Entry{withSign(Tone::Caution, TileSign::Stalled), tr("stalled")}
            << Entry{withSign(Tone::Caution, TileSign::Held), tr("paused or waiting")}
            << Entry{withSign(Tone::Ended, TileSign::Stopped), shownWord(RankPhase::Stopped)}
            << Entry{withSign(Tone::Caution, TileSign::Lost), shownWord(RankPhase::Ended)};
    entries.removeIf([this](const Entry &entry) {
        const RankTile &tile = entry.tiles.constFirst();
        const bool isOfScale = !m_scale.name.isEmpty() && tile.sign == TileSign::None;
        return !m_kinds.isEmpty() && !isOfScale && !m_kinds.has(tile);
    });
    return entries;
}

void GridLegend::drawCanvas(Canvas &canvas, bool everything)
{
    if (!everything)
        return;
    const QColor base = palette().color(QPalette::Base);
    const QRect whole(QPoint(), canvas.size());
    canvas.fill(whole, base);
    const QSize cell = canvas.cellSize();
    const TextStyle style{palette().color(QPalette::Text), {}};
    int left = margin;
    const auto write = [&](const QString &text) {
        canvas.text({left, (whole.height() - cell.height()) / 2}, text, style, whole);
        left += (cellWidth(text) + 1) * cell.width();
    };
    if (!m_scale.name.isEmpty())
        write(tr("%1: %2", "value: least").arg(m_scale.name, m_scale.fromText));
    for (const Entry &entry : entries()) {
        for (const RankTile &tile : entry.tiles) {
            drawTile(canvas, palette(), {left, (whole.height() - tileSide) / 2, tileSide, tileSide}, tile);
            left += tileSide;
        }
        left += cell.width() / 2;
        write(entry.text);
        left += cell.width();
    }
}

// A wider line edit sends more pixels with each repaint.
constexpr int editWidth = 260;

OrderLine::OrderLine(QWidget *parent)
    : QWidget(parent)
    , m_by(named(new QComboBox(this), "rankOrder", tr("Sort ranks by")))
    , m_descending(named(new QCheckBox(tr("&Descending"), this), "rankOrderDescending"))
    , m_edit(named(new QLineEdit(this), "rankFilter", tr("Filter ranks")))
    , m_result(resultLabel("rankFilterResult"))
    , m_problem(new NoteLabel(u"rankFilterProblem"_s, this))
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
    addParts(row, {labelOf(m_by, tr("S&ort:")), m_by, m_descending, {m_edit, 3}, {m_result, 2}, close});
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(2);
    addParts(layout, {row, m_problem});
    m_problem->hide();

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
    setObjectName(u"devicePanel"_s);
    m_order->hide();
    m_legend->hide();
    addParts(withoutMargins(new QVBoxLayout(this), 0), {m_order, {m_grid, 1}, m_legend});
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
