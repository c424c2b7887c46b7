#include "terminal/view/terminalpane.h"

#include "terminal/view/terminalview.h"
#include "widgets/labels.h"
#include "widgets/steadyviews.h"

#include <QLocale>

#include <limits>

namespace rankdeck
{

constexpr int barInterval = 1000; // ms

TerminalPane::TerminalPane(int process, QWidget *parent)
    : TilePane(parent)
    , m_process(process)
{
    setManualPage(this, "debugging.md");
    m_body = new QWidget(this);
    m_view = new TerminalView(m_body);
    m_view->setTakesKeys(true);
    m_bar = named(new SteadyScrollBar(Qt::Vertical, m_body), "", tr("Scroll through the terminal"));
    m_bar->setRange(0, 0);
    addParts(withoutMargins(new QHBoxLayout(m_body), 0), {{m_view, 1}, m_bar});

    m_none = plainLabel("");
    m_none->setAlignment(Qt::AlignCenter);
    m_none->setMargin(12);
    m_none->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_none->hide();

    m_line = named(new QWidget(this), "keyboardLine");
    m_lineText = new ElidedLabel(Qt::ElideRight, m_line);
    m_take = named(new QPushButton(tr("Take the keyboard"), m_line), "takeKeyboardButton");
    auto *const line = new QHBoxLayout(m_line);
    line->setContentsMargins(6, 2, 6, 2);
    addParts(line, {{m_lineText, 1}, m_take});
    m_line->hide();

    addBelow(m_body, 1);
    addBelow(m_none, 1);
    addBelow(m_line, 0);
    setFocusProxy(m_view);
    setHint(m_view->accessibleDescription());

    connect(&m_barTimer, &QTimer::timeout, this, &TerminalPane::showBar);
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        if (!m_showingBar)
            m_view->scrollTo(m_view->terminalScreen().firstLine() + value);
    });
    connect(m_view, &TerminalView::scrolled, this, &TerminalPane::showBarSoon);
    connect(m_view, &TerminalView::typed, this, [this](const QByteArray &bytes) {
        if (m_follower)
            QMetaObject::invokeMethod(m_follower.get(), &TerminalFollower::expectNews);
        Q_EMIT typed({{m_process}, bytes, {}});
    });
    connect(m_view, &TerminalView::sizeChanged, this, [this] {
        reportSize();
        showBar();
        if (m_follower && !std::exchange(m_hasStarted, true))
            QMetaObject::invokeMethod(m_follower.get(), &TerminalFollower::start);
    });
    connect(m_view, &TerminalView::focusChanged, this, [this](bool hasFocus) {
        if (hasFocus)
            reportSize();
    });
    connect(m_view, &TerminalView::titleChanged, this, [this](const QString &title) {
        m_programTitle = title;
        showStatus();
    });
    connect(m_take, &QPushButton::clicked, this, &TerminalPane::keyboardRequested);
}

void TerminalPane::follow(RemoteOwner<TerminalFollower> follower)
{
    m_follower = std::move(follower);
    connect(m_follower.get(), &TerminalFollower::part, this, &TerminalPane::showPart);
}

void TerminalPane::retire()
{
    m_follower.reset();
    m_view->setTakesKeys(false);
    TilePane::retire();
}

void TerminalPane::showPart(const TerminalFollower::Part &part)
{
    if (!m_follower)
        return; // The follower sent the part before retire().
    if (part.isFirst)
        m_view->reset();
    if (part.skipped > 0)
        m_view->remark(tr("… %1 not shown here; the log has them.")
                           .arg(QLocale().formattedDataSize(part.skipped, 0, QLocale::DataSizeSIFormat)));
    m_view->write(part.bytes, !part.isOld && m_view->takesKeys());
    QMetaObject::invokeMethod(m_follower.get(), &TerminalFollower::taken);
}

void TerminalPane::reportSize()
{
    if (m_view->takesKeys() && m_follower && m_view->isVisible())
        Q_EMIT typed({{m_process}, {}, m_view->fittingSize()});
}

void TerminalPane::showNone(const QString &sentence)
{
    m_view->setTakesKeys(false);
    m_body->hide();
    m_none->setText(sentence);
    m_none->show();
    m_none->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_none);
}

void TerminalPane::setTitle(const QString &title)
{
    showTitle(title);
    m_view->setTitle(title);
    setAccessibleName(title.isEmpty() ? tr("Terminal") : tr("Terminal of %1").arg(title));
}

void TerminalPane::showStatus()
{
    QStringList parts{m_state, m_programTitle};
    parts.removeAll(QString());
    showStatusText(parts.join(u" · "_s));
}

void TerminalPane::setKeyboard(bool isOurs, const QString &holder)
{
    m_isOurs = isOurs;
    m_holder = holder;
    showKeyboard();
}

void TerminalPane::showKeyboard()
{
    const bool isTerminal = !m_body->isHidden();
    const bool takes = isTerminal && m_isOurs && m_ending.isEmpty();
    const bool gained = takes && !m_view->takesKeys();
    m_view->setTakesKeys(takes);
    m_line->setVisible(isTerminal && !takes);
    m_take->setVisible(m_ending.isEmpty());
    if (!m_ending.isEmpty())
        m_lineText->setText(m_ending);
    else if (m_holder.isEmpty())
        m_lineText->setText(tr("This window does not have the keyboard."));
    else
        m_lineText->setText(tr("%1 has the keyboard.").arg(m_holder));
    if (gained)
        reportSize();
}

void TerminalPane::setText(const QString &family, qreal points)
{
    QFont font = m_view->font();
    font.setPointSizeF(points);
    font.setFamilies(family.isEmpty() ? this->font().families() : QStringList{family});
    font.setFixedPitch(!family.isEmpty());
    m_view->setFont(font);
}

/// Moves the bar rarely during a flood: each move sends its pixels to the display.
void TerminalPane::showBarSoon()
{
    const bool isFollowing = m_view->isFollowing();
    if (!isFollowing || std::exchange(m_wasFollowing, isFollowing) != isFollowing || m_bar->maximum() == 0)
        showBar();
    else if (!m_barTimer.isActive())
        m_barTimer.start(barInterval);
    m_wasFollowing = isFollowing;
}

void TerminalPane::showBar()
{
    const TerminalScreen &screen = m_view->terminalScreen();
    const auto barValue = [&](qint64 line) {
        return int(std::clamp<qint64>(line - screen.firstLine(), 0, std::numeric_limits<int>::max()));
    };
    m_showingBar = true;
    m_bar->setRange(0, barValue(screen.topLine()));
    m_bar->setPageStep(screen.size().rows);
    m_bar->setValue(barValue(m_view->topLine()));
    m_showingBar = false;
}

} // namespace rankdeck
