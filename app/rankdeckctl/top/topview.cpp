#include "rankdeckctl/top/topview.h"

#include "base/program.h"
#include "base/times.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/devices/devicetable.h"

#include <numeric>

namespace rankdeck
{

MachineNpus::MachineNpus()
    : m_text(tr("Reading the NPUs of this machine."))
    , m_making(this, [this](const QString &text) {
        m_text = text;
        Q_EMIT changed();
    })
{
}

void MachineNpus::setSeen(bool isSeen)
{
    if (isSeen && !m_sampler)
        start();
    if (m_sampler)
        m_sampler->setWanted(this, isSeen);
}

void MachineNpus::start()
{
    DeviceSamplerSettings settings;
    settings.helper = programPath();
    m_sampler = std::make_unique<DeviceSampler>(findDeviceSource(), settings);
    connect(m_sampler.get(), &DeviceSampler::sampled, this, [this](const DeviceReading &reading) {
        m_making.ask([reading](const auto & /*isCancelled*/) {
            return clockText(reading.time) + u'\n' + deviceTable(reading).join(u'\n');
        });
    });
    connect(m_sampler.get(), &DeviceSampler::failed, this, [this](const Error &error) {
        m_text = error.sentence();
        Q_EMIT changed();
    });
    if (m_sampler->source().kind == DeviceSource::Kind::None)
        m_text = noDeviceSource().sentence();
}

bool TextPane::press(const Key &key)
{
    if (key.name == Key::Up)
        --m_top;
    else if (key.name == Key::Down)
        ++m_top;
    else if (key.name == Key::PageUp)
        m_top -= m_rows;
    else if (key.name == Key::PageDown)
        m_top += m_rows;
    else if (key.name == Key::Home)
        m_top = 0;
    else if (key.name == Key::End)
        m_top = std::numeric_limits<int>::max();
    else
        return false;
    m_top = std::max<qsizetype>(0, m_top);
    return true;
}

QList<ScreenLine> TextPane::lines(const QString &text, int cells, int rows)
{
    const QList<ScreenLine> lines = wrapped(text, cells);
    m_rows = std::max(1, rows);
    m_top = std::clamp<qsizetype>(m_top, 0, std::max<qsizetype>(0, lines.size() - m_rows));
    return lines.mid(m_top, m_rows);
}

std::optional<Prompt::Answer> Prompt::press(const Key &key)
{
    if (m_question == Question::Stop || m_question == Question::Kill || m_question == Question::Start)
        return Answer{std::exchange(m_question, Question::Nothing), key.text};
    if (key.name == Key::Enter)
        return Answer{std::exchange(m_question, Question::Nothing), m_typed};
    if (key.name == Key::Text)
        m_typed += key.text;
    else if (key.name == Key::Backspace)
        m_typed.chop(1);
    else if (key.name == Key::Escape)
        m_question = Question::Nothing;
    return {};
}

QString Prompt::text(const QString &rank) const
{
    switch (m_question) {
    case Question::Stop:
        return tr("Stop the run? y: yes, r: only %1, other keys: no").arg(rank);
    case Question::Kill:
        return tr("Kill the run at once? y: yes, r: only %1, other keys: no").arg(rank);
    case Question::Start:
        return tr("Start %1 again, after its end if it runs? y: yes, other keys: no").arg(rank);
    case Question::LogPattern:
        return tr("Only lines with (regular expression): ") + m_typed + u'_';
    case Question::RankFilter:
        return tr("Only ranks with (state=failed ai<10 …): ") + m_typed + u'_';
    case Question::RankNumber:
        return tr("Go to rank: ") + m_typed + u'_';
    case Question::Nothing:
        break;
    }
    return {};
}

TopView::TopView(const QString &directory)
{
    connect(&m_runs, &RunsPane::changed, this, &TopView::changed);
    connect(&m_runs, &RunsPane::chosen, this, &TopView::openRun);
    connect(&m_ranks, &RanksPane::chosen, this, &TopView::chooseRank);
    connect(&m_ranks, &RanksPane::said, this, &TopView::say);
    connect(&m_log, &LogPane::changed, this, &TopView::changed);
    connect(&m_npus, &MachineNpus::changed, this, &TopView::changed);
    if (directory.isEmpty())
        m_runs.start();
    else
        openRun(directory);
}

std::unique_ptr<TopView> TopView::ofReplay(std::unique_ptr<ReplayedRun> run)
{
    auto view = std::make_unique<TopView>(QString());
    ReplayedRun *const replay = run.get();
    view->show(std::move(run));
    view->m_replay = replay;
    return view;
}

void TopView::show(std::unique_ptr<ShownRun> run)
{
    m_replay = nullptr;
    m_run = std::move(run);
    m_page = Page::Run;
    m_said.clear();
    m_ranks.clear();
    connect(m_run.get(), &ShownRun::planned, this, [this] {
        const bool isFirst = m_ranks.process() < 0;
        m_ranks.setRun(m_run->snapshot());
        LogChoice first;
        first.process = m_ranks.process();
        openLog(isFirst ? first : m_log.choice());
    });
    connect(m_run.get(), &ShownRun::changed, this, [this] {
        if (!m_replay && !mayGrow(m_run->snapshot().state.phase))
            m_log.finish();
        Q_EMIT changed();
    });
    connect(m_run.get(), &ShownRun::said, this, &TopView::say);
    connect(m_run.get(), &ShownRun::failed, this, &TopView::failed);
    Q_EMIT changed();
}

void TopView::openLog(LogChoice choice)
{
    if (!isRunThere())
        return;
    const RunState &state = m_run->snapshot().state;
    if (choice.process >= int(state.ranks.size()))
        choice.process = 0;
    const LogPane::LimitOf limitOf = [run = m_run.get()](int process, bool isError) {
        return run->limitOf(process, isError);
    };
    if (const auto error = m_log.open(state, choice, m_replay ? limitOf : LogPane::LimitOf())) {
        say(error->sentence());
        return;
    }
    QList<int> all(qsizetype(state.ranks.size()));
    std::iota(all.begin(), all.end(), 0);
    m_run->show(choice.process < 0 ? all : QList<int>{choice.process});
}

void TopView::chooseRank(int process)
{
    LogChoice choice = m_log.choice();
    if (choice.process >= 0 && choice.process != process) { // Otherwise the logs of all ranks are shown.
        choice.process = process;
        openLog(choice);
    }
    if (m_page == Page::Details)
        m_run->detail(process);
}

static QString runKeys(bool isReplay)
{
    return isReplay ? tr("h help q quit  Space: play or pause  < > marks  - + speed  , . 10 s  0-9 tenths")
                    : tr("h help q quit r runs e error i info m merge / filter s stop K kill d dump");
}

ScreenLine TopView::lastLine(int cells) const
{
    if (m_prompt.isOpen()) {
        const int process = m_ranks.process();
        const bool isRank = isRunThere() && process >= 0;
        const QString rank = isRank ? processName(m_run->snapshot(), process) : QString();
        return {{textRun(m_prompt.text(rank), Look::Strong)}};
    }
    if (!m_said.isEmpty())
        return {{textRun(m_said, Look::Warning)}};
    const QString keys = m_page == Page::Runs  ? tr("Up Down Enter: open a run  N NPUs  h help  q quit")
                         : m_page != Page::Run ? tr("Up Down PgUp PgDn  Esc: back  h help  q quit")
                                               : runKeys(m_replay);
    return {{textRun(inCells(keys, cells), Look::Label)}};
}

QList<ScreenLine> TopView::lines(const QSize &size)
{
    const int cells = size.width();
    const int rows = std::max(0, size.height() - 1);
    QList<ScreenLine> lines;
    if (m_run)
        m_run->setNow();
    if (m_page == Page::Runs)
        lines = m_runs.lines(cells, rows);
    else if (!isRunThere() && m_page != Page::Help && m_page != Page::Npus)
        lines = {{{textRun(tr("Reading the run."))}}};
    else if (m_page == Page::Run)
        lines = runPage(cells, rows);
    else
        lines = textPage(cells, rows);
    lines.resize(rows);
    lines << lastLine(cells);
    return lines;
}

QList<ScreenLine> TopView::runPage(int cells, int rows)
{
    m_ranks.setRun(m_run->snapshot());
    QList<ScreenLine> lines{{runTitle(m_run->snapshot())}, {runNews(m_run->snapshot())}};
    if (m_replay)
        lines.prepend({replayLine(*m_replay, cells)});
    const int rest = std::max(0, rows - int(lines.size()));
    int rankRows = m_panes == Panes::Ranks ? rest : 0;
    if (m_panes == Panes::Both)
        rankRows = int(std::min<qsizetype>(rest / 2, m_ranks.wantedRows(cells) + 1));
    if (rankRows > 0)
        lines << m_ranks.lines(m_run->snapshot(), cells, rankRows);
    if (m_panes != Panes::Ranks)
        lines << m_log.lines(m_run->snapshot(), cells, rest - rankRows);
    return lines;
}

static QString helpText()
{
    return tr("Keys\n"
              "\n"
              "Up Down, j k        choose a rank; its log is shown\n"
              "[ ]                 a page of ranks up or down\n"
              "g                   go to a rank by its number\n"
              "n                   the next rank that failed or is stalled\n"
              "o                   sort ranks by state, NPU use, HBM, temperature, cpu, memory\n"
              "\\                   only ranks with: state=failed ai<10 hbm>90% mem>10GB …\n"
              "v                   many ranks as letters: R runs, ! stalled or held, F failed,\n"
              "                    E ended, S stopped, - waits, . succeeded\n"
              "i, Enter            all about the rank and its NPU\n"
              "\n"
              "PgUp PgDn Home End  move in the log; End follows it\n"
              "Left Right          move long lines\n"
              "m                   the logs of all ranks, merged by time; again: of the rank\n"
              "f                   the same, what several ranks print alike once\n"
              "/                   only lines that match a regular expression; empty: all\n"
              "l                   only warnings and errors, only errors, all lines\n"
              "Tab                 ranks and log, log alone, ranks alone\n"
              "\n"
              "e                   which rank failed first, and why\n"
              "d, D                call stacks of the rank, of all ranks; t shows them again\n"
              "s, K                stop or kill the run or the rank; asks first\n"
              "R                   start the rank again; asks first\n"
              "r                   the list of runs\n"
              "N                   the NPUs of this machine, and what runs on them\n"
              "q, Ctrl-C           quit; the run goes on");
}

static QString replayHelpText()
{
    return tr("Replay\n"
              "\n"
              "Space               play or pause\n"
              "- +                 slower or faster, x1 to x1000\n"
              "< >                 to the mark before or the next one: F failure, ! stall, A alarm of\n"
              "                    an NPU, N node, E end or stop, · note\n"
              ", .                 10 seconds back or on\n"
              "0 to 9              to this tenth of the run\n"
              "$                   to its end\n");
}

static QString errorText(const ShownRun &run)
{
    const RunState &state = run.snapshot().state;
    if (!run.verdict().isEmpty())
        return run.verdict();
    if (state.failure && isLive(state.phase))
        return tr("A rank failed. The cause is told when all ranks have ended.");
    if (state.hasTrouble() && !isLive(state.phase))
        return tr("Reading the logs for the cause.");
    return state.standstill().isEmpty() ? tr("No rank has failed.") : state.standstill();
}

QString TopView::pageText() const
{
    switch (m_page) {
    case Page::Help:
        return m_replay ? replayHelpText() + u'\n' + helpText() : helpText();
    case Page::Npus:
        return m_npus.text();
    case Page::Details:
        return rankDetails(m_run->snapshot(), std::max(0, m_ranks.process()));
    case Page::Error:
        return errorText(*m_run);
    case Page::Stacks:
        return m_run->stacks().isEmpty() ? tr("No stacks yet. d dumps those of the rank, D of all.")
                                         : m_run->stacks();
    default:
        return {};
    }
}

QList<ScreenLine> TopView::textPage(int cells, int rows)
{
    QList<ScreenLine> lines(2);
    if (isRunThere())
        lines[0].runs = runTitle(m_run->snapshot());
    return lines + m_text.lines(pageText(), cells, rows - int(lines.size()));
}

} // namespace rankdeck
