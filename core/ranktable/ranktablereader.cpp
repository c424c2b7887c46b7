#include "ranktable/ranktablereader.h"

#include <QCoreApplication>
#include <QFile>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr qint64 maxTableBytes = 100LL * 1024 * 1024;

QString tr(const char *text)
{
    return QCoreApplication::translate("RankTable", text);
}

/// Thrown inside this file only: reading is a deep walk, and the first problem ends it.
struct Unreadable {
    Error error;
};

/// A value in the table together with its place, so that a problem can name it.
class Node
{
public:
    Node(const Json &json, QString file, QString pointer = {})
        : m_json(json)
        , m_file(std::move(file))
        , m_pointer(std::move(pointer))
    {
    }

    [[noreturn]] void fail(const QString &what, const QString &mend = {}) const
    {
        const QString place = m_pointer.isEmpty() ? m_file : m_file + QLatin1Char(' ') + m_pointer;
        throw Unreadable{{what, place, mend}};
    }

    bool has(const char *key) const { return m_json.is_object() && m_json.contains(key); }

    Node at(const char *key) const
    {
        if (!has(key))
            fail(tr("\"%1\" is missing").arg(QLatin1String(key)));
        return Node(m_json[key], m_file, m_pointer + QLatin1Char('/') + QLatin1String(key));
    }

    std::vector<Node> elements() const
    {
        if (!m_json.is_array())
            fail(tr("a list is expected here"));
        std::vector<Node> nodes;
        nodes.reserve(m_json.size());
        for (std::size_t index = 0; index < m_json.size(); ++index)
            nodes.emplace_back(m_json[index], m_file, m_pointer + QLatin1Char('/') + QString::number(index));
        return nodes;
    }

    QString text() const
    {
        if (!m_json.is_string())
            fail(tr("a string is expected here"));
        return QString::fromStdString(m_json.get_ref<const std::string &>());
    }

    /// A number written as a string, as the format wants it, or as a number.
    int number() const
    {
        bool isNumber = false;
        int value = -1;
        if (m_json.is_string()) {
            value = text().toInt(&isNumber);
        } else if (m_json.is_number_integer()) {
            const auto wide = m_json.get<std::int64_t>();
            isNumber = wide <= std::numeric_limits<int>::max();
            value = isNumber ? static_cast<int>(std::max<std::int64_t>(wide, -1)) : -1;
        }
        if (!isNumber || value < 0)
            fail(tr("a number that is not negative is expected here"),
                 tr("Write it as a string, like \"0\"."));
        return value;
    }

    bool isObject() const { return m_json.is_object(); }

private:
    const Json &m_json;
    QString m_file;
    QString m_pointer;
};

Device readDevice(const Node &node, bool withRank)
{
    Device device;
    device.deviceId = DeviceId(node.at("device_id").number());
    if (node.has("device_ip"))
        device.deviceIp = node.at("device_ip").text();
    if (withRank)
        device.rank = Rank(node.at("rank_id").number());
    return device;
}

std::vector<Server> readGroupList(const Node &root)
{
    std::vector<Server> servers;
    int group = 0;
    for (const Node &groupNode : root.at("group_list").elements()) {
        // A group without devices holds the job's CPU-only part; davincirun passes it over.
        const bool isEmpty = groupNode.has("device_count") && groupNode.at("device_count").number() == 0;
        if (!isEmpty) {
            for (const Node &instance : groupNode.at("instance_list").elements()) {
                Server server{instance.at("server_id").text(), instance.at("pod_name").text(), group, {}, {}};
                for (const Node &device : instance.at("devices").elements())
                    server.devices.push_back(readDevice(device, false));
                servers.push_back(std::move(server));
            }
        }
        ++group;
    }
    return servers;
}

std::vector<Server> readServerList(const Node &root)
{
    std::vector<Server> servers;
    for (const Node &serverNode : root.at("server_list").elements()) {
        Server server{serverNode.at("server_id").text(), {}, 0, {}, {}};
        for (const Node &device : serverNode.at("device").elements())
            server.devices.push_back(readDevice(device, true));
        servers.push_back(std::move(server));
    }
    return servers;
}

/// The name of a form that is known but not read yet.
QString unreadForm(const Node &root)
{
    if (root.has("server_group_list"))
        return tr("a global rank table (server_group_list)");
    if (root.has("deploy_mode") || root.has("board_id"))
        return tr("a lab rank table (template 2 with deploy_mode)");
    if (!root.has("version"))
        return {};
    const QString version = root.at("version").text();
    struct Form {
        const char *version;
        QString name;
    };
    const std::array forms{
        Form{"1.1", tr("a rank table of version 1.1 (node_list, host and device)")},
        Form{"1.2", tr("a rank table of version 1.2 (super pods)")},
        Form{"2.0", tr("a rank table of version 2.0 (rank_list, Ascend 950)")},
    };
    for (const Form &form : forms) {
        if (version == QLatin1String(form.version))
            return form.name;
    }
    return version == QLatin1String("1.0") ? QString()
                                           : tr("a rank table of unknown version \"%1\"").arg(version);
}

RankTable readRoot(const Node &root)
{
    if (!root.isObject())
        root.fail(tr("a rank table is a JSON object, but this file holds something else"));
    const QString unread = unreadForm(root);
    if (!unread.isEmpty())
        root.fail(tr("this is %1, which is not read yet").arg(unread),
                  tr("Use template 1 (version 1.0, server_list) or template 2 (group_list)."));

    RankTable table;
    table.form = root.has("group_list") ? RankTableForm::GroupList : RankTableForm::ServerList;
    table.status = root.at("status").text();
    if (!table.isCompleted())
        return table;
    if (table.form == RankTableForm::ServerList && !root.has("version"))
        root.fail(tr("\"version\" is missing"),
                  tr("Add \"version\": \"1.0\" if this is a table of servers."));
    table.servers = table.form == RankTableForm::GroupList ? readGroupList(root) : readServerList(root);
    if (table.deviceCount() == 0)
        root.fail(tr("the rank table names no device"));
    return table;
}

QString placeOf(const QByteArray &text, std::size_t byte)
{
    const qsizetype end = std::min<qsizetype>(text.size(), byte > 0 ? static_cast<qsizetype>(byte) - 1 : 0);
    const QByteArrayView before = QByteArrayView(text).first(end);
    const qsizetype line = std::count(before.begin(), before.end(), '\n') + 1;
    const qsizetype column = end - (before.lastIndexOf('\n') + 1) + 1;
    return QStringLiteral("%1:%2").arg(line).arg(column);
}

} // namespace

Result<RankTable> parseRankTable(const QByteArray &text, const QString &name)
{
    try {
        const Json json = Json::parse(text.begin(), text.end());
        return readRoot(Node(json, name));
    } catch (const Json::parse_error &error) {
        const std::size_t byte = error.byte;
        return Error{
            tr("the file is not valid JSON at this line and column"),
            name + QLatin1Char(':') + placeOf(text, byte),
            tr("Look for a missing comma or quote, a comment, or a comma before a closing bracket.")};
    } catch (const Json::exception &error) {
        return Error{tr("the rank table cannot be read: %1").arg(QString::fromUtf8(error.what())), name, {}};
    } catch (const Unreadable &unreadable) {
        return unreadable.error;
    }
}

Result<QByteArray> readRankTableText(const QString &path)
{
    QFile file(path);
    if (!file.exists())
        return Error{tr("there is no rank table here"), path,
                     tr("Name one with --rank-table, or set RANK_TABLE_FILE.")};
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("the rank table cannot be read: %1").arg(file.errorString()), path, {}};
    if (file.size() > maxTableBytes)
        return Error{tr("the file is larger than 100 MB, which no rank table is"), path, {}};
    return file.readAll();
}

Result<RankTable> readRankTable(const QString &path)
{
    const auto text = readRankTableText(path);
    return text ? parseRankTable(*text, path) : text.error();
}

} // namespace rankdeck
