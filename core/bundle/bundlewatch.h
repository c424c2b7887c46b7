#pragma once

#include "bundle/openbundle.h"

#include <QObject>

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

public Q_SLOTS:
    /// Unpack it, and say what is in it.
    void open();

Q_SIGNALS:
    void stateChanged(const rankdeck::RunState &state);
    /// After stateChanged(): report and verdict as they were made; the verdict is invalid, without a failure,
    /// where there is none in it.
    void reportRead(const QString &report, const rankdeck::Verdict &verdict);
    /// It is no bundle, or cannot be unpacked; a sentence for the user.
    void failed(const QString &sentence);

private:
    QString m_path;
    std::optional<OpenedBundle> m_bundle;
};

} // namespace rankdeck
