#include "base/widespaces.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/top/topview.h"

#include <algorithm>
#include <limits>

// What keys do; the rest of TopView is in topview.cpp.

namespace rankdeck
{

void TopView::press(const Key &key)
{
    m_said.clear();
    if (m_asked != Asked::Nothing)
        pressInPrompt(key);
    else if (m_page == Page::Runs)
        pressInRuns(key);
    else if (m_page == Page::Run && isRunThere())
        pressInRun(key);
    else
        pressInText(key);
    watchNpus();
    Q_EMIT changed();
}

/// The NPUs of this machine are read as long as they are on the screen.
void TopView::watchNpus()
{
    const bool isSeen = m_page == Page::Npus;
    if (isSeen && !m_npus) {
        m_npus = std::make_unique<MachineNpus>();
        connect(m_npus.get(), &MachineNpus::changed, this, &TopView::changed);
    }
    if (m_npus)
        m_npus->setSeen(isSeen);
}

/// Handles letters that mean the same on each page. Returns false for others.
bool TopView::pressPageLetter(QChar letter)
{
    const auto show = [this](Page page) {
        m_page = m_page == page ? home() : page;
        m_textTop = 0;
    };
    switch (letter.unicode()) {
    case u'q':
        Q_EMIT quit();
        return true;
    case u'N':
        show(Page::Npus);
        return true;
    case u'?':
    case u'h':
        show(Page::Help);
        return true;
    case u'r':
        m_page = Page::Runs;
        m_catalog.start();
        return true;
    default:
        break;
    }
    if (!isRunThere())
        return false;
    if (m_replay && pressReplayLetter(letter))
        return true;
    switch (letter.unicode()) {
    case u'e':
        show(Page::Error);
        return true;
    case u't':
        show(Page::Stacks);
        return true;
    case u'i':
        show(Page::Details);
        m_run->detail(m_page == Page::Details ? m_process : -1);
        return true;
    default:
        return false;
    }
}

/// Handles letters that change the time of a replay. Returns false for others.
bool TopView::pressReplayLetter(QChar letter)
{
    constexpr qint64 stepSeconds = 10;
    constexpr qint64 tenths = 10;
    const RunReplay &replay = m_replay->player().replay();
    switch (letter.unicode()) {
    case u' ':
        m_replay->player().playOrPause();
        return true;
    case u'-':
        m_replay->player().changeSpeed(-1);
        return true;
    case u'+':
    case u'=':
        m_replay->player().changeSpeed(1);
        return true;
    case u'<':
        m_replay->goToMark(false);
        return true;
    case u'>':
        m_replay->goToMark(true);
        return true;
    case u',':
        m_replay->player().goTo(m_replay->player().time().addSecs(-stepSeconds));
        return true;
    case u'.':
        m_replay->player().goTo(m_replay->player().time().addSecs(stepSeconds));
        return true;
    case u'$':
        m_replay->player().goTo(replay.end());
        return true;
    case u's':
    case u'K':
    case u'd':
    case u'D':
        say(tr("This is a replay: nothing can be asked of the ranks of a past run."));
        return true;
    default:
        break;
    }
    if (letter < u'0' || letter > u'9')
        return false;
    m_replay->player().goTo(
        replay.begin().addMSecs(replay.begin().msecsTo(replay.end()) * (letter.unicode() - u'0') / tenths));
    return true;
}

void TopView::pressInRuns(const Key &key)
{
    const auto choose = [this](int place) {
        m_chosenRun = std::clamp(place, 0, std::max(0, int(m_runs.size()) - 1));
    };
    if (key.name == Key::Up || key.text == "k"_L1)
        choose(m_chosenRun - 1);
    else if (key.name == Key::Down || key.text == "j"_L1)
        choose(m_chosenRun + 1);
    else if (key.name == Key::PageUp)
        choose(m_chosenRun - m_textRows);
    else if (key.name == Key::PageDown)
        choose(m_chosenRun + m_textRows);
    else if (key.name == Key::Enter && m_chosenRun < m_runs.size())
        openRun(m_runs[m_chosenRun].directory);
    else if (key.name == Key::Escape && m_run)
        m_page = Page::Run;
    else if (!key.text.isEmpty())
        pressPageLetter(key.text.front());
}

void TopView::pressInText(const Key &key)
{
    switch (key.name) {
    case Key::Up:
        --m_textTop;
        break;
    case Key::Down:
        ++m_textTop;
        break;
    case Key::PageUp:
        m_textTop -= m_textRows;
        break;
    case Key::PageDown:
        m_textTop += m_textRows;
        break;
    case Key::Home:
        m_textTop = 0;
        break;
    case Key::End:
        m_textTop = std::numeric_limits<int>::max();
        break;
    case Key::Escape:
    case Key::Enter:
        m_page = home();
        break;
    case Key::Text:
        if (!pressPageLetter(key.text.front()) && isRunThere())
            pressLetter(key.text.front());
        break;
    default:
        break;
    }
    m_textTop = std::max<qsizetype>(0, m_textTop);
}

void TopView::pressInRun(const Key &key)
{
    const int step = m_isMap ? m_mapColumns : 1;
    constexpr int columns = 16;
    switch (key.name) {
    case Key::Up:
        chooseRow(m_row - step);
        break;
    case Key::Down:
        chooseRow(m_row + step);
        break;
    case Key::Left:
        if (m_isMap)
            chooseRow(m_row - 1);
        else
            m_logColumn = std::max(0, m_logColumn - columns);
        break;
    case Key::Right:
        if (m_isMap)
            chooseRow(m_row + 1);
        else
            m_logColumn += columns;
        break;
    case Key::PageUp:
        turnPage(-1);
        break;
    case Key::PageDown:
        turnPage(1);
        break;
    case Key::Home:
        m_log.toStart();
        break;
    case Key::End:
        m_log.follow();
        break;
    case Key::Tab:
        m_panes = m_panes == Panes::Both ? Panes::Log : m_panes == Panes::Log ? Panes::Ranks : Panes::Both;
        break;
    case Key::Enter:
        pressPageLetter(u'i');
        break;
    case Key::Text:
        if (!pressPageLetter(key.text.front()))
            pressLetter(key.text.front());
        break;
    default:
        break;
    }
}

void TopView::turnPage(int pages)
{
    if (m_panes == Panes::Ranks)
        chooseRow(m_row + pages * m_rankRows);
    else
        m_log.scroll(pages * std::max(1, m_logRows - 1));
}

void TopView::pressLetter(QChar letter)
{
    switch (letter.unicode()) {
    case u'k':
        chooseRow(m_row - 1);
        break;
    case u'j':
        chooseRow(m_row + 1);
        break;
    case u'[':
        chooseRow(m_row - m_rankRows);
        break;
    case u']':
        chooseRow(m_row + m_rankRows);
        break;
    case u'n':
        chooseTroubled();
        break;
    case u'g':
        ask(Asked::RankNumber);
        break;
    case u'\\':
        ask(Asked::RankFilter);
        break;
    case u'o': {
        static const QList<RankOrder> orders{{},
                                             {RankValue::State, false},
                                             {RankValue::AiCore, false},
                                             {RankValue::Hbm, true},
                                             {RankValue::Temperature, true},
                                             {RankValue::Cpu, true},
                                             {RankValue::Memory, true}};
        m_order = orders[(orders.indexOf(m_order) + 1) % orders.size()];
        static const QStringList names{tr("rank"), tr("state"),       tr("NPU use"), tr("HBM"),
                                       tr("cpu"),  tr("temperature"), tr("memory")};
        say(tr("Sorted by %1.").arg(names[orders.indexOf(m_order)]));
        break;
    }
    case u'v':
        m_isMap = !m_isMap;
        break;
    case u's':
        ask(Asked::Stop);
        break;
    case u'K':
        ask(Asked::Kill);
        break;
    case u'd':
        dump({m_process});
        break;
    case u'D':
        dump(m_ranks);
        break;
    default:
        pressLogLetter(letter);
    }
}

void TopView::pressLogLetter(QChar letter)
{
    LogChoice choice = m_log.choice();
    switch (letter.unicode()) {
    case u'm':
        choice.process = choice.process < 0 ? m_process : -1;
        break;
    case u'f':
        choice.isFolded = !choice.isFolded;
        choice.process = choice.isFolded ? -1 : choice.process;
        break;
    case u'l':
        choice.least = choice.least == LogSeverity::None      ? LogSeverity::Warning
                       : choice.least == LogSeverity::Warning ? LogSeverity::Error
                                                              : LogSeverity::None;
        break;
    case u'/':
        ask(Asked::LogPattern);
        return;
    default:
        return;
    }
    openLog(choice);
}

void TopView::dump(const QList<int> &processes)
{
    if (!isTicking()) {
        say(tr("The run has ended: it has no processes."));
        return;
    }
    QList<int> running;
    for (const int process : processes) {
        if (process >= 0 && m_run->snapshot().rankOf(process).phase == RankPhase::Running)
            running << process;
    }
    std::ranges::sort(running);
    if (running.isEmpty()) {
        say(tr("This rank does not run."));
        return;
    }
    m_run->dump(running);
    say(tr("Asked %n ranks for their stacks.", "Asked %n rank for its stacks.", int(running.size())));
    m_page = Page::Stacks;
    m_textTop = 0;
}

void TopView::ask(Asked what)
{
    if ((what == Asked::Stop || what == Asked::Kill) && !isTicking()) {
        say(tr("The run has ended: it has no processes."));
        return;
    }
    m_asked = what;
    m_typed.clear();
    if (what == Asked::LogPattern)
        m_typed = m_log.choice().pattern;
    else if (what == Asked::RankFilter)
        m_typed = m_filterText;
}

void TopView::pressInPrompt(const Key &key)
{
    if (m_asked == Asked::Stop || m_asked == Asked::Kill) {
        answerStop(key.text);
        return;
    }
    switch (key.name) {
    case Key::Text:
        m_typed += key.text;
        break;
    case Key::Backspace:
        m_typed.chop(1);
        break;
    case Key::Enter:
        answer();
        break;
    case Key::Escape:
        m_asked = Asked::Nothing;
        break;
    default:
        break;
    }
}

void TopView::answerStop(const QString &letter)
{
    const bool isKill = std::exchange(m_asked, Asked::Nothing) == Asked::Kill;
    const bool isRankAlone = letter == "r"_L1 && m_process >= 0;
    if (letter != "y"_L1 && !isRankAlone) {
        say(tr("Nothing was ended."));
        return;
    }
    m_run->stop({isKill, isRankAlone ? QList<int>{m_process} : QList<int>()});
    const QString whom = isRankAlone ? processName(m_run->snapshot(), m_process) : tr("the run");
    say(withWord(isKill ? tr("Killing %1.") : tr("Stopping %1."), whom));
}

void TopView::answer()
{
    const Asked asked = std::exchange(m_asked, Asked::Nothing);
    if (asked == Asked::LogPattern) {
        LogChoice choice = m_log.choice();
        choice.pattern = m_typed;
        openLog(choice);
    } else if (asked == Asked::RankFilter) {
        const auto filter = SampleFilter::from(m_typed);
        if (!filter) {
            say(filter.error().sentence());
            return;
        }
        m_filter = *filter;
        m_filterText = m_typed;
    } else if (asked == Asked::RankNumber) {
        const auto isWanted = [this](int process) {
            const ProcessPlan &plan = m_run->snapshot().planOf(process);
            return plan.role == Role::Worker && QString::number(plan.rank.value) == m_typed.trimmed();
        };
        const auto found = std::ranges::find_if(m_ranks, isWanted);
        if (found == m_ranks.end())
            say(tr("There is no rank \"%1\" in the list.").arg(m_typed));
        else
            chooseRow(found - m_ranks.begin());
    }
}

} // namespace rankdeck
