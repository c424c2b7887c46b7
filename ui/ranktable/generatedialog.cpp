#include "ranktable/generatedialog.h"

#include "ranktable/ranktablegeneration.h"
#include "ranktable/ranktablesubset.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace rankdeck
{

GenerateDialog::GenerateDialog(const QString &path, QWidget *parent)
    : TableDialog(path, parent)
    , m_devices(new QLineEdit(QStringLiteral("0-7")))
    , m_server(new QLineEdit)
    , m_ips(new QLineEdit)
    , m_hostNic(new QCheckBox(tr("Add &host_nic_ip, as hccl_tools.py does")))
{
    setObjectName(QStringLiteral("generateDialog"));
    setWindowTitle(tr("Generate a rank table"));
    m_devices->setObjectName(QStringLiteral("generateDevices"));
    m_devices->setPlaceholderText(tr("such as 0-7 or 0,2,4"));
    m_server->setObjectName(QStringLiteral("generateServer"));
    m_server->setPlaceholderText(tr("this host's address"));
    m_ips->setObjectName(QStringLiteral("generateIps"));
    m_ips->setPlaceholderText(tr("as hccn_tool or /etc/hccn.conf says; or one for each device"));
    m_hostNic->setObjectName(QStringLiteral("generateHostNic"));
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
    static const QRegularExpression separators(QStringLiteral("[\\s,;]+"));
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
        return makeProposal({}, QStringLiteral("/dev/null"), made->table, made->fileName,
                            made->lookedFor.join(QLatin1Char(' ')));
    };
}

} // namespace rankdeck
