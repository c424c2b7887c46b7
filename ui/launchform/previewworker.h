#pragma once

#include "launchform/previewresult.h"

#include <QObject>

namespace rankdeck
{

/// The part of a PlanPreview that blocks; lives in its thread.
class PreviewWorker : public QObject
{
    Q_OBJECT

public:
    /// @param chip whose rules the rank table is checked by.
    void make(const LaunchSpec &spec, Chip chip);

Q_SIGNALS:
    void ready(const rankdeck::PreviewResult &result);
};

} // namespace rankdeck
