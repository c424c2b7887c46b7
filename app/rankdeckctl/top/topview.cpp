#include "rankdeckctl/top/topview.h"

#include "base/times.h"
#include "rankdeckctl/console/output.h"
#include "run/record/shownphase.h"

#include <algorithm>

namespace rankdeck
{

TopView::TopView(const QString &directory)
{
    connect(&m_catalog, &RunCatalog::runsChanged, this, [this](const QList<RunSummary> &runs) {
        m_runs = runs;
        m_chosenRun = std::clamp(m_chosenRun, 0, std::max(0, int(runs.size()) - 1));
        Q_EMIT changed();
    });
    connect(&m_log, &LogPane::changed, this, &TopView::changed);
    if (directory.isEmpty())
        m_catalog.start();
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

TopView::~TopView() = default;

static LogChoice choiceOf(int process)
{
    LogChoice choice;
    choice.process = process;
    return choice;
}

void TopView::say(const QString &sentence)
{
    m_said = sentence;
    Q_EMIT changed();
}

void TopView::openRun(const QString &directory)
{
    show(std::make_unique<WatchedRun>(directory));
}

void TopView::show(std::unique_ptr<ShownRun> run)
{
    m_replay = nullptr;
    m_run = std::move(run);
    m_page = Page::Run;
    m_said.clear();
    m_process = -1;
    m_row = 0;
    connect(m_run.get(), &ShownRun::planned, this, [this] {
        const bool isFirst = m_process < 0;
        orderRanks();
        openLog(isFirst ? choiceOf(m_process) : m_log.choice());
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
    LogPane::LimitOf limitOf;
    if (m_replay)
        limitOf = [replay = m_replay](int process, bool isError) {
            return replay->limitOf(process, isError);
        };
    if (const auto error = m_log.open(state, choice, limitOf)) {
        say(error->sentence());
        return;
    }
    m_logColumn = 0;
    QList<int> shown{choice.process};
    if (choice.process < 0) {
        shown.clear();
        for (int process = 0; process < int(state.ranks.size()); ++process)
            shown << process;
    }
    m_run->show(shown);
}

/// Shows the log of a rank, unless all logs are shown.
void TopView::showLogOf(int process)
{
    LogChoice choice = m_log.choice();
    if (choice.process < 0 || choice.process == process || process < 0)
        return;
    choice.process = process;
    openLog(choice);
}

void TopView::orderRanks()
{
    m_ranks = rankOrder(m_run->snapshot(), m_order, m_filter);
    const qsizetype row = m_ranks.indexOf(m_process);
    if (row >= 0)
        m_row = row;
    else
        chooseRow(m_row);
}

void TopView::chooseRow(qsizetype row)
{
    m_row = std::clamp<qsizetype>(row, 0, std::max<qsizetype>(0, m_ranks.size() - 1));
    if (chosenProcess() < 0 || m_process == chosenProcess())
        return;
    m_process = chosenProcess();
    showLogOf(m_process);
    if (m_page == Page::Details)
        m_run->detail(m_process);
}

/// Chooses the next rank that failed or makes no progress.
void TopView::chooseTroubled()
{
    for (qsizetype step = 1; step <= m_ranks.size(); ++step) {
        const qsizetype row = (m_row + step) % m_ranks.size();
        if (isTroubled(m_run->snapshot(), m_ranks[row])) {
            chooseRow(row);
            return;
        }
    }
    say(tr("No rank failed or is stalled."));
}

QString TopView::question() const
{
    const QString rank =
        isRunThere() && m_process >= 0 ? processName(m_run->snapshot(), m_process) : QString();
    switch (m_asked) {
    case Asked::Stop:
        return tr("Stop the run? y: yes, r: only %1, other keys: no").arg(rank);
    case Asked::Kill:
        return tr("Kill the run at once? y: yes, r: only %1, other keys: no").arg(rank);
    case Asked::LogPattern:
        return tr("Only lines with (regular expression): ") + m_typed + u'_';
    case Asked::RankFilter:
        return tr("Only ranks with (state=failed ai<10 …): ") + m_typed + u'_';
    case Asked::RankNumber:
        return tr("Go to rank: ") + m_typed + u'_';
    case Asked::Nothing:
        break;
    }
    return {};
}

ScreenLine TopView::lastLine(int cells) const
{
    if (m_asked != Asked::Nothing)
        return {{textRun(question(), Look::Strong)}};
    if (!m_said.isEmpty())
        return {{textRun(m_said, Look::Warning)}};
    const QString replayKeys =
        tr("h help q quit  Space: play or pause  < > marks  - + speed  , . 10 s  0-9 tenths");
    if (m_replay && m_page == Page::Run)
        return {{textRun(inCells(replayKeys, cells), Look::Label)}};
    const QString keys = m_page == Page::Runs ? tr("Up Down Enter: open a run  N NPUs  h help  q quit")
                         : m_page == Page::Run
                             ? tr("h help q quit r runs e error i info m merge / filter s stop K kill d dump")
                             : tr("Up Down PgUp PgDn  Esc: back  h help  q quit");
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
        lines = runsPage(cells, rows);
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

QList<ScreenLine> TopView::runsPage(int cells, int rows)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    m_textRows = std::max(1, rows - 1);
    const auto top = std::max(0, m_chosenRun - m_textRows + 1);
    constexpr int stateCells = 10;
    constexpr int timeCells = 12;
    constexpr int rankCells = 6;
    const int nameCells = std::max(8, std::min(40, cells / 2));
    QList<ScreenLine> lines{
        {{textRun(inCells(tr("RUN"), nameCells) + u' ' + inCells(tr("STATE"), stateCells) +
                      inCells(tr("RANKS"), rankCells, true) + inCells(tr("TIME"), timeCells, true),
                  Look::Label)}}};
    for (int place = top; place < int(m_runs.size()) && lines.size() <= m_textRows; ++place) {
        const RunSummary &run = m_runs[place];
        const Look look = run.phase == RunPhase::Failed || run.phase == RunPhase::Lost ? Look::Bad
                          : isLive(run.phase)                                          ? Look::Good
                                                                                       : Look::Plain;
        const QString remark = run.verdict.isEmpty() ? run.remark : run.verdict;
        lines << ScreenLine{{textRun(inCells(visibleText(run.name), nameCells) + u' '),
                             textRun(inCells(shownWord(run.phase), stateCells), look),
                             textRun(inCells(QString::number(run.worldSize), rankCells, true) +
                                     inCells(elapsedText(run.duration(now)), timeCells, true)),
                             textRun(u"  "_s + remark)},
                            place == m_chosenRun};
    }
    if (m_runs.isEmpty())
        lines << ScreenLine{{textRun(tr("There are no runs."))}};
    return lines;
}

QList<ScreenLine> TopView::runPage(int cells, int rows)
{
    orderRanks();
    QList<ScreenLine> lines{{runTitle(m_run->snapshot())}, {runNews(m_run->snapshot())}};
    if (m_replay)
        lines.prepend({replayLine(*m_replay, cells)});
    const int rest = std::max(0, rows - int(lines.size()));
    int rankRows = 0;
    if (m_panes == Panes::Ranks) {
        rankRows = rest;
    } else if (m_panes == Panes::Both) {
        const qsizetype wanted =
            m_isMap ? (m_ranks.size() + rankMapColumns(cells) - 1) / rankMapColumns(cells) : m_ranks.size();
        rankRows = int(std::min<qsizetype>(rest / 2, wanted + 1));
    }
    if (rankRows > 0)
        lines << ranksPane(cells, rankRows);
    if (m_panes != Panes::Ranks)
        lines << logPane(cells, rest - rankRows);
    return lines;
}

QList<ScreenLine> TopView::ranksPane(int cells, int rows)
{
    const RunSnapshot &run = m_run->snapshot();
    if (m_isMap) {
        const QList<ScreenLine> map = rankMap(run, m_ranks, m_process, cells);
        m_mapColumns = rankMapColumns(cells);
        m_rankRows = rows * m_mapColumns;
        const qsizetype chosen = m_row / m_mapColumns;
        m_topRow = std::clamp<qsizetype>(m_topRow, std::max<qsizetype>(0, chosen - rows + 1), chosen);
        QList<ScreenLine> shown = map.mid(m_topRow, rows);
        shown.resize(rows);
        return shown;
    }
    m_rankRows = std::max(1, rows - 1);
    m_topRow = std::clamp<qsizetype>(m_topRow, std::max<qsizetype>(0, m_row - m_rankRows + 1), m_row);
    m_topRow = std::clamp<qsizetype>(m_topRow, 0, std::max<qsizetype>(0, m_ranks.size() - m_rankRows));
    const RankRows table(run, cells);
    QList<ScreenLine> lines{{table.heading()}};
    for (qsizetype row = m_topRow; row < m_ranks.size() && lines.size() <= m_rankRows; ++row)
        lines << ScreenLine{table.row(m_ranks[row]), row == m_row};
    lines.resize(rows);
    return lines;
}

ScreenLine TopView::logTitle(int cells) const
{
    const LogChoice &choice = m_log.choice();
    QStringList parts;
    if (choice.process >= 0)
        parts << processName(m_run->snapshot(), choice.process);
    else
        parts << (choice.isFolded ? tr("all ranks, folded") : tr("all ranks"));
    if (!choice.pattern.isEmpty())
        parts << tr("only \"%1\"").arg(visibleText(choice.pattern));
    if (choice.least != LogSeverity::None)
        parts << (choice.least == LogSeverity::Error ? tr("errors") : tr("warnings and errors"));
    const LogPage &page = m_log.page();
    if (m_log.isFollowing())
        parts << tr("%1 lines, following").arg(page.totalLines);
    else
        parts << tr("line %1 of %2").arg(page.first.value + 1).arg(page.totalLines);
    if (!m_log.problem().isEmpty())
        parts << m_log.problem();
    if (m_logColumn > 0)
        parts << tr("from column %1").arg(m_logColumn + 1);
    const QString title = u"── "_s + parts.join(u" · "_s) + u' ';
    const int rest = std::max(0, cells - cellsOf(title));
    return {{textRun(title + u"─"_s.repeated(rest), Look::Label)}};
}

QList<ScreenLine> TopView::logPane(int cells, int rows)
{
    QList<ScreenLine> lines{logTitle(cells)};
    m_logRows = std::max(0, rows - 1);
    m_log.setRows(m_logRows);
    const LogPage &page = m_log.page();
    for (qsizetype at = 0; at < page.lines.size() && lines.size() <= m_logRows; ++at) {
        const LogSeverity severity = at < page.said.size() ? page.said[at].ownSeverity() : LogSeverity::None;
        lines << ScreenLine{partOf(logRuns(page.lines[at], severity), m_logColumn, cells)};
    }
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

QString TopView::pageText() const
{
    if (m_page == Page::Help)
        return m_replay ? replayHelpText() + u'\n' + helpText() : helpText();
    if (m_page == Page::Npus)
        return m_npus->text();
    const RunSnapshot &run = m_run->snapshot();
    switch (m_page) {
    case Page::Details:
        return rankDetails(run, std::max(0, m_process));
    case Page::Error:
        if (!m_run->verdict().isEmpty())
            return m_run->verdict();
        if (run.state.failure)
            return isLive(run.state.phase) ? tr("A rank failed. The cause is told when all ranks have ended.")
                                           : tr("Reading the logs for the cause.");
        return run.state.standstill().isEmpty() ? tr("No rank has failed.") : run.state.standstill();
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
    const QList<ScreenLine> text = wrapped(pageText(), cells);
    m_textRows = std::max(1, rows - int(lines.size()));
    m_textTop = std::clamp<qsizetype>(m_textTop, 0, std::max<qsizetype>(0, text.size() - m_textRows));
    return lines + text.mid(m_textTop, m_textRows);
}

} // namespace rankdeck
