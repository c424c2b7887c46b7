#pragma once

#include "bundle/openbundle.h"

#include <QObject>

#include <atomic>
#include <optional>

namespace rankdeck
{

/// Shows a bundle as RunClient shows a run; it never changes. Its unpacked files go with this object. Lives
/// in any thread with an event loop and does its file access there: keep it off the GUI thread.
class BundleWatch : public QObject
{
    Q_OBJECT

public:
    explicit BundleWatch(QString path, QObject *parent = nullptr);

    /// Unpack no further: failed() says so. From any thread.
    void cancel() { m_isCancelled = true; }

public Q_SLOTS:
    /// Unpack it, and say what is in it.
    void open();

Q_SIGNALS:
    /// Before stateChanged(): a sentence on where and when it was made, and the verdict as it was made;
    /// without a failure where there is none in it.
    void opened(const QString &origin, const rankdeck::Verdict &verdict);
    void stateChanged(const rankdeck::RunState &state);
    /// It is no bundle, cannot be unpacked, or that was cancelled; a sentence for the user.
    void failed(const QString &sentence);

private:
    QString m_path;
    std::atomic_bool m_isCancelled = false;
    std::optional<OpenedBundle> m_bundle;
};

} // namespace rankdeck
