#include "logview/findbar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace rankdeck
{

namespace
{

// The wider a line edit, the more pixels each of its repaints sends.
constexpr int editWidth = 220;
constexpr int pauseInterval = 300; // ms

QToolButton *button(const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *const made = new QToolButton(parent);
    made->setText(text);
    made->setToolTip(toolTip);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    return made;
}

} // namespace

FindBar::FindBar(QWidget *parent)
    : QWidget(parent)
{
    m_edit = new QLineEdit(this);
    m_edit->setMaximumWidth(editWidth);
    m_edit->setPlaceholderText(tr("Find in this log"));
    m_edit->setAccessibleName(tr("Find in this log"));
    m_regex = new QCheckBox(tr("Rege&x"), this);
    m_regex->setObjectName(QStringLiteral("findRegex"));
    m_regex->setToolTip(tr("Look for a regular expression (RE2 syntax)"));
    m_case = new QCheckBox(tr("&Case"), this);
    m_case->setToolTip(tr("Tell upper from lower case"));
    auto *const previous = button(tr("Previous"), tr("Previous match (Shift+F3)"), this);
    auto *const next = button(tr("Next"), tr("Next match (F3)"), this);
    m_result = new QLabel(this);
    m_result->setTextFormat(Qt::PlainText);
    m_result->setAccessibleName(tr("Search result"));
    m_result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *const close = button(tr("Close"), tr("Close the find bar (Esc)"), this);

    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(4, 2, 4, 2);
    row->setSpacing(4);
    row->addWidget(m_edit, 3);
    row->addWidget(previous);
    row->addWidget(next);
    row->addWidget(m_regex);
    row->addWidget(m_case);
    row->addSpacing(4);
    row->addWidget(m_result, 2);
    row->addWidget(close);

    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseInterval);
    connect(&m_pause, &QTimer::timeout, this, &FindBar::editingPaused);
    connect(m_edit, &QLineEdit::textChanged, this, &FindBar::onEdited);
    connect(m_regex, &QCheckBox::toggled, this, &FindBar::onEdited);
    connect(m_case, &QCheckBox::toggled, this, &FindBar::onEdited);
    // Toggled in the midst of typing.
    connect(m_regex, &QCheckBox::clicked, m_edit, qOverload<>(&QLineEdit::setFocus));
    connect(m_case, &QCheckBox::clicked, m_edit, qOverload<>(&QLineEdit::setFocus));
    connect(this, &FindBar::findWanted, &m_pause, &QTimer::stop);
    connect(this, &FindBar::closed, &m_pause, &QTimer::stop);
    connect(previous, &QToolButton::clicked, this, [this] { Q_EMIT findWanted(true); });
    connect(next, &QToolButton::clicked, this, [this] { Q_EMIT findWanted(false); });
    connect(close, &QToolButton::clicked, this, &FindBar::closed);
}

LogPattern FindBar::pattern() const
{
    return {m_edit->text(), m_regex->isChecked(), m_case->isChecked()};
}

void FindBar::onEdited()
{
    m_matcher.reset();
    m_pause.stop();
    QString trouble;
    if (!m_edit->text().isEmpty()) {
        if (Result<LogMatcher> matcher = LogMatcher::create(pattern())) {
            m_matcher = matcher.value();
            m_pause.start();
        } else {
            trouble = matcher.error().what;
        }
    }
    Q_EMIT edited();
    setResult(trouble);
}

void FindBar::open(const QString &suggestion)
{
    if (!suggestion.isEmpty())
        m_edit->setText(suggestion);
    show();
    m_edit->selectAll();
    m_edit->setFocus(Qt::ShortcutFocusReason);
}

void FindBar::setResult(const QString &result)
{
    if (m_result->text() == result)
        return;
    m_result->setText(result);
    m_result->setToolTip(result);
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_edit->hasFocus())
        Q_EMIT findWanted(event->modifiers().testFlag(Qt::ShiftModifier));
    else
        QWidget::keyPressEvent(event);
}

} // namespace rankdeck
