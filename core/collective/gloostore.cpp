#include "collective/gloostore.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype longestPart = 48 * 1024;

QByteArray partKey(const QByteArray &key, qsizetype part)
{
    return key + '/' + QByteArray::number(part);
}

} // namespace

GlooStore::GlooStore(StoreClient &store, QByteArray prefix, std::chrono::milliseconds timeout)
    : m_store(store)
    , m_prefix(std::move(prefix))
    , m_timeout(timeout)
{
}

void GlooStore::set(const std::string &key, const std::vector<char> &data)
{
    const QByteArray name = m_prefix + QByteArray::fromStdString(key);
    const QByteArray value(data.data(), static_cast<qsizetype>(data.size()));
    const qsizetype parts = std::max<qsizetype>(1, (value.size() + longestPart - 1) / longestPart);
    for (qsizetype part = 1; part < parts; ++part)
        m_store.set(partKey(name, part), value.mid(part * longestPart, longestPart));
    // The last to come: who has it finds the others there.
    m_store.set(name, QByteArray::number(parts) + ' ' + value.left(longestPart));
}

std::vector<char> GlooStore::get(const std::string &key)
{
    const QByteArray name = m_prefix + QByteArray::fromStdString(key);
    const QDeadlineTimer deadline(m_timeout);
    const QByteArray first = m_store.get(name, deadline);
    const qsizetype blank = first.indexOf(' ');
    QByteArray value = first.mid(blank + 1);
    for (int part = 1; part < first.left(blank).toInt(); ++part)
        value += m_store.get(partKey(name, part), deadline);
    return {value.begin(), value.end()};
}

void GlooStore::wait(const std::vector<std::string> &keys)
{
    wait(keys, m_timeout);
}

void GlooStore::wait(const std::vector<std::string> &keys, const std::chrono::milliseconds &timeout)
{
    QList<QByteArray> names;
    for (const std::string &key : keys)
        names << m_prefix + QByteArray::fromStdString(key);
    m_store.wait(names, QDeadlineTimer(timeout));
}

} // namespace rankdeck
