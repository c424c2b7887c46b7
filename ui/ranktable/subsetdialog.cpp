#include "ranktable/subsetdialog.h"

#include "ranktable/ranktablesubset.h"
#include "ranktable/ranktablewriter.h"

#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSet>
#include <QVBoxLayout>

namespace rankdeck
{

SubsetDialog::SubsetDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_devices(new QLineEdit)
    , m_servers(new QListWidget)
{
    setObjectName(QStringLiteral("subsetDialog"));
    setWindowTitle(tr("Subset of %1").arg(fileName()));
    m_devices->setObjectName(QStringLiteral("subsetDevices"));
    m_devices->setPlaceholderText(tr("all; or such as 0-3,6"));
    connect(m_devices, &QLineEdit::textChanged, this, &SubsetDialog::edited);
    auto *form = new QFormLayout;
    form->addRow(tr("&Devices of each server"), m_devices);
    auto *serversLabel = new QLabel(tr("Se&rvers"));
    form->addRow(serversLabel, makeServers());
    serversLabel->setBuddy(m_servers);
    inputs()->addLayout(form);
    setFocusOrder({m_devices, m_servers, findChild<QPushButton *>(QStringLiteral("subsetAllButton")),
                   findChild<QPushButton *>(QStringLiteral("subsetNoneButton"))});
}

QWidget *SubsetDialog::makeServers()
{
    m_servers->setObjectName(QStringLiteral("subsetServers"));
    m_servers->setAccessibleName(tr("Servers to keep"));
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
    connect(m_servers, &QListWidget::itemChanged, this, [this] {
        if (!m_filling)
            edited();
    });

    auto *all = new QPushButton(tr("&All"));
    auto *none = new QPushButton(tr("&None"));
    all->setObjectName(QStringLiteral("subsetAllButton"));
    none->setObjectName(QStringLiteral("subsetNoneButton"));
    connect(all, &QPushButton::clicked, this, [this] { checkAll(true); });
    connect(none, &QPushButton::clicked, this, [this] { checkAll(false); });
    auto *buttons = new QVBoxLayout;
    for (QPushButton *button : {all, none}) {
        button->setAutoDefault(false);
        buttons->addWidget(button);
    }
    buttons->addStretch(1);
    auto *box = new QWidget;
    auto *layout = new QHBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_servers, 1);
    layout->addLayout(buttons);
    return box;
}

void SubsetDialog::checkAll(bool checked)
{
    m_filling = true;
    for (int row = 0; row < m_servers->count(); ++row)
        m_servers->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    m_filling = false;
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
            return Error{tr("No server is chosen"), {}, tr("Tick one.")};
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
                            QStringLiteral("%1_%2p.json").arg(QFileInfo(name).completeBaseName()).arg(count),
                            count == 1 ? tr("1 device is left.")
                                       : tr("%n devices are left.", nullptr, count));
    };
}

} // namespace rankdeck
