#include "ranktable/page/ranktablepage.h"

#include "logview/view/logview.h"
#include "ranktable/dialogs/makerdialogs.h"
#include "ranktable/findings/findingslist.h"
#include "ranktable/page/ranktableheader.h"
#include "ranktable/views/tableviews.h"
#include "widgets/chipchoice.h"

#include <QDataStream>
#include <QLocale>
#include <QStackedWidget>
#include <QStyle>
#include <QTabWidget>

namespace rankdeck
{

TableMessage::TableMessage()
    : m_title(plainLabel("tableMessageTitle"))
    , m_text(plainLabel("tableMessageText"))
{
    for (QLabel *label : {m_title, m_text})
        label->setAlignment(Qt::AlignCenter);
    makeBold(m_title, 1.4);
    auto *open = named(new QPushButton(tr("Open rank table…")), "openTableButton");
    connect(open, &QPushButton::clicked, this, &TableMessage::openRequested);

    addParts(new QVBoxLayout(this),
             {Stretch{2}, m_title, Gap{6}, m_text, Gap{14}, {open, 0, Qt::AlignHCenter}, Stretch{3}});
}

void TableMessage::setMessage(const QString &title, const QString &text)
{
    m_title->setText(title);
    m_text->setText(text);
}

RankTablePage::RankTablePage()
    : m_header(new RankTableHeader)
    , m_stack(new QStackedWidget)
    , m_message(new TableMessage)
    , m_tabs(named(new QTabWidget, "tableTabs"))
    , m_tree(named(new TableTree, "tableTree"))
    , m_grid(named(new TableGrid, "tableGrid"))
    , m_text(new TableText)
    , m_findings(new FindingsList)
    , m_watch(new RankTableWatch(this))
{
    setManualPage(this, "ranktables.md");
    setObjectName(u"rankTablePage"_s);
    m_stack->addWidget(m_message);
    m_stack->addWidget(makeBody());
    addParts(withoutMargins(new QVBoxLayout(this), 0), {m_header, {m_stack, 1}});
    connectViews();
    orderFocus();
    adaptToPalette(this, [this] { makeIcons(); });
    closeTable();
}

QWidget *RankTablePage::makeBody()
{
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_tree, tr("&Tree"));
    m_tabs->addTab(m_grid, tr("Gr&id"));

    m_columns = splitterOf(Qt::Horizontal, {m_tabs, m_text}, {1, 1});
    m_columns->setSizes({480, 460});
    m_rows = splitterOf(Qt::Vertical, {m_columns, m_findings}, {1, 0});
    m_rows->setSizes({400, 300});
    auto *body = new QWidget;
    auto *layout = new QVBoxLayout(body);
    layout->setContentsMargins(10, 0, 10, 8);
    layout->addWidget(m_rows);
    return body;
}

void RankTablePage::connectViews()
{
    connect(m_header, &RankTableHeader::launchRequested, this, [this] { Q_EMIT launchRequested(m_path); });
    connect(m_header, &RankTableHeader::convertRequested, this, &RankTablePage::convert);
    connect(m_header, &RankTableHeader::mergeRequested, this, &RankTablePage::merge);
    connect(m_header, &RankTableHeader::subsetRequested, this, &RankTablePage::subset);
    connect(m_header, &RankTableHeader::generateRequested, this, &RankTablePage::generate);
    connect(m_header, &RankTableHeader::closeRequested, this, &RankTablePage::closeRequested);
    connect(m_header, &RankTableHeader::severityRequested, m_findings, &FindingsList::chooseNext);
    connect(m_header->chip(), &ChipChoice::chosen, this, [this](Chip chip) { m_watch->watch(m_path, chip); });
    connect(m_message, &TableMessage::openRequested, this, &RankTablePage::askForFile);
    connect(m_watch, &RankTableWatch::reading, this, &RankTablePage::onReading);
    connect(m_watch, &RankTableWatch::looked, this, &RankTablePage::onLooked);
    connect(m_findings, &FindingsList::findingChosen, this, &RankTablePage::showFinding);
    connect(m_tree, &TableTree::placeChosen, this, &RankTablePage::showPlace);
    connect(m_grid, &TableGrid::placeChosen, this, &RankTablePage::showPlace);
}

void RankTablePage::orderFocus()
{
    QWidget *text = m_text;
    while (text->focusProxy())
        text = text->focusProxy();
    chainTabOrder(m_header->focusOrder() + QList<QWidget *>{m_tabs->tabBar(), m_tree, m_grid, text,
                                                            m_findings->list(), m_findings->detail()});
}

void RankTablePage::makeIcons()
{
    const SeverityIcons icons(palette(), style()->pixelMetric(QStyle::PM_SmallIconSize), devicePixelRatioF());
    m_tree->setIcons(icons);
    m_grid->setIcons(icons);
    m_findings->setIcons(icons);
}

void RankTablePage::openTable(const QString &path)
{
    m_path = QFileInfo(path).absoluteFilePath();
    showTable({});
    m_header->setPath(m_path);
    m_text->setFile({});
    onReading(0);
    m_stack->setCurrentWidget(m_message);
    m_watch->watch(m_path, m_header->chip()->chip());
    m_text->view()->setTitle(QFileInfo(m_path).fileName());
    Q_EMIT opened(m_path);
}

void RankTablePage::closeTable()
{
    m_path.clear();
    m_watch->watch({}, Chip::Unknown);
    showTable({});
    m_header->setPath({});
    m_text->setFile({});
    m_message->setMessage(tr("No rank table is open"),
                          tr("Open one, drop its file on the window, or generate one for this host."));
    m_stack->setCurrentWidget(m_message);
}

QByteArray RankTablePage::saveDivision() const
{
    QByteArray saved;
    QDataStream stream(&saved, QIODevice::WriteOnly);
    stream << m_columns->saveState() << (m_rowsDivision.isEmpty() ? m_rows->saveState() : m_rowsDivision);
    return saved;
}

void RankTablePage::restoreDivision(const QByteArray &saved)
{
    QByteArray columns;
    QByteArray rows;
    QDataStream stream(saved);
    stream >> columns >> rows;
    m_columns->restoreState(columns);
    m_rows->restoreState(rows);
    m_rowsDivision.clear();
    divideRows();
}

void RankTablePage::askForFile()
{
    auto *dialog = named(
        openFileDialog(this, tr("Open a rank table"), {tr("Rank tables (*.json)"), tr("All files (*)")}),
        "openTableDialog");
    if (!m_path.isEmpty())
        dialog->setDirectory(QFileInfo(m_path).path());
    connect(dialog, &QFileDialog::fileSelected, this, &RankTablePage::openTable);
    dialog->open();
}

void RankTablePage::onReading(qint64 bytes)
{
    m_header->setReading(bytes);
    if (m_table)
        return;
    m_message->setMessage(tr("Reading…"),
                          bytes > 0 ? tr("%1, %2").arg(m_path, QLocale().formattedDataSize(bytes)) : m_path);
}

void RankTablePage::onLooked(const RankTableLook &look)
{
    m_header->setLook(look);
    if (!look.report) {
        // The advice of the error is for the command line.
        const Error shown{look.error->what, look.error->where,
                          tr("Rankdeck shows it as soon as it can be read.")};
        showTable({});
        m_text->setFile({});
        m_message->setMessage(tr("The rank table cannot be read"), shown.sentence());
        m_stack->setCurrentWidget(m_message);
        return;
    }
    const bool isFirst = !m_table;
    const DevicePlace place = m_place;
    showTable(std::make_shared<const CheckedTable>(CheckedTable{look.report, FindingPlaces(*look.report)}));
    if (isFirst)
        m_text->setFile(m_path);
    else
        m_text->reload();
    if (place.isValid() && place.server < int(m_table->table().servers.size()) &&
        place.device < int(m_table->server(place).devices.size()))
        showPlace(place);
    m_stack->setCurrentIndex(1);
}

void RankTablePage::showTable(const SharedTable &table)
{
    const auto before = std::exchange(m_table, table);
    m_place = {};
    m_tree->setTable(table);
    m_grid->setTable(table);
    m_findings->setTable(table);
    divideRows();
    if (before)
        m_text->markLine(0);
}

/// Gives the room of the list to the table while there are no findings.
void RankTablePage::divideRows()
{
    const bool isClean = !m_table || m_table->report->findings.empty();
    if (isClean && m_rowsDivision.isEmpty()) {
        m_rowsDivision = m_rows->saveState();
        m_rows->setSizes({QWIDGETSIZE_MAX, 1});
    } else if (!isClean && !m_rowsDivision.isEmpty()) {
        m_rows->restoreState(std::exchange(m_rowsDivision, {}));
    }
}

void RankTablePage::showFinding(int index)
{
    const Finding &finding = m_table->finding(index);
    m_text->markLine(finding.line, finding.column);
    selectPlace(m_table->places.placeOf(index));
}

void RankTablePage::showPlace(DevicePlace place)
{
    m_text->markLine(m_table->lineOf(place));
    selectPlace(place);
    const QList<int> own = m_table->places.findingsAt(place);
    m_findings->showFinding(own.isEmpty() ? -1 : own.constFirst());
}

void RankTablePage::selectPlace(DevicePlace place)
{
    m_place = place;
    m_tree->showPlace(place);
    m_grid->showPlace(place);
}

void RankTablePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_watch->setPaused(false);
}

void RankTablePage::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_watch->setPaused(true);
}

void RankTablePage::convert()
{
    if (m_table)
        showDialog(new ConvertDialog(m_path, m_table, this));
}

void RankTablePage::merge()
{
    if (m_table)
        showDialog(new MergeDialog(m_path, m_table, this));
}

void RankTablePage::subset()
{
    if (m_table)
        showDialog(new SubsetDialog(m_path, m_table, this));
}

void RankTablePage::generate()
{
    showDialog(new GenerateDialog(m_path, this));
}

void RankTablePage::showDialog(TableDialog *dialog)
{
    connect(dialog, &TableDialog::saved, this, &RankTablePage::openTable);
    dialog->open();
}

} // namespace rankdeck
