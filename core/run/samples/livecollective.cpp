#include "run/samples/livecollective.h"

#include "base/json.h"
#include "base/regularfile.h"

#include <QDir>
#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

using Json = nlohmann::json;

constexpr qint64 mostBytes = 64 * 1024;
constexpr qsizetype mostFiles = 4096;

static QString shortText(const Json &json)
{
    constexpr qsizetype most = 64;
    const QString text = json.is_string() ? QString::fromStdString(json.get<std::string>())
                                          : QString::fromStdString(json.dump());
    return text.simplified().left(most);
}

/// Throws Json::exception.
static LiveCollective collectiveFrom(const Json &json)
{
    LiveCollective its;
    its.operation = shortText(json.at("op_type"));
    its.sequence = json.at("seq").get<qint64>();
    its.group = shortText(json.contains("pg_desc") ? json.at("pg_desc") : json.at("pg_id"));
    its.isRunning = json.at("status").get<QString>() != "end"_L1;
    return its;
}

QString LiveCollective::text() const
{
    const QString number = sequence > 0 ? u" #%1"_s.arg(sequence) : QString();
    const QString its = u"%1%2 %3"_s.arg(operation, number, group);
    return isRunning ? its + u" …"_s : its;
}

std::optional<LiveCollective> liveCollectiveFrom(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object() || !json->contains("last_comm_op"))
        return std::nullopt;
    std::optional<LiveCollective> found;
    try {
        // A list, or an object by group.
        for (const Json &each : json->at("last_comm_op")) {
            const LiveCollective its = collectiveFrom(each);
            if (!found || its.isRunning || !found->isRunning)
                found = its;
        }
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return found;
}

QMap<int, LiveCollective> readLiveCollectives(const QString &folder)
{
    static const QRegularExpression name(u"^torch_hccl_status-(\\d{1,6})_"_s);
    QMap<int, LiveCollective> collectives;
    const QFileInfoList files = QDir(folder).entryInfoList(
        {u"torch_hccl_status-*"_s}, QDir::Files | QDir::NoSymLinks, QDir::Time | QDir::Reversed);
    for (const QFileInfo &info : files.mid(std::max<qsizetype>(0, files.size() - mostFiles))) {
        const auto match = name.match(info.fileName());
        RegularFile file(info.filePath());
        if (!match.hasMatch() || !file.open(QIODevice::ReadOnly))
            continue;
        if (const auto its = liveCollectiveFrom(file.read(mostBytes)))
            collectives.insert(match.captured(1).toInt(), *its);
    }
    return collectives;
}

QList<int> ranksBehind(const QMap<int, LiveCollective> &collectives)
{
    QMap<QString, qint64> farthest;
    for (const LiveCollective &its : collectives) {
        if (its.isRunning)
            farthest[its.group] = std::max(farthest.value(its.group), its.sequence);
    }
    QList<int> behind;
    for (auto its = collectives.cbegin(); its != collectives.cend(); ++its) {
        if (its->sequence > 0 && its->sequence < farthest.value(its->group))
            behind << its.key();
    }
    return behind;
}

} // namespace rankdeck
