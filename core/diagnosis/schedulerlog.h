#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What MindSpore's scheduler wrote in its log about the workers of its cluster. They are called by
/// MindSpore's node ids, as plain text: a rank where msrun numbered the workers.
struct SchedulerLog {
    QStringList registered; ///< Workers that came to it, in this order; empty at GLOG_v=3, too.
    QStringList timedOut;   ///< Those that it heard of no more.
    bool isFormed = false;  ///< All workers of the cluster had come.
};

/// Read what matters of the log at `path`: its first 4 MiB, where workers come, and its last MiB.
/// Source: MindSpore's meta_server_node.cc (ProcessRegister, UpdateTopoState), and _analyze_log() of
/// mindspore.parallel.cluster.process_entity, which looks for the same lines.
SchedulerLog readSchedulerLog(const QString &path);

} // namespace rankdeck
