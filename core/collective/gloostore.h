#pragma once

#include "collective/storeclient.h"

#include <gloo/rendezvous/store.h>

namespace rankdeck
{

/// A StoreClient as Gloo asks for it, all keys below a prefix. What is larger than a value may be is set in
/// parts.
class GlooStore : public gloo::rendezvous::Store
{
public:
    GlooStore(StoreClient &store, QByteArray prefix, std::chrono::milliseconds timeout);

    void set(const std::string &key, const std::vector<char> &data) override;
    std::vector<char> get(const std::string &key) override;
    void wait(const std::vector<std::string> &keys) override;
    void wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout) override;

private:
    StoreClient &m_store;
    QByteArray m_prefix;
    std::chrono::milliseconds m_timeout;
};

} // namespace rankdeck
