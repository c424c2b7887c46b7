#include "run/strays/strays.h"

#include "base/listcomma.h"
#include "base/regularfile.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <cerrno>

#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

static bool reap(const ProcessInfo &process, const OnReaped &onReaped)
{
    siginfo_t info{};
    const bool isReaped =
        waitid(P_PID, static_cast<id_t>(process.pid), &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0;
    if (isReaped && onReaped) {
        const bool exited = info.si_code == CLD_EXITED;
        onReaped(process, {exited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, info.si_status});
    }
    return isReaped;
}

StrayKiller::StrayKiller()
{
    connect(&m_look, &QTimer::timeout, this, [this] { sweep(Reach::Children); });
    connect(&m_deeper, &QTimer::timeout, this, [this] { sweep(Reach::Descendants); });
    connect(&m_limit, &QTimer::timeout, this, &StrayKiller::giveUp);
}

void StrayKiller::start()
{
    m_limit.start();
    m_deeper.start();
    sweep(Reach::Children);
}

void StrayKiller::childEnded()
{
    if (m_limit.isActive())
        m_look.start(0); // Many may end at the same time.
}

/// A process that is started after the search is the child of a killed process; it is reparented to this
/// process when that one has ended.
void StrayKiller::sweep(Reach reach)
{
    const std::vector<ProcessInfo> strays =
        listStrays(reach, {}, [this](const ProcessInfo &process, const ExitStatus &status) {
            Q_EMIT reaped(process.pid, status);
        });
    for (const ProcessInfo &stray : strays) {
        ::kill(stray.pid, SIGKILL);
        if (m_told.insert(stray.pid).second)
            Q_EMIT happened(sweptEvent(stray, SIGKILL));
    }
    if (strays.empty())
        finish();
}

void StrayKiller::giveUp()
{
    for (const ProcessInfo &stray : listStrays(Reach::Descendants, {}))
        Q_EMIT happened(survivedEvent(stray));
    finish();
}

void StrayKiller::finish()
{
    m_look.stop();
    m_deeper.stop();
    m_limit.stop();
    Q_EMIT done();
}

std::vector<ProcessInfo> listStrays(Reach reach, const std::vector<qint64> &spared, const OnReaped &onReaped)
{
    const auto isSpared = [&](pid_t pid) {
        return std::ranges::find(spared, pid) != spared.end();
    };
    std::vector<ProcessInfo> strays;
    if (reach == Reach::Descendants) {
        strays = descendants(getpid());
        std::erase_if(strays, [&](const ProcessInfo &process) { return isSpared(process.pid); });
    }
    const auto isListed = [&](pid_t pid) {
        return std::ranges::any_of(strays, [&](const ProcessInfo &stray) { return stray.pid == pid; });
    };
    // Children of a process that exits are reparented to this one: an earlier reading of /proc may lack them.
    bool somethingEnded = true;
    while (somethingEnded) {
        for (const pid_t child : ownChildren()) {
            const auto process = isSpared(child) || isListed(child) ? std::nullopt : readProcess(child);
            if (process)
                strays.push_back(*process);
        }
        somethingEnded =
            std::erase_if(strays, [&](const ProcessInfo &process) {
                return process.state == 'Z' && process.parent == getpid() && reap(process, onReaped);
            }) > 0;
    }
    return strays;
}

Sentence nameOf(const ProcessInfo &process)
{
    return Sentence::tr("%1 (pid %2)").arg(process.name).arg(process.pid);
}

RunEvent sweptEvent(const ProcessInfo &stray, int signalNumber)
{
    return RunEvent::now(
        events::Swept{stray.pid, Sentence::tr("%1 was left over and got %2")
                                     .arg(nameOf(stray), ExitStatus::signalName(signalNumber))});
}

Sentence survivalText(const ProcessInfo &process, const Survival &survival)
{
    const Sentence name = nameOf(process);
    if (survival.isOthers)
        return Sentence::tr("%1 could not be killed: it runs as another user.").arg(name);
    const QString state(QLatin1Char(process.state));
    const bool isPlaceKnown = !survival.place.isEmpty() && survival.place != "0"_L1;
    const Sentence text =
        isPlaceKnown
            ? Sentence::tr("%1 could not be killed: it hangs in the kernel, in %3 (state %2).")
                  .arg(name, state, survival.place)
            : Sentence::tr("%1 could not be killed: it hangs in the kernel (state %2).").arg(name, state);
    return survival.devices.isEmpty()
               ? text
               : Sentence::tr("%1 It keeps %2.").arg(text, survival.devices.join(", "_L1));
}

/// NPUs that a process has open.
static QStringList devicesOf(pid_t pid)
{
    QStringList devices;
    const QDir open(u"/proc/%1/fd"_s.arg(pid));
    for (const QString &descriptor : open.entryList(QDir::System | QDir::Files)) {
        const QString target = QFile::symLinkTarget(open.filePath(descriptor));
        if (target.startsWith("/dev/davinci"_L1) && target.back().isDigit() && !devices.contains(target))
            devices << target;
    }
    return devices;
}

RunEvent survivedEvent(const ProcessInfo &process, int index)
{
    const QByteArray place = fileContent(u"/proc/%1/wchan"_s.arg(process.pid));
    const Survival survival{::kill(process.pid, 0) != 0 && errno == EPERM, QString::fromUtf8(place),
                            devicesOf(process.pid)};
    return RunEvent::now(events::Survived{index, process.pid, survivalText(process, survival)});
}

} // namespace rankdeck
