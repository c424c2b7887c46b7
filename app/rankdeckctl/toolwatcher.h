#pragma once

#include "runwatcher.h"

namespace rankdeck
{

/// Asks that a tool is attached to a rank, unless one of its kind is, and waits until it runs or cannot.
class ToolWatcher : public RunWatcher
{
    Q_OBJECT

public:
    ToolWatcher(const QString &runDirectory, ToolRequest request);

    /// Once it has run: by its index; -1: there is none, as the run has ended or has too many.
    int index() const { return m_index; }
    const QString &problem() const { return m_problem; }

protected:
    void ask(RunClient &client, const RunState &state) override;
    bool take(const RunState &state, const RunState *before) override;

private:
    bool isOfKind(const AttachedTool &tool) const;

    ToolRequest m_request;
    std::size_t m_known = 0; ///< Tools that were there before.
    int m_index = -1;
    QString m_problem;
};

} // namespace rankdeck
