#include "mainwindow/linkstatus.h"

#include "canvas/cellwidth.h"
#include "mainwindow/linkadvice.h"

#include <QLocale>
#include <QStatusBar>

#include <cmath>

namespace rankdeck
{

namespace
{

/// More than it takes to draw these words.
constexpr quint64 ownBytes = 1000;

/// Two digits that count: more would change all the time and say nothing.
QString shownNumber(double value)
{
    if (value < 100)
        return QString::number(qRound(value));
    const double step = std::pow(10, std::floor(std::log10(value)) - 1);
    return QLocale().toString(qRound64(value / step) * qint64(step));
}

} // namespace

void LinkStatus::addTo(QStatusBar *bar, const FramePacer &pacer, int interval)
{
    if (!pacer.isOverNetwork())
        return;
    auto *const status = new LinkStatus(pacer, interval, bar);
    bar->addPermanentWidget(status);
    connect(status, &LinkStatus::foundSlow, bar, [bar] {
        if (!LinkAdvice::isClosed())
            bar->addWidget(new LinkAdvice, 1);
    });
}

LinkStatus::LinkStatus(const FramePacer &pacer, int interval, QWidget *parent)
    : CanvasLabel(parent)
    , m_pacer(pacer)
    , m_bytesBefore(pacer.bytesSent())
{
    setObjectName(QStringLiteral("linkStatus"));
    setToolTip(tr("How long the display takes to answer, and what is sent there"));
    connect(&pacer, &FramePacer::answered, this, &LinkStatus::take);
    connect(&m_timer, &QTimer::timeout, this, &LinkStatus::look);
    m_sinceLook.start();
    m_timer.start(interval);
}

QSize LinkStatus::sizeHint() const
{
    // Always as wide, so that nothing beside it moves.
    const QSize cell = canvas().cellSize();
    return {cellWidth(tr("%1 ms  %2 kB/s").arg(u"9,900", u"99,000")) * cell.width(), cell.height()};
}

void LinkStatus::take(const FramePacer::Answer &answer)
{
    const bool wasSlow = m_meter.isSlow();
    m_meter.add(answer);
    if (m_meter.isSlow() && !wasSlow)
        Q_EMIT foundSlow();
}

void LinkStatus::look()
{
    const quint64 bytes = m_pacer.bytesSent();
    const quint64 sent = bytes - m_bytesBefore;
    const double rate = double(sent) / double(std::max<qint64>(1, m_sinceLook.restart()));
    m_bytesBefore = bytes;
    const auto roundTrip = m_meter.roundTrip();
    if (!roundTrip)
        return;
    // What is drawn here is answered too: that alone must not be a reason to draw it again.
    if (m_wait.isEmpty() || sent > ownBytes)
        m_wait = shownNumber(double(*roundTrip) / 1000);
    const QString words = tr("%1 ms  %2 kB/s").arg(m_wait, shownNumber(rate));
    if (words == text())
        return;
    setText(words);
    setAccessibleName(
        tr("The display answers within %1 ms; %2 kB/s are sent").arg(m_wait, shownNumber(rate)));
}

} // namespace rankdeck
