#pragma once

#include <QWidget>

namespace rankdeck
{

/// One line of plain text that gives way: it is cut with "…" where the place is too narrow, and never asks
/// for more.
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    enum class Voice { Normal, Quiet, Bad };

    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget *parent = nullptr);

    void setText(const QString &text);
    void setVoice(Voice voice);
    const QString &text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Qt::TextElideMode m_mode;
    Voice m_voice = Voice::Normal;
    QString m_text;
};

} // namespace rankdeck
