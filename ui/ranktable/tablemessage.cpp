#include "ranktable/tablemessage.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

TableMessage::TableMessage(QWidget *parent)
    : QWidget(parent)
    , m_title(new QLabel)
    , m_text(new QLabel)
{
    m_title->setObjectName(QStringLiteral("tableMessageTitle"));
    m_text->setObjectName(QStringLiteral("tableMessageText"));
    for (QLabel *label : {m_title, m_text}) {
        label->setTextFormat(Qt::PlainText);
        label->setAlignment(Qt::AlignCenter);
        label->setWordWrap(true);
    }
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_title->setFont(large);
    auto *open = new QPushButton(tr("Open rank table…"));
    open->setObjectName(QStringLiteral("openTableButton"));
    connect(open, &QPushButton::clicked, this, &TableMessage::openWanted);

    auto *layout = new QVBoxLayout(this);
    layout->addStretch(2);
    layout->addWidget(m_title);
    layout->addSpacing(6);
    layout->addWidget(m_text);
    layout->addSpacing(14);
    layout->addWidget(open, 0, Qt::AlignHCenter);
    layout->addStretch(3);
}

void TableMessage::setMessage(const QString &title, const QString &text)
{
    m_title->setText(title);
    m_text->setText(text);
}

QString TableMessage::text() const
{
    return m_title->text() + QLatin1Char('\n') + m_text->text();
}

} // namespace rankdeck
