#include "terminal/many/commandbar.h"

#include "base/numberranges.h"
#include "launch/plan/launchplan.h"

#include <QCompleter>
#include <QKeyEvent>
#include <QStringListModel>

#include <algorithm>

namespace rankdeck
{

constexpr int mostNodes = 64;

enum class TargetWord { All, AtPrompt, Current, Shown };

static QString wordOf(TargetWord word)
{
    static constexpr std::array words{
        QT_TRANSLATE_NOOP("rankdeck", "all ranks"), QT_TRANSLATE_NOOP("rankdeck", "at a prompt"),
        QT_TRANSLATE_NOOP("rankdeck", "this terminal"), QT_TRANSLATE_NOOP("rankdeck", "shown ranks")};
    return tr(words.at(std::size_t(word)));
}

static QString nodeWord(const QString &node)
{
    return tr("node %1").arg(node);
}

static QStringList nodesOf(const RunState &state)
{
    QStringList nodes;
    for (const ProcessPlan &process : state.plan->processes) {
        if (nodes.isEmpty() || (nodes.constLast() != process.node && !nodes.contains(process.node)))
            nodes << process.node;
        if (nodes.size() == mostNodes)
            break;
    }
    return nodes;
}

/// Whether a process is meant; null if the text names no ranks.
using IsMeant = std::function<bool(int process, const ProcessPlan &plan, const RankState &rank)>;

static IsMeant meaningOf(const QString &text, const RunState &state, const CommandTargets::Now &now)
{
    if (text == wordOf(TargetWord::All))
        return [](int, const ProcessPlan &, const RankState &) {
            return true;
        };
    if (text == wordOf(TargetWord::AtPrompt))
        return [](int, const ProcessPlan &, const RankState &rank) {
            return rank.prompt.has_value();
        };
    if (text == wordOf(TargetWord::Current))
        return [now](int process, const ProcessPlan &, const RankState &) {
            return process == now.current;
        };
    if (text == wordOf(TargetWord::Shown))
        return [now](int process, const ProcessPlan &, const RankState &) {
            return now.shown.contains(process);
        };
    const QStringList nodes = nodesOf(state);
    const auto node = std::ranges::find(nodes, text, nodeWord);
    if (node != nodes.cend())
        return [name = *node](int, const ProcessPlan &plan, const RankState &) {
            return plan.node == name;
        };
    const auto ranks = numbersFromRanges(text);
    if (!ranks || ranks->isEmpty())
        return {};
    return [ranks = *ranks](int, const ProcessPlan &plan, const RankState &) {
        return plan.role == Role::Worker && ranks.contains(plan.rank.value);
    };
}

constexpr qsizetype mostRemembered = 200;
constexpr int buttonMargin = 12;
constexpr int leastLetters = 16; // Letters of a command that must be visible.

QStringList CommandTargets::words(const RunState &state)
{
    QStringList words{wordOf(TargetWord::All), wordOf(TargetWord::AtPrompt), wordOf(TargetWord::Current),
                      wordOf(TargetWord::Shown)};
    const QStringList nodes = state.plan ? nodesOf(state) : QStringList();
    for (const QString &node : nodes.size() > 1 ? nodes : QStringList())
        words << nodeWord(node);
    return words;
}

Result<QList<int>> CommandTargets::read(const QString &text, const RunState &state, const Now &now)
{
    const IsMeant isMeant = state.plan ? meaningOf(text.trimmed(), state, now) : IsMeant();
    if (!isMeant)
        return Error{tr("\"%1\" does not name ranks").arg(text.trimmed()),
                     {},
                     tr("Choose from the list, or write ranks, e.g. 0-3,7.")};
    QList<int> processes;
    for (int process = 0; process < int(state.ranks.size()); ++process) {
        const ProcessPlan &plan = state.plan->processes[size_t(process)];
        const RankState &rank = state.ranks[size_t(process)];
        if (plan.hasTerminal && rank.phase == RankPhase::Running && isMeant(process, plan, rank))
            processes << process;
    }
    // An attached debugger is not a rank.
    const RankState *tool = now.current >= int(state.ranks.size()) ? state.stateOf(now.current) : nullptr;
    if (tool && tool->phase == RankPhase::Running && text.trimmed() == wordOf(TargetWord::Current))
        processes << now.current;
    if (processes.isEmpty())
        return Error{tr("no terminal for: %1").arg(text.trimmed()),
                     {},
                     tr("Choose others, or launch with Terminals: all (--tty all).")};
    return processes;
}

CommandBar::CommandBar(QWidget *parent)
    : WrappingRow(parent)
    , m_targets(named(new QComboBox(this), "commandTargets", tr("Ranks to send the command to")))
    , m_command(named(new QLineEdit(this), "command", tr("Command")))
{
    setObjectName(u"commandBar"_s);
    m_targets->setEditable(true);
    m_targets->setInsertPolicy(QComboBox::NoInsert);
    m_targets->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_targets->setToolTip(tr("Ranks to send the command to: choose from the list, or write e.g. 0-3,7."));
    m_targets->addItems(CommandTargets::words({}));
    m_command->setClearButtonEnabled(true);
    m_command->setToolTip(tr("Enter sends it; ↑ and ↓ bring back earlier commands."));
    m_command->installEventFilter(this);
    auto *completer = new QCompleter(new QStringListModel(this), this);
    completer->setCompletionMode(QCompleter::InlineCompletion);
    m_command->setCompleter(completer);

    m_command->setMinimumWidth(leastLetters * fontMetrics().averageCharWidth());

    auto *typed = new QHBoxLayout;
    auto *usual = new QHBoxLayout;
    addParts(typed, {labelOf(m_targets, tr("&Send to")), m_targets, {m_command, 1}});
    QPushButton *sendButton = addButton(typed, tr("Send"), tr("Send the command (Enter)"), "sendButton");
    connect(sendButton, &QPushButton::clicked, this, [this] { send(m_command->text()); });
    connect(m_command, &QLineEdit::returnPressed, this, [this] { send(m_command->text()); });
    struct Known {
        const char *command;
        const char *tip;
    };
    static constexpr Known commands[] = {
        {"where", QT_TR_NOOP("Show call stack (where)")},
        {"next", QT_TR_NOOP("Next line, stepping over calls (next)")},
        {"step", QT_TR_NOOP("Next line, stepping into calls (step)")},
        {"continue", QT_TR_NOOP("Continue to the next breakpoint (continue)")},
    };
    // The debugger's own words: no translation.
    for (const Known &known : commands) {
        const QString command = QLatin1String(known.command);
        connect(addButton(usual, command, tr(known.tip), known.command), &QPushButton::clicked, this,
                [this, command] { send(command); });
    }
    QPushButton *printButton =
        addButton(usual, u"print…"_s, tr("Write an expression to print (p …)"), "printButton");
    connect(printButton, &QPushButton::clicked, this, [this] {
        m_command->setText(u"p "_s);
        m_command->setFocus(Qt::OtherFocusReason);
        m_command->end(false);
    });
    QPushButton *breakButton =
        addButton(usual, u"^C"_s, tr("Interrupt the running command (Ctrl+C)"), "interruptButton");
    breakButton->setAccessibleName(tr("Interrupt"));
    connect(breakButton, &QPushButton::clicked, this, [this] { sendBytes("\x03", false); });
    usual->addStretch();
    setGroups(typed, 1, usual, 0);
    layout()->setContentsMargins(6, 4, 6, 4);
    setKeyboard(true, {});
}

QPushButton *CommandBar::addButton(QHBoxLayout *row, const QString &text, const QString &tip,
                                   const char *name)
{
    QPushButton *button = plainButton(text, name);
    button->setToolTip(tip);
    button->setFixedWidth(fontMetrics().horizontalAdvance(text) + 2 * buttonMargin);
    row->addWidget(button);
    m_buttons << button;
    return button;
}

void CommandBar::setState(const RunState &state)
{
    const bool isOther = state.plan != m_state.plan;
    m_state = state;
    if (!isOther)
        return;
    const QString before = m_targets->currentText();
    m_targets->clear();
    m_targets->addItems(CommandTargets::words(state));
    if (!before.isEmpty())
        m_targets->setCurrentText(before);
}

void CommandBar::setKeyboard(bool isOurs, const QString &holder)
{
    m_isOurs = isOurs;
    for (QWidget *button : std::as_const(m_buttons))
        button->setEnabled(isOurs);
    m_command->setEnabled(isOurs);
    m_command->setPlaceholderText(isOurs ? tr("a command for these ranks, e.g. p loss")
                                         : tr("%1 has the keyboard").arg(holder));
}

void CommandBar::send(const QString &command)
{
    remember(command);
    m_command->clear();
    sendBytes(command.toUtf8() + '\r', true);
}

void CommandBar::sendBytes(const QByteArray &bytes, bool isCommand)
{
    Q_EMIT aboutToRead();
    const auto processes = CommandTargets::read(m_targets->currentText(), m_state, m_now);
    if (processes)
        Q_EMIT wanted(*processes, bytes, isCommand);
    else
        Q_EMIT refused(processes.error().sentence());
}

void CommandBar::remember(const QString &command)
{
    if (!command.trimmed().isEmpty()) {
        m_history.removeAll(command);
        m_history << command;
        m_history = m_history.last(std::min(m_history.size(), mostRemembered));
        static_cast<QStringListModel *>(m_command->completer()->model())->setStringList(m_history);
    }
    m_recalled = m_history.size();
}

bool CommandBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_command && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            const qsizetype wanted = m_recalled + (key == Qt::Key_Up ? -1 : 1);
            m_recalled = std::clamp<qsizetype>(wanted, 0, m_history.size());
            m_command->setText(m_recalled < m_history.size() ? m_history[m_recalled] : QString());
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace rankdeck
