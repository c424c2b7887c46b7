#pragma once

#include "debugger/promptreader.h"
#include "run/record/runevent.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>

namespace rankdeck
{

/// Finds which ranks with a terminal wait at a prompt, and where. Reports events: at most a few a second for
/// each rank, however fast it reaches and leaves prompts; the last state is always reported.
class PromptWatch : public QObject
{
    Q_OBJECT

public:
    /// @param pattern see PromptReader.
    explicit PromptWatch(const QString &pattern, QObject *parent = nullptr);

    /// Adds what a process, by its index, has printed on its terminal.
    void take(int process, QByteArrayView printed);
    /// It has ended.
    void forget(int process);

Q_SIGNALS:
    /// RunEvent AtPrompt or PromptLeft.
    void happened(const rankdeck::RunEvent &event);

private:
    struct Rank {
        PromptReader reader;
        std::optional<RankPrompt> told;
        QDateTime printed;  ///< The last of it, UTC.
        qint64 toldAt = 0;  ///< Monotonic, ms.
        bool isNew = false; ///< Something was printed since it was looked at.
    };

    void look();

    PromptReader m_reader; ///< That of each rank begins as.
    std::map<int, Rank> m_ranks;
    QTimer m_timer;
};

} // namespace rankdeck
