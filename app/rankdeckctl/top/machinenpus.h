#pragma once

#include "background/inbackground.h"
#include "device/sampling/devicesampler.h"

namespace rankdeck
{

/// The NPUs of this machine as a text, without a run: read while the user looks at them.
class MachineNpus : public QObject
{
    Q_OBJECT

public:
    MachineNpus();

    /// Sets whether the text is visible. Nothing is read before.
    void setSeen(bool isSeen);
    /// Returns the table of `rankdeckctl devices`, or the reason why there is none.
    const QString &text() const { return m_text; }

Q_SIGNALS:
    void changed();

private:
    void start();

    QString m_text;
    std::unique_ptr<DeviceSampler> m_sampler;
    NewestWins<QString> m_making;
};

} // namespace rankdeck
