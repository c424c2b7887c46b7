#pragma once

#include "background/iothread.h"
#include "launchform/previewresult.h"

#include <QObject>
#include <QTimer>

namespace rankdeck
{

class PreviewWorker;

/// Makes the plan of a spec that is being edited, off the GUI thread. Requests are gathered for 150 ms and
/// the newest wins: a result that was overtaken by a later request is dropped.
class PlanPreview : public QObject
{
    Q_OBJECT

public:
    explicit PlanPreview(QObject *parent = nullptr);

    void request(const LaunchSpec &spec);
    /// Whether a request has not been answered yet.
    bool isPending() const { return m_wanted.has_value() || m_busy; }

Q_SIGNALS:
    void ready(const rankdeck::PreviewResult &result);

private:
    void send();
    void receive(const PreviewResult &result);

    IoThread m_thread;
    PreviewWorker *m_worker; ///< Lives in and is deleted by m_thread.
    QTimer m_debounce;
    std::optional<LaunchSpec> m_wanted;
    bool m_busy = false;
};

} // namespace rankdeck
