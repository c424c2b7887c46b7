#include "rankdeckctl/runs/foldedconsole.h"

#include "base/listcomma.h"
#include "rankdeckctl/console/output.h"

#include <cerrno>

#include <unistd.h>

namespace rankdeck
{

constexpr qsizetype longestLine = 4096;

FoldedConsole::FoldedConsole(const QString &runDirectory, std::vector<int> ranks)
    : m_ranks(std::move(ranks))
    , m_client(runDirectory)
    , m_input(STDIN_FILENO, QSocketNotifier::Read)
    , m_lines(longestLine)
{
    m_input.setEnabled(false);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        say(tr("Waiting for the answer of %1.").arg(namesOf(*m_state.plan, m_answers->awaited())));
    });
    connect(&m_input, &QSocketNotifier::activated, this, &FoldedConsole::readInput);
    connect(&m_client, &RunClient::stateChanged, this, &FoldedConsole::take);
    connect(&m_client, &RunClient::failed, this, [this](const QString &sentence) {
        complain(sentence);
        end(unusableInput);
    });
}

void FoldedConsole::take(const RunState &state)
{
    m_state = state;
    if (!m_answers)
        begin();
    for (const RankAnswers::Source &source : std::as_const(m_sources)) {
        if (state.ranks[std::size_t(source.process)].status)
            m_answers->end(source.process);
    }
    if (isLive(state.phase))
        return;
    if (m_isAnswering)
        printAnswers(m_answers->answers());
    end(state.exitCode);
}

void FoldedConsole::begin()
{
    m_answers = std::make_unique<RankAnswers>(m_state.plan->promptPattern);
    connect(m_answers.get(), &RankAnswers::changed, this, &FoldedConsole::takeAnswers);
    const QList<int> shown = processesWhere(*m_state.plan, [this](const ProcessPlan &process) {
        return process.hasTerminal && process.role == Role::Worker &&
               (m_ranks.empty() || std::ranges::find(m_ranks, process.rank.value) != m_ranks.end());
    });
    for (const int process : shown)
        m_sources << RankAnswers::Source{process, m_state.planOf(process)->logFile};
    if (m_sources.isEmpty()) {
        end(refuse(
            {tr("no terminal for these ranks"), m_state.name, tr("Launch with --tty all, or --tty 0-3,7.")}));
        return;
    }
    m_client.show(shown);
    m_client.askForKeyboard(consoleName(), true);
    m_input.setEnabled(true);
}

void FoldedConsole::readInput()
{
    std::array<char, longestLine> bytes;
    const ssize_t count = read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
        return;
    m_inputHasEnded = count <= 0;
    m_input.setEnabled(!m_inputHasEnded);
    m_lines.add(QByteArrayView(bytes.data(), std::max<ssize_t>(count, 0)));
    if (!m_isAnswering)
        sendNext();
}

void FoldedConsole::sendNext()
{
    const auto line = m_lines.take();
    if (!line) {
        if (m_lines.isOverlong())
            end(refuse({tr("a line is longer than %1 bytes").arg(longestLine), {}, {}}));
        else if (m_inputHasEnded)
            end(0);
        return;
    }
    QList<RankAnswers::Source> asked;
    QList<int> processes;
    for (const RankAnswers::Source &source : std::as_const(m_sources)) {
        if (m_state.ranks[std::size_t(source.process)].status)
            continue;
        asked << source;
        processes << source.process;
    }
    m_isAnswering = true;
    m_patience.start();
    m_answers->begin(QString::fromUtf8(*line), asked);
    m_client.askForKeyboard(consoleName(), true);
    m_client.request(TerminalInput{processes, *line + '\r', {}});
}

void FoldedConsole::takeAnswers(const QList<RankAnswer> &answers)
{
    if (!m_isAnswering || !m_answers->isDone())
        return;
    m_isAnswering = false;
    m_patience.stop();
    printAnswers(answers);
    sendNext();
}

void FoldedConsole::printAnswers(const QList<RankAnswer> &answers) const
{
    for (const RankAnswer &answer : answers) {
        const QString names = namesOf(*m_state.plan, answer.processes);
        const QStringList lines = answer.text.split('\n'_L1);
        print(withColon(names, visibleText(lines.first())));
        for (const QString &line : lines.mid(1))
            print(QString(names.size() + 2, ' '_L1) + visibleText(line));
    }
}

void FoldedConsole::end(int code)
{
    m_input.setEnabled(false);
    m_isAnswering = false;
    exitLater(code);
}

} // namespace rankdeck
