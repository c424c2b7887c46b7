#pragma once

#include "launch/launchspec.h"
#include "launchform/plannedlaunch.h"

#include <QObject>

#include <optional>

namespace rankdeck
{

class Preflight;
class PreflightPage;

/// Makes preflights of launches, one at a time, and shows them in a page: plans the launch anew each time,
/// since what is mended may be outside the form.
class Preflighting : public QObject
{
    Q_OBJECT

public:
    /// @param page must outlive this.
    explicit Preflighting(PreflightPage *page, QObject *parent = nullptr);

    /// What went on before is cancelled.
    void start(const LaunchSpec &spec);
    /// Nothing is made any more.
    void stop();
    PreflightPage *page() const { return m_page; }

Q_SIGNALS:
    void launchWanted(const rankdeck::LaunchSpec &spec);

private:
    void make(const PlannedLaunch &planned);
    void cancel();
    void launch();

    PreflightPage *m_page;
    std::optional<LaunchSpec> m_spec;
    Preflight *m_preflight = nullptr; ///< A child; absent while a launch is planned.
    int m_round = 0;                  ///< A plan of another one comes too late.
};

} // namespace rankdeck
