#include "replaybar/replaybar.h"

#include "base/times.h"
#include "widgets/labels.h"
#include "widgets/tone.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyleOptionSlider>
#include <QToolTip>

namespace rankdeck
{

static Tone toneOf(ReplayMark::Kind kind)
{
    static constexpr std::array tones{Tone::Bad,     Tone::Caution, Tone::Caution,
                                      Tone::Caution, Tone::Ended,   Tone::Ended};
    static_assert(tones.size() == std::size_t(ReplayMark::Kind::Note) + 1);
    return tones.at(std::size_t(kind));
}

MarkedSlider::MarkedSlider(QWidget *parent)
    : QSlider(Qt::Horizontal, parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void MarkedSlider::setMarks(const QDateTime &begin, const QDateTime &end, const QList<ReplayMark> &marks)
{
    m_begin = begin;
    m_marks = marks;
    std::ranges::stable_sort(m_marks, std::greater(), &ReplayMark::kind);
    constexpr int perSecond = 1000 / msOfStep;
    constexpr int secondsOfStep = 10;
    setRange(0, int(std::min<qint64>(begin.msecsTo(end) / msOfStep, std::numeric_limits<int>::max())));
    setSingleStep(secondsOfStep * perSecond);
    setPageStep(std::max(singleStep(), maximum() / 10));
    update();
}

int MarkedSlider::valueAt(int x) const
{
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, nullptr, this);
    return QStyle::sliderValueFromPosition(minimum(), maximum(), x - handle / 2, width() - handle);
}

void MarkedSlider::setSteps(const QList<ReplayStep> &steps)
{
    m_steps = steps;
    updateGeometry();
    update();
}

int MarkedSlider::placeOf(const QDateTime &time) const
{
    const int handle = style()->pixelMetric(QStyle::PM_SliderLength, nullptr, this);
    const qint64 value = std::clamp<qint64>(m_begin.msecsTo(time) / msOfStep, 0, maximum());
    return handle / 2 + QStyle::sliderPositionFromValue(minimum(), maximum(), int(value), width() - handle);
}

const ReplayMark *MarkedSlider::markAt(const QPoint &place) const
{
    if (place.y() >= letterHeight())
        return nullptr;
    const int reach = fontMetrics().averageCharWidth();
    const ReplayMark *nearest = nullptr;
    for (const ReplayMark &mark : m_marks) {
        const int distance = std::abs(placeOf(mark.time) - place.x());
        if (distance <= reach && (!nearest || mark.kind != ReplayMark::Kind::Note))
            nearest = &mark;
    }
    return nearest;
}

bool MarkedSlider::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QSlider::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const ReplayMark *const mark = markAt(help->pos()))
        QToolTip::showText(help->globalPos(), (clockText(mark->time) + u' ' + mark->text).toHtmlEscaped(),
                           this);
    else
        QToolTip::hideText();
    return true;
}

void MarkedSlider::drawMarks(QPainter &painter) const
{
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    const int cell = painter.fontMetrics().horizontalAdvance(u'N') + 2;
    QRegion drawn;
    // Where letters would overlap, what matters most is shown.
    for (auto mark = m_marks.crbegin(); mark != m_marks.crend(); ++mark) {
        const QRect area(placeOf(mark->time) - cell / 2, 0, cell, letterHeight());
        if (drawn.intersects(area))
            continue;
        drawn += area;
        painter.setPen(toneColor(toneOf(mark->kind), palette()));
        painter.drawText(area, Qt::AlignCenter, markLetter(mark->kind));
    }
}

void MarkedSlider::drawSteps(QPainter &painter) const
{
    painter.setFont(font());
    painter.setPen(quietColor(palette()));
    const int gap = 2 * fontMetrics().averageCharWidth();
    int free = 0; // Where the next text may begin.
    qint64 last = -1;
    for (const ReplayStep &step : m_steps) {
        const QString text = tr("step %1").arg(step.step);
        const int width = fontMetrics().horizontalAdvance(text);
        const int left = placeOf(step.time) - width / 2;
        if (left < free || left + width > this->width() || step.step == last)
            continue;
        last = step.step;
        painter.drawText(QRect(left, height() - letterHeight(), width, letterHeight()), Qt::AlignCenter,
                         text);
        free = left + width + gap;
    }
}

void MarkedSlider::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    drawMarks(painter);
    drawSteps(painter);
    QStyleOptionSlider option;
    initStyleOption(&option);
    option.rect.adjust(0, letterHeight(), 0, m_steps.isEmpty() ? 0 : -letterHeight());
    option.subControls = QStyle::SC_SliderGroove | QStyle::SC_SliderHandle;
    style()->drawComplexControl(QStyle::CC_Slider, &option, &painter, this);
}

void MarkedSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const ReplayMark *const mark = markAt(event->position().toPoint());
    setSliderDown(true);
    setValue(mark ? int(m_begin.msecsTo(mark->time) / msOfStep) : valueAt(event->position().toPoint().x()));
}

void MarkedSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown())
        setValue(valueAt(event->position().toPoint().x()));
}

ReplayBar::ReplayBar(QWidget *parent)
    : QWidget(parent)
    , m_play(addAction(tr("&Play or pause"), "replayPlayAction", Qt::Key_F7, "media-playback-start",
                       [](ReplayPlayer &player) { player.playOrPause(); }))
    , m_back(addAction(tr("To the mark &before"), "replayBackAction", Qt::Key_F6, "media-skip-backward",
                       [](ReplayPlayer &player) { player.goToMark(false); }))
    , m_next(addAction(tr("To the &next mark"), "replayNextAction", Qt::Key_F8, "media-skip-forward",
                       [](ReplayPlayer &player) { player.goToMark(true); }))
    , m_slider(named(new MarkedSlider(this), "replaySlider", tr("Time of the replay")))
    , m_time(plainLabel("replayTime"))
    , m_speed(named(new QComboBox(this), "replaySpeed", tr("Speed")))
    , m_close(plainButton(tr("En&d replay"), "replayClose"))
    , m_last(named(new ElidedLabel(Qt::ElideRight, this), "replayLast"))
{
    setManualPage(this, "window.md");
    setObjectName(u"replayBar"_s);
    m_time->setWordWrap(false);
    useFixedFont(m_time);
    m_last->setVoice(ElidedLabel::Voice::Quiet);
    for (const double speed : ReplayPlayer::speeds())
        m_speed->addItem(u"x%1"_s.arg(speed), speed);
    m_speed->setToolTip(tr("How many seconds of the run pass in one"));
    m_close->setToolTip(tr("Show the run as it is now"));
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        if (m_player)
            m_player->goTo(m_player->replay().begin().addMSecs(qint64(value) * MarkedSlider::msOfStep));
    });
    connect(m_speed, &QComboBox::activated, this, [this] {
        if (m_player)
            m_player->setSpeed(m_speed->currentData().toDouble());
    });
    connect(m_close, &QPushButton::clicked, this, &ReplayBar::closeRequested);
    onPaletteChange(this, [this] {
        if (m_player)
            showPlaying();
    });
    layOut();
    setPlayer(nullptr);
}

QAction *ReplayBar::addAction(const QString &text, const char *name, Qt::Key key, const char *icon,
                              void (*act)(ReplayPlayer &player))
{
    auto *action = named(new QAction(text, this), name);
    action->setShortcut(key);
    action->setToolTip(
        tr("%1 (%2)", "action, key").arg(withoutMnemonic(text), action->shortcut().toString()));
    adaptToPalette(this, [this, action, icon] { action->setIcon(toolIcon(icon, palette())); });
    connect(action, &QAction::triggered, this, [this, act] {
        if (m_player)
            act(*m_player);
    });
    return action;
}

void ReplayBar::layOut()
{
    auto *row = new QHBoxLayout;
    for (QAction *const action : {m_back, m_play, m_next}) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        if (action == m_play)
            m_playButton = named(button, "replayPlay");
        row->addWidget(button);
    }
    addParts(row, {{m_slider, 1}, m_time, Gap{10}, m_speed, m_close});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 0, 10, 6);
    layout->setSpacing(2);
    addParts(layout, {row, m_last});
}

void ReplayBar::setPlayer(ReplayPlayer *player)
{
    m_player = player;
    setVisible(player != nullptr);
    for (QAction *const action : playActions())
        action->setEnabled(player != nullptr);
    if (!player)
        return;
    const RunReplay &replay = player->replay();
    {
        const QSignalBlocker blocker(m_slider); // The slider does not move the replay yet.
        m_slider->setMarks(replay.begin(), replay.end(), replay.marks());
    }
    m_slider->setSteps(player->steps());
    connect(player, &ReplayPlayer::stepsFound, this, [this] {
        if (m_player)
            m_slider->setSteps(m_player->steps());
    });
    connect(player, &ReplayPlayer::moved, this, &ReplayBar::showTime);
    showPlaying();
    showTime();
    m_playButton->setFocus();
}

void ReplayBar::showPlaying()
{
    m_isPlaying = m_player->isPlaying();
    m_play->setIcon(toolIcon(m_isPlaying ? "media-playback-pause" : "media-playback-start", palette()));
    m_playButton->setAccessibleName(m_isPlaying ? tr("Pause") : tr("Play"));
}

void ReplayBar::showTime()
{
    if (!m_player)
        return;
    const RunReplay &replay = m_player->replay();
    const QDateTime time = m_player->time();
    if (!m_slider->isSliderDown()) {
        const QSignalBlocker blocker(m_slider);
        m_slider->setValue(int(replay.begin().msecsTo(time) / MarkedSlider::msOfStep));
    }
    m_time->setText(u"%1 / %2  %3"_s.arg(elapsedText(replay.begin().secsTo(time)),
                                         elapsedText(replay.begin().secsTo(replay.end())), clockText(time)));
    if (m_isPlaying != m_player->isPlaying())
        showPlaying();
    // A mark of this moment has happened.
    const auto last = replay.markBefore(time.addMSecs(1));
    m_last->setText(last ? clockText(last->time) + u' ' + last->text.simplified()
                         : tr("Nothing has happened yet."));
    m_back->setEnabled(replay.markBefore(time).has_value());
    m_next->setEnabled(replay.markAfter(time).has_value());
    showSpeed();
}

void ReplayBar::showSpeed()
{
    if (m_speed->findData(m_player->speed()) < 0)
        m_speed->addItem(u"x%1"_s.arg(m_player->speed()), m_player->speed());
    m_speed->setCurrentIndex(m_speed->findData(m_player->speed()));
}

} // namespace rankdeck
