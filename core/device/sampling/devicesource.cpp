#include "device/sampling/devicesource.h"

#include "base/fields.h"
#include "device/sampling/devicetool.h"

#include <QFileInfo>

namespace rankdeck
{

constexpr std::array sourceNames{"none", "npu-smi", "dcmi", "invented"};

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
    return {tr("no NPU driver on this machine: neither npu-smi nor libdcmi.so is installed"), QString(),
            tr("Install the Ascend driver; in a container, mount /usr/local/bin/npu-smi, /usr/local/dcmi and "
               "/usr/local/Ascend/driver.")};
}

void visitFields(Fields &fields, DeviceReading &reading)
{
    fields.items("devices", reading.samples);
    const Fields::Leniently lenient(fields);
    fields("time", reading.time);
    fields.word("source", reading.source, sourceNames);
    fields.optional("driver_version", reading.driverVersion);
}

namespace
{

/// A reading, or the reason why there is none.
struct Answer {
    std::optional<Error> error;
    DeviceReading reading;
};

void visitFields(Fields &fields, Answer &answer)
{
    fields.lenient("error", answer.error);
    if (!answer.error)
        visitFields(fields, answer.reading);
}

} // namespace

Result<DeviceReading> readingFromJson(const QByteArray &text)
{
    auto answer = fromJsonText<Answer>(text);
    if (!answer)
        return Error{tr("invalid device samples"), {}, {}};
    return answer->error ? Result<DeviceReading>(*answer->error) : std::move(answer->reading);
}

} // namespace rankdeck
