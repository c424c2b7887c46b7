#include "mainwindow/links/linkstatus.h"

#include "widgets/labels.h"
#include "widgets/widgetparts.h"

#include <QLocale>
#include <QSettings>
#include <QStatusBar>

#include <cmath>

namespace rankdeck
{

const QString closedKey = u"advice/sshCompressionClosed"_s;

/// More bytes than it takes to draw this text.
constexpr quint64 ownBytes = 1000;

/// Rounds to two significant digits: more would change all the time and mean nothing.
static QString shownNumber(double value)
{
    if (value < 100)
        return QString::number(qRound(value));
    const double step = std::pow(10, std::floor(std::log10(value)) - 1);
    return QLocale().toString(qRound64(value / step) * qint64(step));
}

LinkAdvice::LinkAdvice()
{
    setObjectName(u"linkAdvice"_s);
    auto *const words = new ElidedLabel(Qt::ElideRight, this);
    words->setText(tr("The connection to the display is slow. Try ssh -C, which compresses it."));
    auto *const button = new QToolButton(this);
    button->setText(tr("Close"));
    button->setToolTip(tr("Do not show this again"));
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this] {
        QSettings().setValue(closedKey, true);
        hide();
        deleteLater();
    });
    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    addParts(row, {{words, 1}, button});
}

void LinkStatus::addTo(QStatusBar *bar, const FramePacer &pacer, int interval)
{
    if (!pacer.isOverNetwork())
        return;
    auto *const status = new LinkStatus(pacer, interval, bar);
    bar->addPermanentWidget(status);
    connect(status, &LinkStatus::foundSlow, bar, [bar] {
        if (!QSettings().value(closedKey).toBool())
            bar->addWidget(new LinkAdvice, 1);
    });
}

LinkStatus::LinkStatus(const FramePacer &pacer, int interval, QWidget *parent)
    : CanvasLabel(parent)
    , m_pacer(pacer)
    , m_bytesBefore(pacer.bytesSent())
{
    setObjectName(u"linkStatus"_s);
    setToolTip(tr("Latency of the display, and how much is sent to it"));
    connect(&pacer, &FramePacer::answered, this, &LinkStatus::take);
    connect(&m_timer, &QTimer::timeout, this, &LinkStatus::look);
    m_sinceLook.start();
    m_timer.start(interval);
}

QSize LinkStatus::sizeHint() const
{
    // The width is constant, so that nothing beside it moves.
    return cells(cellWidth(tr("%1 ms  %2 kB/s").arg(u"9,900", u"99,000")), 1);
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
    // Drawing this text is answered too: that alone must not be a reason to draw it again.
    if (m_wait.isEmpty() || sent > ownBytes)
        m_wait = shownNumber(double(*roundTrip) / 1000);
    const QString words = tr("%1 ms  %2 kB/s").arg(m_wait, shownNumber(rate));
    if (words == text())
        return;
    setText(words);
    setAccessibleName(tr("Display latency %1 ms, sending %2 kB/s").arg(m_wait, shownNumber(rate)));
}

} // namespace rankdeck
