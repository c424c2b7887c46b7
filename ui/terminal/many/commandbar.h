#pragma once

#include "run/record/runstate.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

/// The ranks for a command, as the user chooses or writes them: some words, or ranks such as 0-3,7.
class CommandTargets
{
public:
    /// The current meaning of some words.
    struct Now {
        int current = -1; ///< The terminal that has the focus or had it last; -1: none.
        QList<int> shown; ///< The terminals side by side.
    };

    /// Returns all choices for `state`, the default first: all ranks, those at a prompt, the current
    /// terminal, those shown, and each node if there are several.
    static QStringList words(const RunState &state);
    /// Returns the running processes with a terminal that `text` names, ascending. Fails if it names no
    /// ranks, or none that can be typed to.
    static Result<QList<int>> read(const QString &text, const RunState &state, const Now &now);
};

/// The bar for typing into many terminals at once: the target ranks, the command, and the debugger's usual
/// commands as buttons. The arrow keys bring back earlier commands, which also complete the typed text.
class CommandBar : public WrappingRow
{
    Q_OBJECT

public:
    explicit CommandBar(QWidget *parent = nullptr);

    void setState(const RunState &state);
    /// Sets the current meaning of some words for ranks; call it at aboutToRead().
    void setNow(const CommandTargets::Now &now) { m_now = now; }
    /// Sets whether commands can be sent; if not, `holder` is shown in place of the command.
    void setKeyboard(bool isOurs, const QString &holder);

Q_SIGNALS:
    void aboutToRead();
    /// @param bytes the command with its end, or a control character.
    /// @param isCommand whether it is one that is answered.
    void wanted(const QList<int> &processes, const QByteArray &bytes, bool isCommand);
    /// Emitted if nothing was sent; the sentence has the reason.
    void refused(const QString &sentence);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPushButton *addButton(QHBoxLayout *row, const QString &text, const QString &tip, const char *name);
    void send(const QString &command);
    void sendBytes(const QByteArray &bytes, bool isCommand);
    void remember(const QString &command);

    QComboBox *m_targets;
    QLineEdit *m_command;
    QList<QPushButton *> m_buttons;
    RunState m_state;
    CommandTargets::Now m_now;
    QStringList m_history;    ///< Oldest first.
    qsizetype m_recalled = 0; ///< Index in m_history; its size if none.
    bool m_isOurs = true;
};

} // namespace rankdeck
