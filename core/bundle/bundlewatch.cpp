#include "bundle/bundlewatch.h"

#include <QMetaType>

namespace rankdeck
{

BundleWatch::BundleWatch(QString path, QObject *parent)
    : QObject(parent)
    , m_path(std::move(path))
{
    qRegisterMetaType<RunState>();
    qRegisterMetaType<Verdict>();
}

void BundleWatch::open()
{
    const auto bundle = openBundle(m_path, [this] { return m_isCancelled.load(); });
    if (!bundle) {
        Q_EMIT failed(bundle.error().sentence());
        return;
    }
    m_bundle = *bundle;
    Q_EMIT opened(m_bundle->origin, m_bundle->verdict.value_or(Verdict()));
    Q_EMIT stateChanged(m_bundle->state);
}

} // namespace rankdeck
