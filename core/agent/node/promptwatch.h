#pragma once

#include "base/ranks.h"
#include "debugger/promptreader.h"
#include "run/record/rankprompt.h"

#include <QTimer>

#include <map>
#include <optional>

namespace rankdeck
{

struct RunEvent;

/// Finds which ranks with a terminal wait at a prompt, and where. Reports events: at most a few a second for
/// each rank, however fast it reaches and leaves prompts; the last state is always reported.
class PromptWatch : public QObject
{
    Q_OBJECT

public:
    /// @param pattern see PromptReader.
    explicit PromptWatch(const QString &pattern);

    /// Adds output of a process, by its index, on its terminal.
    void take(int process, QByteArrayView printed);
    /// The process has ended.
    void forget(int process) { m_ranks.erase(process); }

Q_SIGNALS:
    /// RunEvent AtPrompt or PromptLeft.
    void happened(const rankdeck::RunEvent &event);

private:
    struct Rank {
        PromptReader reader;
        std::optional<RankPrompt> told;
        QDateTime printed;  ///< Time of the last output, UTC.
        qint64 toldAt = 0;  ///< Monotonic, ms.
        bool isNew = false; ///< Something was printed since it was looked at.
    };

    void look();

    PromptReader m_reader; ///< Copied for each new rank.
    std::map<int, Rank> m_ranks;
    QTimer m_timer;
};

} // namespace rankdeck
