#include "launch/planning/numabinding.h"

#include "base/json.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "launch/plan/processplan.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

using Json = nlohmann::json;

static Error wrongBinding(const QString &what, const QString &mend = {})
{
    return {what, u"--bind_numa"_s, mend};
}

static std::optional<Error> problemWithProcess(const QString &name)
{
    static const QRegularExpression pattern(u"^(scheduler|device\\d{1,6})$"_s);
    if (pattern.match(name).hasMatch())
        return std::nullopt;
    return wrongBinding(tr("\"%1\" does not name a process").arg(name),
                        tr("Write scheduler, device0, device1 and so on."));
}

/// Reads 0, "0" or "0-1,3".
static Result<QList<int>> readNumbers(const QString &process, const Json &json)
{
    const QString text = json.is_string() ? json.get<QString>() : QString::fromStdString(json.dump());
    const auto numbers = numbersFromRanges(text);
    if ((json.is_string() || json.is_number_integer()) && numbers && !numbers->isEmpty())
        return *numbers;
    return wrongBinding(tr("%1 of %2 is neither a number nor a range").arg(text.left(80), process),
                        tr("Write e.g. \"0\", \"1,2\" or \"3-4\"."));
}

/// Reads a list such as ["0","1,2"], or one number or range.
static Result<QList<int>> readNodes(const QString &process, const Json &json)
{
    if (!json.is_array())
        return readNumbers(process, json);
    QList<int> nodes;
    for (const Json &entry : json) {
        const auto numbers = readNumbers(process, entry);
        if (!numbers)
            return numbers;
        nodes << *numbers;
    }
    return sortedOnce(nodes);
}

/// Calls `read` with each process that `json` names, its binding and its value.
template <typename Read>
static std::optional<Error> readEach(const Json &json, NumaBinding &binding, const Read &read)
{
    if (!json.is_object())
        return wrongBinding(tr("%1 is not a JSON object").arg(QString::fromStdString(json.dump()).left(80)));
    for (const auto &[name, value] : json.items()) {
        const QString process = QString::fromStdString(name);
        if (const auto error = problemWithProcess(process))
            return error;
        if (const auto error = read(process, binding[process], value))
            return error;
    }
    return std::nullopt;
}

/// Returns bind_config's `key`. Fails unless it is one of `words`.
static Result<QString> readMode(const Json &config, const char *key, const QStringList &words)
{
    const Json value = config.is_object() && config.contains(key) ? config[key] : Json();
    const QString word = value.is_string() ? value.get<QString>() : QString();
    if (words.contains(word))
        return word;
    return wrongBinding(tr("bind_config has no valid %1").arg(QLatin1String(key)),
                        tr("Write one of %1.").arg(words.join(nameComma())));
}

/// Reads the form of .json files.
static Result<NumaBinding> readUnified(const Json &json)
{
    const QString none = u"none"_s;
    const QString numa = u"numa"_s;
    const auto cpuMode = readMode(json["bind_config"], "bind_cpu_mode", {u"cpu"_s, numa, none});
    if (!cpuMode)
        return cpuMode.error();
    const auto memoryMode = readMode(json["bind_config"], "bind_memory_mode", {numa, none});
    if (!memoryMode)
        return memoryMode.error();
    NumaBinding binding;
    const bool isByNode = *cpuMode == numa;
    const auto readCpus = [&](const QString &process, ProcessBinding &of, const Json &value) {
        if (isByNode)
            return setFrom(of.cpuNodes, readNodes(process, value));
        if (!value.is_object())
            return std::optional(wrongBinding(tr("bind_cpu of %1 is not a JSON object").arg(process),
                                              tr("Write e.g. {\"main\":\"0-9\"}.")));
        // The other modules are for set_cpu_affinity(), which the program calls.
        return value.contains("main") ? setFrom(of.cpus, readNumbers(process, value["main"])) : std::nullopt;
    };
    const auto readMemory = [](const QString &process, ProcessBinding &of, const Json &value) {
        return setFrom(of.memoryNodes, readNodes(process, value));
    };
    if (*cpuMode != none && json.contains("bind_cpu")) {
        if (const auto error = readEach(json["bind_cpu"], binding, readCpus))
            return *error;
    }
    if (*memoryMode != none && json.contains("bind_memory")) {
        if (const auto error = readEach(json["bind_memory"], binding, readMemory))
            return *error;
    }
    return binding;
}

Result<NumaBinding> readNumaBinding(const QByteArray &text)
{
    const auto json = parseJson(text);
    if (!json || !json->is_object())
        return wrongBinding(tr("\"%1\" is neither True, nor False, nor a JSON object, nor a .json file")
                                .arg(QString::fromUtf8(text).left(80)),
                            tr("Write e.g. {\"device0\":[\"0\"]}."));
    if (json->contains("bind_config"))
        return readUnified(*json);
    NumaBinding binding;
    const auto read = [](const QString &process, ProcessBinding &of, const Json &value) {
        const auto error = setFrom(of.memoryNodes, readNodes(process, value));
        of.cpuNodes = of.memoryNodes;
        return error;
    };
    if (const auto error = readEach(*json, binding, read))
        return *error;
    return binding;
}

/// Returns equal shares of the NUMA nodes; workers that --bind_core binds keep to the nodes of their cpus.
static NumaBinding evenNodes(const QList<int> &devices, const QList<QList<int>> &cpus, const HostFacts &facts)
{
    NumaBinding binding;
    const qsizetype workers = devices.size();
    for (qsizetype worker = 0; worker < workers; ++worker) {
        QList<int> nodes;
        for (const NumaNode &node : facts.numaNodes) {
            const QList<int> own = cpus.value(worker);
            if (std::ranges::any_of(node.cpus, [&](int cpu) { return own.contains(cpu); }))
                nodes << node.number;
        }
        if (nodes.isEmpty())
            nodes << facts.numaNodes[worker * facts.numaNodes.size() / workers].number;
        binding.insert(u"device%1"_s.arg(devices[worker]), {{}, nodes, nodes});
    }
    return binding;
}

Result<NumaBinding> numaBinding(const QString &bindNuma, const QList<int> &devices,
                                const QList<QList<int>> &cpus, const HostFacts &facts, QList<Sentence> &notes)
{
    if (bindNuma == "False"_L1)
        return NumaBinding();
    if (bindNuma == "True"_L1) {
        if (facts.numaNodes.size() >= 2)
            return evenNodes(devices, cpus, facts);
        notes << Sentence::tr("--bind_numa has no effect: this machine has only one NUMA node.");
        return NumaBinding();
    }
    const auto binding = readNumaBinding(bindNuma.toUtf8());
    QStringList unbound;
    for (const int device : devices) {
        if (binding && !binding->contains(u"device%1"_s.arg(device)))
            unbound << QString::number(device);
    }
    if (!unbound.isEmpty())
        notes
            << Sentence::tr("--bind_numa does not name device %1: not bound.").arg(unbound.join(nameComma()));
    return binding;
}

std::optional<Error> bindToNodes(ProcessPlan &process, const QString &name, const ProcessBinding &binding,
                                 const HostFacts &facts)
{
    const QString option = u"--bind_numa"_s;
    QList<int> cpus = binding.cpus;
    for (const int number : binding.cpuNodes + binding.memoryNodes) {
        const auto node = std::ranges::find(facts.numaNodes, number, &NumaNode::number);
        if (node == facts.numaNodes.end())
            return Error{tr("this machine has no NUMA node %1, which %2 names").arg(number).arg(name), option,
                         tr("See lscpu.")};
        if (binding.cpuNodes.contains(number))
            cpus << node->cpus;
    }
    QList<int> allowed;
    std::ranges::copy_if(facts.cpus, std::back_inserter(allowed),
                         [&](int cpu) { return cpus.contains(cpu); });
    if (allowed.isEmpty() && !cpus.isEmpty())
        return Error{tr("this process may run on none of the cpus of %1").arg(name), option,
                     tr("See taskset -cp $$.")};
    if (process.cpus.isEmpty())
        process.cpus = allowed;
    process.memoryNodes = binding.memoryNodes;
    return std::nullopt;
}

} // namespace rankdeck
