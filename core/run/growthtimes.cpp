#include "run/growthtimes.h"

#include <QFile>
#include <QtEndian>

namespace rankdeck
{

namespace
{

constexpr qint64 markBytes = 16;
constexpr qint64 marksAtOnce = 256;
constexpr qint64 lookMs = 100;

} // namespace

GrowthTimes::GrowthTimes(QString file)
    : m_file(std::move(file))
{
}

std::optional<QDateTime> GrowthTimes::reached(qint64 size)
{
    while ((!m_last || m_last->size < size) && (m_next < m_marks.size() || readOn()))
        m_last = m_marks[m_next++];
    if (!m_last)
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(m_last->time, Qt::UTC);
}

bool GrowthTimes::readOn()
{
    if (m_sinceEnd.isValid() && m_sinceEnd.elapsed() < lookMs)
        return false;
    m_sinceEnd.start();
    // Not kept open: a run of many ranks has as many logs open already.
    QFile file(m_file);
    if (!file.open(QIODevice::ReadOnly) || !file.seek(m_offset))
        return false;
    const QByteArray bytes = file.read(marksAtOnce * markBytes);
    m_marks.clear();
    m_next = 0;
    for (qint64 at = 0; at + markBytes <= bytes.size(); at += markBytes)
        m_marks.push_back({qFromLittleEndian<qint64>(bytes.constData() + at),
                           qFromLittleEndian<qint64>(bytes.constData() + at + markBytes / 2)});
    m_offset += static_cast<qint64>(m_marks.size()) * markBytes;
    if (!m_marks.empty())
        m_sinceEnd.invalidate();
    return !m_marks.empty();
}

} // namespace rankdeck
