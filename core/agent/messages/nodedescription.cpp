#include "agent/messages/nodedescription.h"

#include "base/json.h"
#include "launch/host/hostfacts.h"
#include "run/record/rundirectory.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStorageInfo>
#include <QSysInfo>

#include <chrono>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

constexpr char keyOfLine[] = "description";

/// `path`, or the nearest folder above it that is there.
QString existingFolder(const QString &path)
{
    QFileInfo folder(path);
    while (!folder.exists() && !folder.isRoot())
        folder.setFile(folder.absolutePath());
    return folder.absoluteFilePath();
}

} // namespace

NodeDescription NodeDescription::ofThisNode()
{
    NodeDescription description;
    description.version = QCoreApplication::applicationVersion();
    description.program = QCoreApplication::applicationFilePath();
    description.hostName = QSysInfo::machineHostName();
    description.architecture = QSysInfo::currentCpuArchitecture();
    description.npuCount = npusInDev();
    description.directory = existingFolder(runsDirectory());
    description.freeBytes = QStorageInfo(description.directory).bytesAvailable();
    description.wallUs = wallClockUs();
    return description;
}

QByteArray NodeDescription::toLine() const
{
    return jsonText({{keyOfLine, Json{{"version", version},
                                      {"program", program},
                                      {"host", hostName},
                                      {"architecture", architecture},
                                      {"npus", npuCount},
                                      {"directory", directory},
                                      {"free_bytes", freeBytes},
                                      {"wall_us", wallUs}}}});
}

std::optional<NodeDescription> NodeDescription::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object() || !json->contains(keyOfLine))
        return std::nullopt;
    NodeDescription description;
    try {
        const Json &said = (*json)[keyOfLine];
        said.at("version").get_to(description.version);
        description.program = said.value("program", QString());
        said.at("host").get_to(description.hostName);
        said.at("architecture").get_to(description.architecture);
        said.at("npus").get_to(description.npuCount);
        said.at("directory").get_to(description.directory);
        said.at("free_bytes").get_to(description.freeBytes);
        said.at("wall_us").get_to(description.wallUs);
    } catch (const Json::exception &) {
        return std::nullopt;
    }
    return description;
}

qint64 wallClockUs()
{
    using namespace std::chrono;
    return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

} // namespace rankdeck
