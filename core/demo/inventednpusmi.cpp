#include "demo/inventednpusmi.h"

#include "base/resources.h"
#include "launch/plan/launchplan.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace rankdeck
{

DeviceSource writeInventedNpuSmi(const LaunchPlan &share, const QString &node)
{
    const auto resources = resourcesDirectory();
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (share.inventedNpuSmi.isEmpty() || !resources || python.isEmpty())
        return {};
    const QString run = QFileInfo(share.inventedNpuSmi).path();
    QStringList words{u"exec"_s, python, *resources + u"/demo/npu_smi.py"_s, u"--journal"_s,
                      run + u"/journal.jsonl"_s};
    int ranks = 0;
    for (const ProcessPlan &process : share.processes) {
        if (process.role != Role::Worker || process.node != node)
            continue;
        ++ranks;
        // In the journal of a demo the processes are its ranks, in their order.
        const QString index = QString::number(process.rank.value);
        const auto optionOf = [&](const char *name) {
            const qsizetype at = process.argv.indexOf(QLatin1String(name));
            return at < 0 ? QString() : process.argv.value(at + 1);
        };
        if (optionOf("--slow-rank") == index)
            words << u"--slow"_s << index << optionOf("--slow-step");
        words << u"--rank"_s << index << QString::number(process.localRank.value) << process.logFile;
    }
    // The nodes of a demo are one machine, and have one run directory.
    const bool isOneOfSeveral = share.worldSize() > ranks;
    const QString path = isOneOfSeveral ? share.inventedNpuSmi + '-'_L1 + node : share.inventedNpuSmi;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n# The NPUs of this demo are invented: this stands in for npu-smi.\n" +
               joinCommandLine(words).toUtf8() + " -- \"$@\"\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.commit() ? DeviceSource{DeviceSource::Kind::Invented, path} : DeviceSource();
}

} // namespace rankdeck
