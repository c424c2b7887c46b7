#include "launch/platformmodes.h"

#include <QCoreApplication>
#include <QVersionNumber>

namespace rankdeck
{

namespace
{

using Variables = QMap<QString, QString>;

/// MindSpore's log goes to files, at this level and above (0 debug … 3 error).
Variables mindsporeLog(const QString &folder, const QString &level)
{
    return {{QStringLiteral("GLOG_v"), level},
            {QStringLiteral("GLOG_log_dir"), folder},
            {QStringLiteral("GLOG_logtostderr"), QStringLiteral("0")},
            {QStringLiteral("MS_OM_PATH"), folder}};
}

Variables forFaults(const QString &engineVersion, const QString &jobLogDir, const QString &logFolder,
                    Rank rank)
{
    Variables variables{
        {QStringLiteral("PRINT_MODEL"), QStringLiteral("1")},
        {QStringLiteral("DUMP_GE_GRAPH"), QStringLiteral("2")},
        {QStringLiteral("DUMP_GRAPH_LEVEL"), QStringLiteral("2")},
        {QStringLiteral("ASCEND_GLOBAL_LOG_LEVEL"), QStringLiteral("1")},
        {QStringLiteral("ASCEND_HOST_LOG_FILE_NUM"), QStringLiteral("1000")},
        {QStringLiteral("NPU_COLLECT_PATH"),
         QStringLiteral("%1/ascend/npu_collect/rank_%2").arg(jobLogDir).arg(rank.value)},
    };
    if (isMindsporeWithRecorder(engineVersion)) {
        variables.insert(mindsporeLog(logFolder, QStringLiteral("1")));
        variables.insert(QStringLiteral("MS_RDR_ENABLE"), QStringLiteral("1"));
        variables.insert(QStringLiteral("MS_RDR_PATH"), logFolder);
    }
    return variables;
}

Variables forPerformance(const QString &logFolder)
{
    Variables variables = mindsporeLog(logFolder, QStringLiteral("3"));
    variables.insert(QStringLiteral("ASCEND_GLOBAL_LOG_LEVEL"), QStringLiteral("3"));
    // davincirun's name for it; CANN documents ASCEND_GLOBAL_EVENT_ENABLE, which davincirun leaves alone.
    variables.insert(QStringLiteral("ASCEND_GLOBAL_EVENT_LEVEL"), QStringLiteral("0"));
    return variables;
}

Variables forModes(const QProcessEnvironment &environment, const QString &jobLogDir, Rank rank)
{
    const QString diagMode = environment.value(QStringLiteral("MA_DIAG_MODE_ENV"));
    const QString runMode = environment.value(QStringLiteral("MA_RUN_MODE_ENV"));
    const QString logFolder = jobLogDir + QStringLiteral("/mindspore/log");
    if (diagMode == QLatin1String("faults"))
        return forFaults(environment.value(QStringLiteral("MA_ENGINE_VERSION")), jobLogDir, logFolder, rank);
    if (diagMode == QLatin1String("accuracy") || diagMode == QLatin1String("profile"))
        return {{QStringLiteral("MS_DIAGNOSTIC_DATA_PATH"),
                 jobLogDir + QStringLiteral("/mindspore/diagnostic_data")}};
    if (runMode == QLatin1String("performance"))
        return forPerformance(logFolder);
    if (runMode == QLatin1String("normal"))
        return mindsporeLog(logFolder, QStringLiteral("1"));
    return {};
}

} // namespace

Variables platformDefaults(const QProcessEnvironment &environment, const QString &jobLogDir, Rank rank)
{
    Variables variables = forModes(environment, jobLogDir, rank);
    variables.insert(QStringLiteral("HCCL_CONNECT_TIMEOUT"), QStringLiteral("1800"));
    variables.insert(QStringLiteral("ASCEND_PROCESS_LOG_PATH"),
                     QStringLiteral("%1/ascend/process_log/rank_%2").arg(jobLogDir).arg(rank.value));
    variables.insert(QStringLiteral("PYTHONUNBUFFERED"), QStringLiteral("1"));
    return variables;
}

QStringList notesOnModes(const QProcessEnvironment &environment)
{
    QStringList notes;
    const auto check = [&](const QString &name, const QStringList &modes) {
        const QString value = environment.value(name);
        if (!value.isEmpty() && !modes.contains(value))
            notes << QCoreApplication::translate(
                         "platformModes", "%1 is \"%2\", which is no mode: it has no effect. The modes "
                                          "are %3.")
                         .arg(name, value.left(60), modes.join(QLatin1String(", ")));
    };
    check(QStringLiteral("MA_DIAG_MODE_ENV"),
          {QStringLiteral("faults"), QStringLiteral("accuracy"), QStringLiteral("profile")});
    check(QStringLiteral("MA_RUN_MODE_ENV"), {QStringLiteral("performance"), QStringLiteral("normal")});
    return notes;
}

bool isMindsporeWithRecorder(const QString &engineVersion)
{
    const QStringList nameAndVersion = engineVersion.section(QLatin1Char('-'), 0, 0).split(QLatin1Char('_'));
    return nameAndVersion.first().contains(QLatin1String("mindspore")) &&
           QVersionNumber::fromString(nameAndVersion.value(1)) >= QVersionNumber(1, 4);
}

} // namespace rankdeck
