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
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (share.inventedNpuSmi.isEmpty() || !resources || python.isEmpty())
        return {};
    const QString run = QFileInfo(share.inventedNpuSmi).path();
    QStringList words{QStringLiteral("exec"), python, *resources + QStringLiteral("/demo/npu_smi.py"),
                      QStringLiteral("--journal"), run + QStringLiteral("/journal.jsonl")};
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
            words << QStringLiteral("--slow") << index << optionOf("--slow-step");
        words << QStringLiteral("--rank") << index << QString::number(process.localRank.value)
              << process.logFile;
    }
    // The nodes of a demo are one machine, and have one run directory.
    const bool isOneOfSeveral = share.worldSize() > ranks;
    const QString path =
        isOneOfSeveral ? share.inventedNpuSmi + QLatin1Char('-') + node : share.inventedNpuSmi;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write("#!/bin/sh\n# The NPUs of this demo are invented: this stands in for npu-smi.\n" +
               joinCommandLine(words).toUtf8() + " -- \"$@\"\n");
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.commit() ? DeviceSource{DeviceSource::Kind::Invented, path} : DeviceSource();
}

} // namespace rankdeck
