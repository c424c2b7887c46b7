#include "agent/node/inventednpusmi.h"

#include "base/resources.h"

#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace rankdeck
{

static QByteArray shellWord(const QString &text)
{
    return '\'' + QString(text).replace(QLatin1Char('\''), QLatin1String("'\\''")).toUtf8() + '\'';
}

DeviceSource writeInventedNpuSmi(const LaunchPlan &share, const QString &node)
{
    const auto resources = resourcesDirectory();
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (share.inventedNpuSmi.isEmpty() || !resources || python.isEmpty())
        return {};
    QByteArray text = "#!/bin/sh\n# The NPUs of this demo are invented: this stands in for npu-smi.\nexec " +
                      shellWord(python) + ' ' + shellWord(*resources + QStringLiteral("/demo/npu_smi.py")) +
                      " --journal " +
                      shellWord(QFileInfo(share.inventedNpuSmi).path() + QStringLiteral("/journal.jsonl"));
    for (std::size_t index = 0; index < share.processes.size(); ++index) {
        const ProcessPlan &process = share.processes[index];
        if (process.role != Role::Worker || process.node != node)
            continue;
        const auto optionOf = [&](const char *name) {
            const qsizetype at = process.argv.indexOf(QLatin1String(name));
            return at < 0 ? QString() : process.argv.value(at + 1);
        };
        if (optionOf("--slow-rank") == QString::number(process.rank.value))
            text += " \\\n    --slow " + QByteArray::number(static_cast<qulonglong>(index)) + ' ' +
                    shellWord(optionOf("--slow-step"));
        text += " \\\n    --rank " + QByteArray::number(static_cast<qulonglong>(index)) + ' ' +
                QByteArray::number(process.localRank.value) + ' ' + shellWord(process.logFile);
    }
    text += " -- \"$@\"\n";
    QSaveFile file(share.inventedNpuSmi);
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(text);
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return file.commit() ? DeviceSource{DeviceSource::Kind::Invented, share.inventedNpuSmi} : DeviceSource();
}

} // namespace rankdeck
