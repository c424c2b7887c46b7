#pragma once

#include "base/tr.h"

#include <QLabel>
#include <QWidget>

namespace rankdeck
{

/// Returns the text with its first letter as a capital: authors write errors in lower case. A name with an
/// underline, such as "device_ip", stays unchanged.
QString upperFirst(QString text);

/// Returns the words of an action or a label: without the mnemonic, "&Run" or "运行(&R)", and without "…".
QString withoutMnemonic(QString text);

/// The small line under a field: its help in a quiet colour, or its problem with a sign and in a colour that
/// is legible on light and dark palettes. Plain text only.
class NoteLabel : public QWidget
{
    Q_OBJECT

public:
    /// @param textName object name of the QLabel that holds the text.
    explicit NoteLabel(const QString &textName, QWidget *parent = nullptr);

    void setHelp(const QString &help)
    {
        if (std::exchange(m_help, help) != help)
            refresh();
    }
    /// Shows a problem in place of the help; empty: the help again.
    void setProblem(const QString &problem)
    {
        if (std::exchange(m_problem, problem) != problem)
            refresh();
    }
    bool hasProblem() const { return !m_problem.isEmpty(); }
    QString text() const { return m_text.text(); }

private:
    void refresh();
    void colour();

    QLabel m_sign;
    QLabel m_text;
    QString m_help;
    QString m_problem;
};

/// One line of plain text that is cut with "…" where it does not fit, and never widens its layout.
class ElidedLabel : public QWidget
{
    Q_OBJECT

public:
    enum class Voice { Normal, Quiet, Bad };

    explicit ElidedLabel(Qt::TextElideMode mode = Qt::ElideRight, QWidget *parent = nullptr);

    void setText(const QString &text);
    /// Also hides the label while the text is empty.
    void showText(const QString &text)
    {
        setText(text);
        setVisible(!text.isEmpty());
    }
    void setVoice(Voice voice);
    const QString &text() const { return m_text; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override
    {
        return QSize(0, QFontMetrics(font()).height()).grownBy(contentsMargins());
    }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Qt::TextElideMode m_mode;
    Voice m_voice = Voice::Normal;
    QString m_text;
};

/// Lets screen readers say what `widget` shows now, wherever the focus is.
void announce(QWidget *widget);

} // namespace rankdeck
