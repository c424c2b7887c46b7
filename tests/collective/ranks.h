#pragma once

#include "support/freeport.h"
#include "support/programs.h"

#include <QProcess>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Processes that are the ranks of one world.
class Ranks
{
public:
    explicit Ranks(int worldSize)
        : m_worldSize(worldSize)
        , m_port(freePort())
    {
    }

    QProcess &start(int rank, const QString &program, const QStringList &arguments)
    {
        m_processes.push_back(std::make_unique<QProcess>());
        QProcess &process = *m_processes.back();
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("RANK"), QString::number(rank));
        environment.insert(QStringLiteral("WORLD_SIZE"), QString::number(m_worldSize));
        environment.insert(QStringLiteral("MASTER_ADDR"), m_master);
        environment.insert(QStringLiteral("MASTER_PORT"), QString::number(m_port));
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        return process;
    }
    void startAll(const QString &program, const QStringList &arguments)
    {
        for (int rank = 0; rank < m_worldSize; ++rank)
            start(rank, program, arguments);
    }
    void setMaster(const QString &host) { m_master = host; }
    QProcess &operator[](int started) { return *m_processes[static_cast<std::size_t>(started)]; }
    /// Of all that were started, in that order.
    std::vector<Outcome> outcomes()
    {
        std::vector<Outcome> all;
        for (const auto &process : m_processes)
            all.push_back(outcomeOf(*process));
        return all;
    }

private:
    int m_worldSize;
    quint16 m_port;
    QString m_master = QStringLiteral("127.0.0.1");
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace rankdeck
