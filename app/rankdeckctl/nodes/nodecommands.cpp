#include "agent/head/nodequestions.h"
#include "base/program.h"
#include "rankdeckctl/console/commands.h"

#include <QLocale>
#include <QSysInfo>

namespace rankdeck
{

constexpr int unusableNode = 1;

static NodeOptions nodeOptions(const Options &options)
{
    NodeOptions transport;
    transport.list = options.value("--nodes");
    if (options.hasValue("--transport"))
        transport.transport = options.value("--transport");
    transport.transportCommand = options.value("--transport-command");
    transport.sshConfig = options.value("--ssh-config");
    transport.program = options.value("--node-program");
    return transport;
}

static Result<QStringList> nodesFor(TransportKind kind, const NodeOptions &options)
{
    auto nodes = namedNodes(kind, options, QProcessEnvironment::systemEnvironment());
    if (!nodes || !nodes->isEmpty())
        return nodes;
    if (kind == TransportKind::Local)
        return QStringList{QSysInfo::machineHostName()};
    return Error{tr("no nodes given"), u"--nodes"_s, tr("Name the nodes like a,b,c.")};
}

static void printResult(const NodeTestResult &result, int width)
{
    const QString name = result.node.leftJustified(width);
    if (!result.isUsable()) {
        print(tr("%1  cannot be used").arg(name));
    } else if (!result.description) {
        print(tr("%1  ok, %2").arg(name, wantedCopyText(result)));
    } else {
        const NodeDescription &node = *result.description;
        const QLocale locale;
        print(tr("%1  ok, Rankdeck %2 (%8) on %3, %n NPUs, clock %4 ms (within %5 ms), %6 free in %7",
                 "%1  ok, Rankdeck %2 (%8) on %3, %n NPU, clock %4 ms (within %5 ms), %6 free in %7",
                 node.npuCount)
                  .arg(name, node.version, node.architecture, QString::number(result.clockOffsetMs, 'f', 1),
                       QString::number(result.roundTripMs / 2, 'f', 1),
                       locale.formattedDataSize(node.freeBytes), visibleText(node.directory),
                       visibleText(node.program)));
    }
    if (!result.problem.isEmpty())
        print(u"  "_s + visibleText(result.problem));
}

static JsonText resultJson(const NodeTestResult &result)
{
    JsonText json{{"node", result.node}, {"usable", result.isUsable()}, {"problem", result.problem}};
    if (result.wantedCopy > 0)
        json.insert("would_copy_bytes", result.wantedCopy);
    if (const auto &node = result.description) {
        json.insert("version", node->version);
        json.insert("program", node->program);
        json.insert("host", node->hostName);
        json.insert("architecture", node->architecture);
        json.insert("npus", node->npuCount);
        json.insert("directory", node->directory);
        json.insert("free_bytes", node->freeBytes);
        json.insert("clock_offset_ms", result.clockOffsetMs);
        json.insert("round_trip_ms", result.roundTripMs);
    }
    return json;
}

int testNodesCommand(const Options &options)
{
    const NodeOptions transport = nodeOptions(options);
    const auto kind = chooseTransport(transport, QProcessEnvironment::systemEnvironment());
    if (!kind)
        return refuse(kind.error());
    if (const auto error = problemWithoutAllocation(*kind, QProcessEnvironment::systemEnvironment()))
        return refuse(*error);
    const auto nodes = nodesFor(*kind, transport);
    if (!nodes)
        return refuse(nodes.error());

    std::vector<NodeTestResult> results(std::size_t(nodes->size()));
    std::vector<std::unique_ptr<NodeTest>> tests;
    std::size_t left = results.size();
    for (std::size_t index = 0; index < results.size(); ++index) {
        const QString node = nodes->at(qsizetype(index));
        tests.push_back(std::make_unique<NodeTest>(
            makeTransport(*kind, node, transport, programPath(), CopyPolicy::OnlySay), node));
        QObject::connect(tests.back().get(), &NodeTest::finished, tests.back().get(),
                         [&, index](const NodeTestResult &result) {
                             results[index] = result;
                             if (--left == 0)
                                 QCoreApplication::exit();
                         });
    }
    for (const auto &test : tests)
        QMetaObject::invokeMethod(test.get(), &NodeTest::start, Qt::QueuedConnection);
    QCoreApplication::exec();

    qsizetype width = 0;
    for (const QString &node : *nodes)
        width = std::max(width, node.size());
    bool allAreUsable = true;
    for (const NodeTestResult &result : results) {
        allAreUsable = allAreUsable && result.isUsable();
        if (!options.has("--json"))
            printResult(result, int(width));
    }
    if (options.has("--json"))
        printJson({{"nodes", JsonText::list(results, resultJson)}});
    return allAreUsable ? 0 : unusableNode;
}

int trustNodeCommand(const Options &options)
{
    const auto node = readNodeList(options.positional.first());
    if (!node)
        return refuse(node.error());
    const auto key = fetchHostKey(node->first(), nodeOptions(options));
    if (!key)
        return refuse(key.error());
    say(tr("The host key of %1 is %2.").arg(node->first(), visibleText(key->fingerprint)));
    if (!options.has("--yes") &&
        !isConfirmed(
            tr("Trust it? Compare it with the key that the node's administrator gives you. [y/N] "))) {
        say(tr("The key is not trusted."));
        return unusableNode;
    }
    if (const auto error = trustHostKey(*key))
        return refuse(*error);
    say(tr("The key is trusted from now on (%1).").arg(knownHostsPath()));
    return 0;
}

} // namespace rankdeck
