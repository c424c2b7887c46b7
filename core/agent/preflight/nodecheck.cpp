#include "agent/preflight/nodecheck.h"

#include "agent/preflight/holders.h"
#include "agent/preflight/hostchecks.h"
#include "base/program.h"
#include "launch/host/hostfacts.h"
#include "ranktable/changes/ranktablegeneration.h"
#include "run/workers/worker.h"

#include <QDir>
#include <QRegularExpression>

#include <sys/prctl.h>

namespace rankdeck
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr char importModule[] = "import importlib, sys\nimportlib.import_module(sys.argv[1])\n";
constexpr int noAnswer = -1;

NodeCheck::NodeCheck(NodeCheckTask task)
    : m_task(std::move(task))
    , m_environment(QProcessEnvironment::systemEnvironment())
    , m_network(m_task.tableIps)
{
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_isLate = true;
        if (m_process)
            m_process->kill();
        else if (m_sampler)
            takeReading(Error{tr("the NPUs did not answer in time"), m_sampler->source().path, {}});
    });
}

NodeCheck::~NodeCheck()
{
    if (!m_process)
        return;
    m_process->disconnect(this);
    m_process->kill();
    m_process->waitForFinished(1000);
}

void NodeCheck::start()
{
    m_limit.start(m_task.limitSeconds * 1000);
    for (const PreflightCheck &check : hostChecks(m_task.share, m_environment))
        Q_EMIT checked(check);
    queueImports();
    queueNpuNetwork();
    askNext();
}

void NodeCheck::queueImports()
{
    static const QRegularExpression moduleName(u"^[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*$"_s);
    const ProcessPlan *worker = firstWorker(m_task.share);
    if (!worker || m_task.imports.isEmpty())
        return;
    // The launch's own interpreter, else the one that its programs would find.
    const QString own = worker->ownCommand().value(0);
    const bool isPython = QFileInfo(own).fileName().startsWith("python"_L1);
    const QString name = isPython ? own : u"python3"_s;
    const QString python = findProgram(name, worker->workDir, searchPathFor(*worker, m_environment)).path;
    for (const QString &module : m_task.imports) {
        const auto tell = [this, module, python](Status status, const QString &sentence,
                                                 const QString &mend) {
            Q_EMIT checked({Part::Host, u"import"_s, module, status, sentence, mend});
        };
        if (!moduleName.match(module).hasMatch()) {
            tell(Status::Fail, tr("This is not the name of a Python module."),
                 tr("Write a name, e.g. torch_npu."));
            continue;
        }
        m_questions.push_back(
            {python,
             {u"-c"_s, QString::fromLatin1(importModule), module},
             QFileInfo(worker->workDir).isDir() ? worker->workDir : QDir::tempPath(),
             environmentFor(*worker, m_environment),
             [this, tell, module, python](int exitCode, const QByteArray &output) {
                 const QString mend =
                     tr("Run %1 -c \"import %2\" there for the full output.").arg(python, module);
                 if (exitCode == 0)
                     tell(Status::Pass, tr("%1 imports %2.").arg(python, module), {});
                 else if (exitCode == noAnswer && m_isLate)
                     tell(Status::Fail, tr("%1 did not import %2 in time.").arg(python, module), mend);
                 else
                     tell(Status::Fail,
                          // As "ModuleNotFoundError: No module named 'mindspore'".
                          tr("%1 cannot import %2: %3").arg(python, module, lastLineOf(output)), mend);
             }});
    }
}

/// Returns the devices in the share, each once.
QList<int> NodeCheck::devices() const
{
    QList<int> devices;
    for (const ProcessPlan &process : m_task.share.processes) {
        const int device = deviceOf(process, m_environment);
        if (process.role == Role::Worker && !devices.contains(device))
            devices << device;
    }
    return devices;
}

/// The last thing that is asked.
void NodeCheck::sampleNpus()
{
    const DeviceSource source = findDeviceSource();
    if (source.kind == DeviceSource::Kind::None || m_isLate) {
        finish();
        return;
    }
    DeviceSamplerSettings settings;
    settings.helper = programPath();
    m_sampler = std::make_unique<DeviceSampler>(source, settings);
    connect(m_sampler.get(), &DeviceSampler::sampled, this, &NodeCheck::takeReading);
    connect(m_sampler.get(), &DeviceSampler::failed, this, &NodeCheck::takeReading);
    m_sampler->setWanted(this, true);
}

void NodeCheck::takeReading(const Result<DeviceReading> &reading)
{
    m_sampler->disconnect(this);
    m_sampler->setWanted(this, false);
    m_sampler.release()->deleteLater();
    for (const PreflightCheck &check : npuSampleChecks(reading, devices(), m_task.share.neededHbmMb))
        Q_EMIT checked(check);
    finish();
}

void NodeCheck::queueNpuNetwork()
{
    const QString tool = hccnToolPath();
    if (tool.isEmpty()) {
        Q_EMIT checked({Part::NpuNetwork, u"npu-network"_s, QString(), Status::Skipped,
                        tr("No hccn_tool found on this node."), QString()});
        return;
    }
    const QList<int> devices = m_task.tableIps.isEmpty() ? this->devices() : m_task.tableIps.keys();
    QProcessEnvironment environment = m_environment;
    // The driver's tools do not work with it.
    environment.remove(u"ASCEND_RT_VISIBLE_DEVICES"_s);
    for (const int device : devices) {
        for (const QString &question : NpuNetwork::questions())
            m_questions.push_back({tool, NpuNetwork::arguments(device, question), u"/"_s, environment,
                                   [this, device, question](int exitCode, const QByteArray &output) {
                                       m_network.take(device, question,
                                                      exitCode == 0 ? output : QByteArray());
                                   }});
    }
    m_hasNetwork = !devices.isEmpty();
}

void NodeCheck::askNext()
{
    if (m_questions.empty()) {
        sampleNpus();
        return;
    }
    if (m_isLate) {
        conclude(noAnswer);
        return;
    }
    const Question &question = m_questions.front();
    m_process = std::make_unique<QProcess>();
    m_process->setProcessChannelMode(QProcess::MergedChannels);
    m_process->setStandardInputFile(QProcess::nullDevice());
    m_process->setProcessEnvironment(question.environment);
    m_process->setWorkingDirectory(question.workDir);
    m_process->setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
    connect(m_process.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus how) {
        conclude(how == QProcess::NormalExit ? code : noAnswer);
    });
    onFailedStart(*m_process, this, [this] { conclude(noAnswer); });
    m_process->start(question.program, question.arguments);
}

void NodeCheck::conclude(int exitCode)
{
    const Question question = std::move(m_questions.front());
    m_questions.pop_front();
    const QByteArray output = m_process ? m_process->readAll() : QByteArray();
    question.take(exitCode, output.isEmpty() && m_process ? problemOf(*m_process).toUtf8() : output);
    if (m_process) {
        m_process->disconnect(this);
        m_process.release()->deleteLater();
    }
    // Not from within a signal of the process, and without depth where many are late.
    QTimer::singleShot(0, this, &NodeCheck::askNext);
}

void NodeCheck::finish()
{
    m_limit.stop();
    if (m_hasNetwork) {
        for (const PreflightCheck &check : m_network.checks())
            Q_EMIT checked(check);
    }
    NodeCheckEnd end;
    end.tls = m_network.tls();
    if (const ProcessPlan *worker = firstWorker(m_task.share))
        end.addresses =
            hcclAddresses([&](const QString &name) { return effectiveValue(*worker, m_environment, name); },
                          networkCards(), HostFacts::gather().reachedAt);
    Q_EMIT done(end);
}

} // namespace rankdeck
