#include "widgets/texthistory.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>

namespace rankdeck
{

/// Themes have arrows of all colours.
static QIcon triangle(const QWidget *widget)
{
    constexpr int side = 16;
    const qreal ratio = widget->devicePixelRatioF();
    QPixmap picture(QSize(side, side) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(widget->palette().color(QPalette::Text));
    painter.drawPolygon(QPolygonF({{4, 6}, {12, 6}, {8, 11}}));
    return picture;
}

TextHistory::TextHistory(QLineEdit *edit, const QString &key)
    : QObject(edit)
    , m_edit(edit)
    , m_key(key)
{
    m_list.setModel(&m_model);
    m_list.setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_list.setWidget(edit);
    edit->installEventFilter(this);
    QAction *const arrow = edit->addAction(triangle(edit), QLineEdit::TrailingPosition);
    arrow->setToolTip(tr("Earlier texts (Down)"));
    connect(arrow, &QAction::triggered, this, &TextHistory::show);
    connect(edit, &QLineEdit::editingFinished, this, &TextHistory::remember);
    connect(&m_list, qOverload<const QString &>(&QCompleter::activated), edit, &QLineEdit::setText);
}

void TextHistory::remember()
{
    const QString text = m_edit->text();
    QStringList all = texts();
    if (text.isEmpty() || (!all.isEmpty() && all.constFirst() == text))
        return;
    all.removeAll(text);
    all.prepend(text);
    QSettings().setValue(m_key, all.mid(0, most));
}

void TextHistory::show()
{
    m_model.setStringList(texts());
    if (m_model.rowCount() > 0)
        m_list.complete();
}

bool TextHistory::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Down) {
        show();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace rankdeck
