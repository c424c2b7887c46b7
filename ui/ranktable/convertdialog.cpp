#include "ranktable/convertdialog.h"

#include "ranktable/ranktablewriter.h"
#include "ranktable/valuesmodel.h"
#include "ranktable/valuesview.h"

#include <QComboBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QSet>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// "table.json" to "table_v1.2.json".
QString convertedName(const QString &name, const QString &version)
{
    const QFileInfo info(name);
    return QStringLiteral("%1_v%2.json").arg(info.completeBaseName(), version);
}

} // namespace

ConvertDialog::ConvertDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_target(new QComboBox)
    , m_superPods(new ValuesModel({tr("Server"), tr("Super pod ID")}, this))
    , m_superDevices(new ValuesModel({tr("Server"), tr("Device"), tr("Super device ID")}, this))
{
    setObjectName(QStringLiteral("convertDialog"));
    setWindowTitle(tr("Convert %1").arg(fileName()));
    m_target->setObjectName(QStringLiteral("convertTarget"));
    m_target->addItem(formName(RankTableForm::ServerList));
    m_target->addItem(formName(RankTableForm::SuperPodList));
    auto *form = new QFormLayout;
    auto *from = new QLabel(formName(m_table->table().form));
    from->setTextFormat(Qt::PlainText);
    form->addRow(tr("From"), from);
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
    auto *pods = new ValuesView(m_superPods);
    pods->setObjectName(QStringLiteral("superPodsView"));
    pods->setAccessibleName(tr("Super pod of each server"));
    auto *devices = new ValuesView(m_superDevices);
    devices->setObjectName(QStringLiteral("superDevicesView"));
    devices->setAccessibleName(tr("Super device ID of each device"));
    m_superPodsView = pods;
    m_superDevicesView = devices;
    auto *hint =
        new QLabel(tr("Version 1.2 needs the super pod of each server and the super device ID (SDID) of "
                      "each device. A copied column is pasted into as many rows."));
    hint->setTextFormat(Qt::PlainText);
    hint->setWordWrap(true);

    auto *box = new QWidget;
    auto *layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(hint);
    auto *views = new QHBoxLayout;
    views->addWidget(pods, 2);
    views->addWidget(devices, 3);
    layout->addLayout(views);
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
        // Of template 2, several instances may stand on one server.
        if (!known.contains(server.serverId))
            pods.push_back({{server.serverId}, QStringLiteral("0")});
        known.insert(server.serverId);
        for (const Device &device : server.devices)
            devices.push_back(
                {{server.serverId, QString::number(device.deviceId.value)}, device.superDeviceId});
    }
    m_superPods->setRows(std::move(pods));
    m_superDevices->setRows(std::move(devices));
}

bool ConvertDialog::isToSuperPods() const
{
    return m_target->currentIndex() == 1;
}

SuperPodIds ConvertDialog::superPodIds() const
{
    SuperPodIds ids;
    for (const ValuesModel::Row &row : m_superPods->rows()) {
        if (row.value.isEmpty())
            continue;
        const auto pod = std::find_if(ids.superPods.begin(), ids.superPods.end(),
                                      [&row](const auto &known) { return known.first == row.value; });
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
        return makeProposal(toJson(table->table()), name, *made,
                            convertedName(name, toSuperPods ? QStringLiteral("1.2") : QStringLiteral("1.0")));
    };
}

} // namespace rankdeck
