#include "device/sampling/devicesource.h"

#include "base/json.h"
#include "base/wordtable.h"
#include "device/sample/devicejson.h"
#include "device/sampling/devicetool.h"

#include <QFileInfo>

namespace rankdeck
{

constexpr std::array sourceNames{"none", "npu-smi", "dcmi", "invented"};

static QString textOf(const nlohmann::json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<QString>() : QString();
}

QString sourceWord(DeviceSource::Kind kind)
{
    return wordIn(sourceNames, kind);
}

std::optional<DeviceSource::Kind> sourceFromWord(const QString &word)
{
    return valueIn<DeviceSource::Kind>(sourceNames, word);
}

QString dcmiPath()
{
    constexpr std::array places{"/usr/local/dcmi/libdcmi.so",
                                "/usr/local/Ascend/driver/lib64/driver/libdcmi.so",
                                "/usr/local/Ascend/driver/lib64/libdcmi.so", "/usr/lib64/libdcmi.so"};
    const QString given = qEnvironmentVariable("RANKDECK_DCMI");
    if (!given.isEmpty())
        return QFileInfo::exists(given) ? given : QString();
    for (const char *place : places) {
        if (QFileInfo::exists(QLatin1String(place)))
            return QLatin1String(place);
    }
    return {};
}

DeviceSource findDeviceSource(DeviceSource::Kind kind)
{
    DeviceSource source{kind, {}};
    if (kind == DeviceSource::Kind::NpuSmi)
        source.path = npuSmiPath();
    else if (kind == DeviceSource::Kind::Dcmi)
        source.path = dcmiPath();
    return source.path.isEmpty() ? DeviceSource() : source;
}

DeviceSource findDeviceSource()
{
    const DeviceSource npuSmi = findDeviceSource(DeviceSource::Kind::NpuSmi);
    return npuSmi.kind != DeviceSource::Kind::None ? npuSmi : findDeviceSource(DeviceSource::Kind::Dcmi);
}

Error noDeviceSource()
{
    return {tr("no NPU driver on this machine: neither npu-smi nor libdcmi.so is installed"),
            {},
            tr("Install the Ascend driver; in a container, mount /usr/local/bin/npu-smi, /usr/local/dcmi and "
               "/usr/local/Ascend/driver.")};
}

nlohmann::json toJson(const DeviceReading &reading)
{
    nlohmann::json json{{"time", reading.time.toString(Qt::ISODateWithMs)},
                        {"source", sourceWord(reading.source)},
                        {"devices", nlohmann::json::array()}};
    if (!reading.driverVersion.isEmpty())
        json["driver_version"] = reading.driverVersion;
    for (const DeviceSample &sample : reading.samples)
        json["devices"].push_back(toJson(sample));
    return json;
}

QByteArray jsonFrom(const DeviceReading &reading, int indent)
{
    return jsonText(toJson(reading), indent);
}

QByteArray jsonFrom(const Error &error)
{
    return jsonText({{"error", error}});
}

Result<DeviceReading> readingFromJson(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return Error{tr("invalid device samples"), {}, {}};
    if (const auto error = json->find("error"); error != json->end() && error->is_object())
        return Error{textOf(*error, "what"), textOf(*error, "where"), textOf(*error, "mend")};
    auto reading = deviceReadingFrom(*json);
    if (!reading)
        return Error{tr("invalid device samples"), {}, {}};
    return std::move(*reading);
}

std::optional<DeviceReading> deviceReadingFrom(const nlohmann::json &json)
{
    const auto devices = json.is_object() ? json.find("devices") : json.end();
    if (devices == json.end() || !devices->is_array())
        return std::nullopt;
    DeviceReading reading;
    reading.source = sourceFromWord(textOf(json, "source")).value_or(DeviceSource::Kind::None);
    reading.time = QDateTime::fromString(textOf(json, "time"), Qt::ISODateWithMs);
    reading.driverVersion = textOf(json, "driver_version");
    for (const nlohmann::json &device : *devices) {
        if (const auto sample = deviceSampleFrom(device))
            reading.samples << *sample;
    }
    return reading;
}

} // namespace rankdeck
