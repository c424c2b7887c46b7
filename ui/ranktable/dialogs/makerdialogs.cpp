#include "ranktable/dialogs/makerdialogs.h"

#include "base/widespaces.h"
#include "ranktable/changes/ranktablegeneration.h"
#include "ranktable/changes/ranktablemerge.h"
#include "ranktable/reading/ranktablereader.h"
#include "ranktable/table/ranktablewriter.h"
#include "ranktable/views/valuesview.h"

#include <QFormLayout>
#include <QListWidget>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

static QString orderRemark(const MergedTable &merged)
{
    const QString used = merged.order == MergeOrder::ServerId
                             ? MergeDialog::tr("Ranks are numbered by server_id.")
                             : MergeDialog::tr("Ranks are numbered in the order of the list.");
    const QString other =
        merged.ordersDiffer
            ? MergeDialog::tr(
                  "Rank numbers depend on this order: every program of the job must use the same table.")
            : MergeDialog::tr("Both orders give the same numbers.");
    return used + ' '_L1 + other;
}

ConvertDialog::ConvertDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_target(named(new QComboBox, "convertTarget"))
    , m_superPods(new ValuesModel({tr("Server"), tr("Super pod ID")}, this))
    , m_superDevices(new ValuesModel({tr("Server"), tr("Device"), tr("Super device ID")}, this))
{
    setObjectName(u"convertDialog"_s);
    setWindowTitle(tr("Convert %1").arg(fileName()));
    m_target->addItem(formName(RankTableForm::ServerList));
    m_target->addItem(formName(RankTableForm::SuperPodList));
    auto *form = new QFormLayout;
    form->addRow(tr("From"), lineLabel("", formName(m_table->table().form)));
    form->addRow(tr("&To"), m_target);
    inputs()->addLayout(form);
    QWidget *ids = makeSuperPodInputs();
    inputs()->addWidget(ids);
    fillSuperPods();

    m_target->setCurrentIndex(m_table->table().form == RankTableForm::ServerList ? 1 : 0);
    ids->setVisible(isToSuperPods());
    connect(m_target, &QComboBox::currentIndexChanged, this, [this, ids] {
        ids->setVisible(isToSuperPods());
        edited();
    });
    for (ValuesModel *model : {m_superPods, m_superDevices})
        connect(model, &QAbstractItemModel::dataChanged, this, &ConvertDialog::edited);
    setFocusOrder({m_target, m_superPodsView, m_superDevicesView});
}

QWidget *ConvertDialog::makeSuperPodInputs()
{
    m_superPodsView = named(new ValuesView(m_superPods), "superPodsView", tr("Super pod of each server"));
    m_superDevicesView =
        named(new ValuesView(m_superDevices), "superDevicesView", tr("Super device ID of each device"));

    auto *box = new QWidget;
    auto *layout = withoutMargins(new QVBoxLayout(box));
    layout->addWidget(
        plainLabel("superPodHint", tr("Version 1.2 needs the super pod of each server and the super device "
                                      "ID (SDID) of each device. You can paste a whole column.")));
    layout->addLayout(rowOf({{m_superPodsView, 2}, {m_superDevicesView, 3}}));
    constexpr int rowsShown = 6;
    box->setFixedHeight(fontMetrics().height() * (rowsShown + 4) + 60);
    return box;
}

void ConvertDialog::fillSuperPods()
{
    std::vector<ValuesModel::Row> pods;
    std::vector<ValuesModel::Row> devices;
    QSet<QString> known;
    for (const Server &server : m_table->table().servers) {
        // In template 2, one server may have several instances.
        if (!known.contains(server.serverId))
            pods.push_back({{server.serverId}, u"0"_s});
        known.insert(server.serverId);
        for (const Device &device : server.devices)
            devices.push_back(
                {{server.serverId, QString::number(device.deviceId.value)}, device.superDeviceId});
    }
    m_superPods->setRows(std::move(pods));
    m_superDevices->setRows(std::move(devices));
}

SuperPodIds ConvertDialog::superPodIds() const
{
    SuperPodIds ids;
    for (const ValuesModel::Row &row : m_superPods->rows()) {
        if (row.value.isEmpty())
            continue;
        const auto pod =
            std::ranges::find(ids.superPods, row.value, [](const auto &known) { return known.first; });
        if (pod == ids.superPods.end())
            ids.superPods.push_back({row.value, {row.labels.at(0)}});
        else
            pod->second.push_back(row.labels.at(0));
    }
    for (const ValuesModel::Row &row : m_superDevices->rows()) {
        if (!row.value.isEmpty())
            ids.superDeviceIds.insert({row.labels.at(0), row.labels.at(1).toInt()}, row.value);
    }
    return ids;
}

TableDialog::Maker ConvertDialog::maker() const
{
    const bool toSuperPods = isToSuperPods();
    return [table = m_table, name = fileName(), toSuperPods,
            ids = toSuperPods ? superPodIds() : SuperPodIds()](const auto &) -> Result<Proposal> {
        const Result<RankTable> made =
            toSuperPods ? convertToSuperPodList(table->table(), ids) : convertToServerList(table->table());
        if (!made)
            return made.error();
        const QString suffix = toSuperPods ? u"_v1.2.json"_s : u"_v1.0.json"_s;
        return makeProposal(toJson(table->table()), name, *made, QFileInfo(name).completeBaseName() + suffix);
    };
}

GenerateDialog::GenerateDialog(const QString &path, QWidget *parent)
    : TableDialog(path, parent)
    , m_devices(named(new QLineEdit(u"0-7"_s), "generateDevices"))
    , m_server(named(new QLineEdit, "generateServer"))
    , m_ips(named(new QLineEdit, "generateIps"))
    , m_hostNic(named(new QCheckBox(tr("Add &host_nic_ip, as hccl_tools.py does")), "generateHostNic"))
{
    setObjectName(u"generateDialog"_s);
    setWindowTitle(tr("Generate a rank table"));
    m_devices->setPlaceholderText(tr("e.g. 0-7 or 0,2,4"));
    m_server->setPlaceholderText(tr("this host's address"));
    m_ips->setPlaceholderText(tr("from hccn_tool or /etc/hccn.conf; or one for each device"));
    auto *form = new QFormLayout;
    form->addRow(tr("&Devices"), m_devices);
    form->addRow(tr("Server &ID"), m_server);
    form->addRow(tr("Device I&Ps"), m_ips);
    form->addRow(QString(), m_hostNic);
    inputs()->addLayout(form);
    setFocusOrder({m_devices, m_server, m_ips, m_hostNic});
    for (QLineEdit *edit : {m_devices, m_server, m_ips})
        connect(edit, &QLineEdit::textChanged, this, &GenerateDialog::edited);
    connect(m_hostNic, &QCheckBox::toggled, this, &GenerateDialog::edited);
}

TableDialog::Maker GenerateDialog::maker() const
{
    static const QRegularExpression separators(u"[\\s,;]+"_s);
    GenerateRequest request;
    request.serverId = m_server->text().trimmed();
    request.deviceIps = m_ips->text().split(separators, Qt::SkipEmptyParts);
    request.withHostNicIp = m_hostNic->isChecked();
    return [request, devices = m_devices->text()](const auto &isCancelled) mutable -> Result<Proposal> {
        const Result<std::vector<DeviceId>> parsed = parseDeviceList(devices);
        if (!parsed)
            return parsed.error();
        request.devices = *parsed;
        const Result<GeneratedTable> made = generateRankTableOfHost(request, {}, isCancelled);
        if (!made)
            return made.error();
        return makeProposal({}, u"/dev/null"_s, made->table, made->fileName, joinedBySpaces(made->lookedFor));
    };
}

MergeDialog::MergeDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_list(named(new QListWidget, "mergeList", tr("Rank tables to merge")))
    , m_add(plainButton(tr("&Add…"), "mergeAddButton"))
    , m_up(plainButton(tr("&Up"), "mergeUpButton"))
    , m_down(plainButton(tr("&Down"), "mergeDownButton"))
    , m_remove(plainButton(tr("&Remove"), "mergeRemoveButton"))
    , m_byServer(named(new QRadioButton(tr("by server_&id")), "mergeByServer"))
    , m_asGiven(named(new QRadioButton(tr("in the order of the &list")), "mergeAsGiven"))
{
    setObjectName(u"mergeDialog"_s);
    setWindowTitle(tr("Merge %1 with others").arg(fileName()));
    m_list->setFixedHeight(fontMetrics().height() * 8);
    m_list->setTextElideMode(Qt::ElideMiddle);
    connect(m_list, &QListWidget::currentRowChanged, this, &MergeDialog::enableButtons);

    inputs()->addLayout(rowOf({{m_list, 1}, makeFileButtons()}));
    inputs()->addLayout(makeOrder());
    setFocusOrder({m_add, m_list, m_remove, m_up, m_down, m_byServer, m_asGiven});
    addFiles({path});
}

QLayout *MergeDialog::makeFileButtons()
{
    connect(m_add, &QPushButton::clicked, this, &MergeDialog::browse);
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        delete m_list->takeItem(m_list->currentRow());
        enableButtons();
        edited();
    });
    auto *layout = new QVBoxLayout;
    for (QPushButton *button : {m_add, m_remove, m_up, m_down})
        layout->addWidget(button);
    layout->addStretch(1);
    return layout;
}

QLayout *MergeDialog::makeOrder()
{
    m_byServer->setChecked(true);
    connect(m_byServer, &QRadioButton::toggled, this, &MergeDialog::edited);
    return rowOf({new QLabel(tr("Number the ranks")), m_byServer, m_asGiven, Stretch{1}});
}

void MergeDialog::addFiles(const QStringList &files)
{
    m_list->addItems(files);
    enableButtons();
    edited();
}

QStringList MergeDialog::files() const
{
    QStringList files;
    for (int row = 0; row < m_list->count(); ++row)
        files += m_list->item(row)->text();
    return files;
}

void MergeDialog::browse()
{
    auto *dialog = named(openFileDialog(this, tr("Choose rank tables to merge"),
                                        {tr("Rank tables (*.json)"), tr("All files (*)")}),
                         "mergeAddDialog");
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setDirectory(QFileInfo(path()).path());
    connect(dialog, &QFileDialog::filesSelected, this, &MergeDialog::addFiles);
    dialog->open();
}

void MergeDialog::move(int by)
{
    const int row = m_list->currentRow();
    if (row < 0 || row + by < 0 || row + by >= m_list->count())
        return;
    m_list->insertItem(row + by, m_list->takeItem(row));
    m_list->setCurrentRow(row + by);
    edited();
}

void MergeDialog::enableButtons()
{
    const int row = m_list->currentRow();
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
}

TableDialog::Maker MergeDialog::maker() const
{
    const MergeOrder order = m_byServer->isChecked() ? MergeOrder::ServerId : MergeOrder::AsGiven;
    return [table = m_table, name = fileName(), files = files(),
            order](const auto &isCancelled) -> Result<Proposal> {
        if (files.size() < 2)
            return Error{tr("A merge needs two rank tables or more"), {}, tr("Add another.")};
        std::vector<RankTable> tables;
        for (const QString &file : files) {
            if (isCancelled())
                return Error{};
            const Result<RankTable> read = readRankTable(file);
            if (!read)
                return read.error();
            tables.push_back(*read);
        }
        const Result<MergedTable> merged = mergeRankTables(tables, files, order);
        if (!merged)
            return merged.error();
        return makeProposal(toJson(table->table()), name, merged->table, mergedFileName(merged->table),
                            orderRemark(*merged));
    };
}

SubsetDialog::SubsetDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_devices(named(new QLineEdit, "subsetDevices"))
    , m_servers(named(new QListWidget, "subsetServers", tr("Servers to keep")))
{
    setObjectName(u"subsetDialog"_s);
    setWindowTitle(tr("Subset of %1").arg(fileName()));
    m_devices->setPlaceholderText(tr("all, or e.g. 0-3,6"));
    connect(m_devices, &QLineEdit::textChanged, this, &SubsetDialog::edited);
    auto *form = new QFormLayout;
    form->addRow(tr("&Devices of each server"), m_devices);
    form->addRow(labelOf(m_servers, tr("Se&rvers")), makeServers());
    inputs()->addLayout(form);
    setFocusOrder({m_devices, m_servers, findChild<QPushButton *>(u"subsetAllButton"_s),
                   findChild<QPushButton *>(u"subsetNoneButton"_s)});
}

QWidget *SubsetDialog::makeServers()
{
    m_servers->setUniformItemSizes(true);
    m_servers->setFixedHeight(fontMetrics().height() * 7);
    QSet<QString> known;
    for (const Server &server : m_table->table().servers) {
        if (known.contains(server.serverId))
            continue;
        known.insert(server.serverId);
        auto *item = new QListWidgetItem(server.serverId, m_servers);
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
    connect(m_servers, &QListWidget::itemChanged, this, &SubsetDialog::edited);

    auto *all = plainButton(tr("&All"), "subsetAllButton");
    auto *none = plainButton(tr("&None"), "subsetNoneButton");
    connect(all, &QPushButton::clicked, this, [this] { checkAll(true); });
    connect(none, &QPushButton::clicked, this, [this] { checkAll(false); });
    auto *buttons = new QVBoxLayout;
    addParts(buttons, {all, none, Stretch{1}});
    auto *box = new QWidget;
    addParts(withoutMargins(new QHBoxLayout(box)), {{m_servers, 1}, buttons});
    return box;
}

void SubsetDialog::checkAll(bool checked)
{
    const QSignalBlocker blocker(m_servers); // One edit, not one for each server.
    for (int row = 0; row < m_servers->count(); ++row)
        m_servers->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    edited();
}

QStringList SubsetDialog::chosenServers() const
{
    QStringList servers;
    for (int row = 0; row < m_servers->count(); ++row) {
        if (m_servers->item(row)->checkState() == Qt::Checked)
            servers += m_servers->item(row)->text();
    }
    return servers;
}

TableDialog::Maker SubsetDialog::maker() const
{
    const QStringList servers = chosenServers();
    const bool isAll = servers.size() == m_servers->count();
    return [table = m_table, name = fileName(), text = m_devices->text().trimmed(), servers,
            isAll](const auto &) -> Result<Proposal> {
        if (servers.isEmpty() && !isAll)
            return Error{tr("No server is selected"), {}, tr("Tick one.")};
        std::vector<DeviceId> devices;
        if (!text.isEmpty()) {
            const Result<std::vector<DeviceId>> parsed = parseDeviceList(text);
            if (!parsed)
                return parsed.error();
            devices = *parsed;
        }
        const Result<RankTable> made =
            subsetOfRankTable(table->table(), devices, isAll ? QStringList() : servers);
        if (!made)
            return made.error();
        const int count = made->deviceCount();
        return makeProposal(toJson(table->table()), name, *made,
                            u"%1_%2p.json"_s.arg(QFileInfo(name).completeBaseName()).arg(count),
                            tr("%n devices are left.", "%n device is left.", count));
    };
}

} // namespace rankdeck
