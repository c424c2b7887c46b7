#pragma once

#include "run/record/rundirectory.h"
#include "run/record/runevent.h"

#include <QFile>

namespace rankdeck
{

inline QList<RunEvent> journalOf(const QString &runDirectory)
{
    QList<RunEvent> all;
    QFile journal(journalPath(runDirectory));
    if (!journal.open(QIODevice::ReadOnly))
        return all;
    while (!journal.atEnd()) {
        if (const auto event = RunEvent::fromLine(journal.readLine()))
            all << *event;
    }
    return all;
}

/// An event of a known kind, with its head.
template <typename Kind>
struct Told : Kind {
    QString node;
    QDateTime wall;
    qint64 monotonicNs = 0;
};

/// Returns the events of a kind among others.
template <typename Kind>
QList<Told<Kind>> toldOf(const QList<RunEvent> &all)
{
    QList<Told<Kind>> found;
    for (const RunEvent &event : all) {
        if (const auto *kind = event.as<Kind>())
            found << Told<Kind>{*kind, event.node, event.wall, event.monotonicNs};
    }
    return found;
}

/// Returns the pid in the first event of a kind, of this node if one is named; 0: there is none.
template <typename Kind>
pid_t pidTold(const QList<RunEvent> &all, const QString &node = {})
{
    for (const auto &told : toldOf<Kind>(all)) {
        if (node.isEmpty() || told.node == node)
            return static_cast<pid_t>(told.pid);
    }
    return 0;
}

} // namespace rankdeck
