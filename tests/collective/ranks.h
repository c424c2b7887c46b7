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
        environment.insert(u"RANK"_s, QString::number(rank));
        environment.insert(u"WORLD_SIZE"_s, QString::number(m_worldSize));
        environment.insert(u"MASTER_ADDR"_s, m_master);
        environment.insert(u"MASTER_PORT"_s, QString::number(m_port));
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
    QString m_master = u"127.0.0.1"_s;
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

} // namespace rankdeck
