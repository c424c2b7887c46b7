#pragma once

#include <QLabel>
#include <QWidget>

namespace rankdeck
{

/// The small line under a field: its help in a quiet colour, or, in its place, what is wrong with it, with a
/// sign and in a colour that reads well on light and dark palettes. Plain text only.
class NoteLabel : public QWidget
{
    Q_OBJECT

public:
    /// @param textName object name of the QLabel that holds the text.
    explicit NoteLabel(const QString &textName, QWidget *parent = nullptr);

    void setHelp(const QString &help);
    /// Empty: back to the help.
    void setProblem(const QString &problem);
    bool hasProblem() const { return !m_problem.isEmpty(); }
    /// What is shown.
    QString text() const;

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void colour();

    QLabel m_sign;
    QLabel m_text;
    QString m_help;
    QString m_problem;
};

} // namespace rankdeck
