#include "stacks/stackdumps.h"

#include "background/inbackground.h"
#include "base/listcomma.h"
#include "base/numberranges.h"
#include "base/widespaces.h"
#include "launch/plan/launchplan.h"
#include "widgets/labels.h"

#include <QAction>
#include <QListWidget>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

StacksDialog::StacksDialog(QWidget *parent)
    : QDialog(parent)
    , m_status(plainLabel("stackStatus"))
    , m_list(named(new QListWidget(this), "stackGroups", tr("Ranks grouped by location")))
    , m_text(readOnlyText("stackText", tr("Stacks")))
    , m_again(named(new QPushButton(tr("Dump &again"), this), "dumpAgainButton"))
{
    setManualPage(this, "hangs.md");
    setObjectName(u"stacksDialog"_s);
    setWindowTitle(tr("Stacks"));
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_list->setTextElideMode(Qt::ElideRight);
    m_text->setCursorWidth(0);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    useFixedFont(m_text);

    auto *splitter = splitterOf(Qt::Horizontal, {m_list, m_text}, {1, 3});
    splitter->setSizes({300, 600});
    m_list->setWordWrap(true);
    splitter->setParent(this); // Before the buttons, for the Tab key.
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    addParts(new QVBoxLayout(this), {m_status, {splitter, 1}, buttons});
    resizeInText(this, 112, 34);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentRowChanged, this, &StacksDialog::showText);
    connect(m_again, &QPushButton::clicked, this, [this] { Q_EMIT dumpRequested(m_asked); });
}

void StacksDialog::setState(const RunState &state)
{
    // A replay may go back.
    const bool isOther = state.directory != m_state.directory || state.dumps.size() < m_handled;
    m_state = state;
    if (isOther) {
        m_handled = 0;
        await({});
    }
    const QList<StackDump> news = state.dumps.mid(m_handled);
    m_handled = state.dumps.size();
    for (const StackDump &dump : news) {
        m_due.remove(dump.process);
        if (dump.file.isEmpty() && m_asked.contains(dump.process))
            m_problems.insert(dump.process, dump.problem);
    }
    if (!isLive(state.phase))
        m_due.clear();
    showStatus();
    if (isOther || !news.isEmpty())
        read();
}

void StacksDialog::await(const QList<int> &processes)
{
    m_asked = processes;
    m_due = {processes.begin(), processes.end()};
    m_problems.clear();
    showStatus();
}

void StacksDialog::read()
{
    const QString directory = m_state.directory;
    inBackground(
        this,
        [directory, dumps = lastDumps(m_state.dumps)] { return stackGroups(readStacks(directory, dumps)); },
        [this, directory, known = m_handled](const std::vector<StackGroup> &groups) {
            // An older result may arrive late.
            if (directory != m_state.directory || known != m_handled)
                return;
            m_groups = groups;
            showGroups();
        });
}

QString StacksDialog::nameOf(const QList<int> &processes) const
{
    QList<int> ranks;
    bool hasScheduler = false;
    for (const int process : processes) {
        const ProcessPlan &plan = m_state.plan->processes.at(static_cast<std::size_t>(process));
        if (plan.role == Role::Worker)
            ranks << plan.rank.value;
        else
            hasScheduler = true;
    }
    std::ranges::sort(ranks);
    QStringList parts;
    if (!ranks.isEmpty())
        parts << tr("ranks %1", "rank %1", int(ranks.size())).arg(numberRanges(ranks));
    if (hasScheduler)
        parts << tr("scheduler");
    return parts.join(listComma());
}

void StacksDialog::showGroups()
{
    const int row = std::max(m_list->currentRow(), 0);
    m_list->clear();
    for (const StackGroup &group : m_groups)
        m_list->addItem(group.top.isEmpty() ? nameOf(group.processes)
                                            : tr("%1: %2").arg(nameOf(group.processes), group.top));
    m_list->setCurrentRow(std::min(row, m_list->count() - 1));
    showText();
}

void StacksDialog::showText()
{
    const int row = m_list->currentRow();
    const bool isThere = row >= 0 && row < static_cast<int>(m_groups.size());
    m_text->setPlainText(isThere ? m_groups[static_cast<std::size_t>(row)].text : QString());
}

void StacksDialog::showStatus()
{
    QStringList lines;
    QList<int> due = m_due.values();
    std::ranges::sort(due);
    if (!due.isEmpty())
        lines << withWord(tr("Waiting for the stacks of %1…"), nameOf(due));
    else if (m_state.dumps.isEmpty())
        lines << tr("No stacks have been dumped.");
    else
        lines << tr("Identical stacks are grouped; unique ones come first. Their files are in %1.")
                     .arg(m_state.directory + u"/stacks"_s);
    constexpr qsizetype mostProblems = 4;
    const QStringList problems = m_problems.values();
    lines += problems.mid(0, mostProblems);
    if (problems.size() > mostProblems)
        lines << tr("… and %1 more.").arg(problems.size() - mostProblems);
    m_status->setText(lines.join('\n'_L1));
    m_again->setEnabled(m_state.isLiveNow() && due.isEmpty() && !m_asked.isEmpty());
}

StackActions::StackActions(QWidget *page)
    : QObject(page)
    , m_page(page)
    , m_dumpChosen(named(new QAction(this), "dumpRanksAction"))
    , m_dumpAll(named(new QAction(tr("D&ump stacks of all ranks…"), this), "dumpAllAction"))
    , m_show(named(new QAction(tr("Sho&w stacks…"), this), "showStacksAction"))
{
    connect(m_dumpChosen, &QAction::triggered, this, [this] { dump(m_chosen); });
    connect(m_dumpAll, &QAction::triggered, this, &StackActions::dumpAll);
    connect(m_show, &QAction::triggered, this, &StackActions::showDialog);
    setChosen({}, {});
}

QList<int> StackActions::running(const QList<int> &processes) const
{
    QList<int> alive = processes;
    alive.removeIf([this](int process) {
        return m_run.ranks.at(static_cast<std::size_t>(process)).phase != RankPhase::Running;
    });
    std::ranges::sort(alive);
    return alive;
}

void StackActions::setChosen(const RunState &run, const QList<int> &processes)
{
    m_run = run;
    m_chosen = running(processes);
    QString name = tr("selected ranks");
    if (run.plan && processes.size() == 1) {
        const ProcessPlan &plan = run.plan->processes.at(static_cast<std::size_t>(processes.first()));
        name = processName(plan);
    } else if (processes.size() > 1) {
        name = tr("%n ranks", "%n rank", static_cast<int>(processes.size()));
    }
    m_dumpChosen->setText(withWord(tr("Dump stacks of %1…"), name));
    m_dumpChosen->setEnabled(run.isLiveNow() && !m_chosen.isEmpty());
    m_dumpAll->setEnabled(run.isLiveNow() && run.count(RankPhase::Running) > 0);
    m_show->setEnabled(!run.dumps.isEmpty());
    if (!m_dialog)
        return;
    if (run.plan)
        m_dialog->setState(run);
    else
        m_dialog->close();
}

void StackActions::dumpAll()
{
    QList<int> all(static_cast<int>(m_run.ranks.size()));
    std::iota(all.begin(), all.end(), 0);
    dump(running(all));
}

void StackActions::dump(const QList<int> &processes)
{
    if (processes.isEmpty())
        return;
    showDialog();
    m_dialog->await(processes);
    Q_EMIT requested(DumpRequest{processes});
}

void StackActions::showDialog()
{
    if (!m_dialog) {
        m_dialog = new StacksDialog(m_page);
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_dialog, &StacksDialog::dumpRequested, this, &StackActions::dump);
        m_dialog->setState(m_run);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

StallNotice::StallNotice(QWidget *parent)
    : QWidget(parent)
    , m_text(named(new ElidedLabel(Qt::ElideRight, this), "stallText"))
    , m_dump(named(new QPushButton(tr("&Dump stacks…"), this), "dumpStacksButton"))
    , m_goOn(named(new QPushButton(tr("C&ontinue"), this), "stallContinueButton"))
    , m_stop(named(new QPushButton(tr("S&top…"), this), "stallStopButton"))
{
    setObjectName(u"stallNotice"_s);
    m_dump->setToolTip(tr("Dump the stacks of every rank and keep them with the run."));
    m_goOn->setToolTip(tr("Dismiss until something changes."));
    connect(m_dump, &QPushButton::clicked, this, &StallNotice::dumpRequested);
    connect(m_goOn, &QPushButton::clicked, this, [this] {
        m_putAway = m_sentence;
        hide();
    });
    connect(m_stop, &QPushButton::clicked, this, &StallNotice::stopRequested);

    addParts(withoutMargins(new QHBoxLayout(this), 6), {{m_text, 1}, m_dump, m_goOn, m_stop});
    hide();
}

void StallNotice::setState(const RunState &state)
{
    if (state.directory != m_directory)
        m_putAway.clear();
    m_directory = state.directory;
    m_sentence = state.standstill();
    if (m_sentence.isEmpty())
        m_putAway.clear(); // The same stall later is shown again.
    // A held run is being debugged: that is no stall.
    const bool isStall = state.stall && !state.isAnyHeld();
    const QString warning = state.timeoutWarning();
    const QString text = warning.isEmpty() ? m_sentence : m_sentence + ' '_L1 + warning;
    const bool isNews = !m_sentence.isEmpty() && (isHidden() || m_text->toolTip() != text.toHtmlEscaped());
    // The mark is for users who do not see the colour. Ranks that are only behind are not silent.
    const bool isSilent = isStall && !state.stall->silentSince.isEmpty();
    m_text->setText((isSilent ? tr("⚠ Stalled: %1") : isStall ? tr("⚠ %1") : tr("‖ %1")).arg(text));
    m_text->setVoice(isStall ? ElidedLabel::Voice::Bad : ElidedLabel::Voice::Quiet);
    m_text->setToolTip(text.toHtmlEscaped());
    for (QPushButton *button : {m_dump, m_goOn, m_stop})
        button->setVisible(isStall);
    setVisible(!m_sentence.isEmpty() && m_sentence != m_putAway);
    if (isNews && m_sentence != m_putAway)
        announce(m_text);
}

} // namespace rankdeck
