#include "stacks/stacksdialog.h"

#include "background/inbackground.h"
#include "numberranges.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostProblems = 4;

} // namespace

StacksDialog::StacksDialog(QWidget *parent)
    : QDialog(parent)
    , m_status(new QLabel(this))
    , m_list(new QListWidget(this))
    , m_text(new QPlainTextEdit(this))
    , m_again(new QPushButton(tr("Dump &again"), this))
{
    setObjectName(QStringLiteral("stacksDialog"));
    setWindowTitle(tr("Stacks"));
    m_status->setObjectName(QStringLiteral("stackStatus"));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_list->setObjectName(QStringLiteral("stackGroups"));
    m_list->setAccessibleName(tr("Ranks by where they are"));
    m_list->setTextElideMode(Qt::ElideRight);
    m_text->setObjectName(QStringLiteral("stackText"));
    m_text->setAccessibleName(tr("Stacks"));
    m_text->setReadOnly(true);
    m_text->setTabChangesFocus(true);
    m_text->setCursorWidth(0);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_again->setObjectName(QStringLiteral("dumpAgainButton"));

    auto *splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(m_list);
    splitter->addWidget(m_text);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 3);
    splitter->setChildrenCollapsible(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->addButton(m_again, QDialogButtonBox::ActionRole);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_status);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    resize(900, 500);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QListWidget::currentRowChanged, this, &StacksDialog::showText);
    connect(m_again, &QPushButton::clicked, this, [this] { Q_EMIT dumpWanted(m_asked); });
}

void StacksDialog::setState(const RunState &state)
{
    const bool isOther = state.directory != m_state.directory;
    m_state = state;
    if (isOther) {
        m_taken = 0;
        m_due.clear();
        m_asked.clear();
        m_problems.clear();
    }
    const QList<StackDump> news = state.dumps.mid(m_taken);
    m_taken = state.dumps.size();
    for (const StackDump &dump : news) {
        m_due.remove(dump.process);
        if (dump.file.isEmpty() && m_asked.contains(dump.process))
            m_problems.insert(dump.process, dump.problem);
    }
    if (!isLive(state.phase))
        m_due.clear();
    sayStatus();
    if (isOther || !news.isEmpty())
        read();
}

void StacksDialog::await(const QList<int> &processes)
{
    m_asked = processes;
    m_due = {processes.begin(), processes.end()};
    m_problems.clear();
    sayStatus();
}

void StacksDialog::read()
{
    const QString directory = m_state.directory;
    inBackground(
        this,
        [directory, dumps = lastDumps(m_state.dumps)] { return stackGroups(readStacks(directory, dumps)); },
        [this, directory, known = m_taken](const std::vector<StackGroup> &groups) {
            // What was read for fewer dumps may come later.
            if (directory != m_state.directory || known != m_taken)
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
    std::sort(ranks.begin(), ranks.end());
    QStringList parts;
    if (!ranks.isEmpty())
        parts << (ranks.size() == 1 ? tr("rank %1") : tr("ranks %1")).arg(numberRanges(ranks));
    if (hasScheduler)
        parts << tr("scheduler");
    return parts.join(QStringLiteral(", "));
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

void StacksDialog::sayStatus()
{
    QStringList lines;
    QList<int> due = m_due.values();
    std::sort(due.begin(), due.end());
    if (!due.isEmpty())
        lines << tr("Waiting for the stacks of %1…").arg(nameOf(due));
    else if (m_state.dumps.isEmpty())
        lines << tr("No stacks have been dumped.");
    else
        lines << tr("Equal stacks stand together, and those that are alone first. Their files are in %1.")
                     .arg(m_state.directory + QStringLiteral("/stacks"));
    const QStringList problems = m_problems.values();
    lines += problems.mid(0, mostProblems);
    if (problems.size() > mostProblems)
        lines << tr("… and %1 more.").arg(problems.size() - mostProblems);
    m_status->setText(lines.join(QLatin1Char('\n')));
    m_again->setEnabled(isLive(m_state.phase) && due.isEmpty() && !m_asked.isEmpty());
}

} // namespace rankdeck
