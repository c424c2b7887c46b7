// The JSON of samples, both ways. They may come from other programs: all is read leniently.

#include "base/fields.h"
#include "device/sample/processjoin.h"

#include <algorithm>

namespace rankdeck
{

template <typename Id>
static void visitId(Fields &fields, const char *key, std::optional<Id> &id)
{
    fields.optional(key, id);
    if (fields.isReading() && id && id->value < 0)
        id.reset();
}

void visitFields(Fields &fields, DeviceIds &ids)
{
    const Fields::Leniently lenient(fields);
    visitId(fields, "logical_id", ids.logical);
    visitId(fields, "physical_id", ids.physical);
    visitId(fields, "card", ids.card);
    visitId(fields, "chip", ids.chip);
    visitId(fields, "slot", ids.slot);
    QString bus = ids.bus ? ids.bus->text : QString();
    fields.optional("bus", bus);
    if (fields.isReading() && !bus.isEmpty())
        ids.bus = BusId{bus};
}

static void visitFields(Fields &fields, DeviceProcess &process)
{
    const Fields::Leniently lenient(fields);
    fields("pid", process.pid);
    fields("name", process.name);
    fields.optional("memory_mb", process.memoryMb);
    fields.optional("container_pid", process.containerPid);
}

void visitFields(Fields &fields, DeviceUser &user)
{
    const Fields::Leniently lenient(fields);
    visitFields(fields, user.process);
    fields.optional("own_pid", user.ownPid);
    fields.optional("owner", user.owner, -1);
    fields.optional("user", user.user);
    if (fields.isReading())
        user.owner = std::max(user.owner, -1);
}

/// Carries the codes as text: "0x81AF8000".
static void visitErrorCodes(Fields &fields, std::optional<QList<quint32>> &codes)
{
    std::optional<QStringList> texts;
    if (!fields.isReading() && codes)
        texts =
            listOf(*codes, [](quint32 code) { return u"0x"_s + u"%1"_s.arg(code, 8, 16, '0'_L1).toUpper(); });
    fields.optional("error_codes", texts);
    if (fields.isReading() && texts)
        codes = listOf(*texts, [](const QString &text) { return text.toUInt(nullptr, 16); });
}

void visitFields(Fields &fields, DeviceSample &sample)
{
    const Fields::Leniently lenient(fields);
    visitFields(fields, sample.ids);
    fields.optional("name", sample.name);
    QString health = sample.healthWord;
    fields.optional("health", health);
    if (fields.isReading())
        sample.setHealth(health);
    forEachNumber(sample, [&](const char *key, auto &number) { fields.optional(key, number); });
    if (!fields.isReading() && sample.clockMhz && sample.ratedClockMhz) {
        bool isThrottled = sample.isThrottled();
        fields("throttled", isThrottled);
    }
    const QString up = u"up"_s;
    const QString down = u"down"_s;
    QString link;
    if (sample.isLinkUp)
        link = *sample.isLinkUp ? up : down;
    fields.optional("link", link);
    if (fields.isReading() && (link == up || link == down))
        sample.isLinkUp = link == up;
    fields.optional("invented", sample.isInvented);
    visitErrorCodes(fields, sample.errorCodes);
    fields.optional("processes", sample.processes);
}

} // namespace rankdeck
