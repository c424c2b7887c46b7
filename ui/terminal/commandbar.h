#pragma once

#include "terminal/commandtargets.h"

#include <QStringList>
#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace rankdeck
{

/// The line that is typed into many terminals at once: whom it is for, the command, and the debugger's usual
/// commands as buttons. Earlier commands come back with the arrow keys and complete what is typed.
class CommandBar : public QWidget
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// What some of the words for ranks mean now; to be said when aboutToRead() asks.
    void setNow(const CommandTargets::Now &now) { m_now = now; }
    /// Whether anything can be sent; else who has the keyboard stands in place of the command.
    void setKeyboard(bool isOurs, const QString &holder);
    void focusCommand();

Q_SIGNALS:
    void aboutToRead();
    /// @param bytes the command with its end, or a control character.
    /// @param isCommand whether it is one that is answered.
    void wanted(const QList<int> &processes, const QByteArray &bytes, bool isCommand);
    /// A sentence on why nothing was sent.
    void refused(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPushButton *addButton(const QString &text, const QString &tip, const char *name);
    void send(const QString &command);
    void sendBytes(const QByteArray &bytes, bool isCommand);
    void remember(const QString &command);
    void recall(int direction);

    QComboBox *m_targets;
    QLineEdit *m_command;
    QList<QPushButton *> m_buttons;
    RunState m_state;
    CommandTargets::Now m_now;
    QStringList m_history;    ///< Oldest first.
    qsizetype m_recalled = 0; ///< Index in m_history; its size: none.
    bool m_isOurs = true;
};

} // namespace rankdeck
