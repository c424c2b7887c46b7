#include "agent/messages/processorders.h"
#include "base/widespaces.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/top/topview.h"

// What keys do; the rest of TopView is in topview.cpp.

namespace rankdeck
{

void TopView::press(const Key &key)
{
    m_said.clear();
    if (m_prompt.isOpen()) {
        if (const auto given = m_prompt.press(key))
            answer(*given);
    } else if (m_page == Page::Runs) {
        pressInRuns(key);
    } else if (m_page == Page::Run && isRunThere()) {
        pressInRun(key);
    } else {
        pressInText(key);
    }
    m_npus.setSeen(m_page == Page::Npus);
    Q_EMIT changed();
}

/// Handles letters that mean the same on each page. Returns false for others.
bool TopView::pressPageLetter(QChar letter)
{
    const auto show = [this](Page page) {
        m_page = m_page == page ? home() : page;
        m_text.toTop();
    };
    const bool hasRun = isRunThere();
    if (letter == u'q') {
        Q_EMIT quit();
    } else if (letter == u'N') {
        show(Page::Npus);
    } else if (letter == u'?' || letter == u'h') {
        show(Page::Help);
    } else if (letter == u'r') {
        m_page = Page::Runs;
        m_runs.start();
    } else if (hasRun && m_replay && m_replay->press(letter)) {
        return true;
    } else if (hasRun && letter == u'e') {
        show(Page::Error);
    } else if (hasRun && letter == u't') {
        show(Page::Stacks);
    } else if (hasRun && letter == u'i') {
        show(Page::Details);
        m_run->detail(m_page == Page::Details ? m_ranks.process() : -1);
    } else {
        return false;
    }
    return true;
}

void TopView::pressInRuns(const Key &key)
{
    if (m_runs.press(key))
        return;
    if (key.name == Key::Escape && m_run)
        m_page = Page::Run;
    else if (!key.text.isEmpty())
        pressPageLetter(key.text.front());
}

void TopView::pressInText(const Key &key)
{
    if (m_text.press(key))
        return;
    if (key.name == Key::Escape || key.name == Key::Enter)
        m_page = home();
    else if (key.name == Key::Text && !pressPageLetter(key.text.front()) && isRunThere())
        pressLetter(key.text.front());
}

void TopView::pressInRun(const Key &key)
{
    constexpr int columns = 16;
    const bool isBack = key.name == Key::Up || key.name == Key::Left || key.name == Key::PageUp;
    const int way = isBack ? -1 : 1;
    switch (key.name) {
    case Key::Up:
    case Key::Down:
        m_ranks.move(way);
        break;
    case Key::Left:
    case Key::Right:
        m_ranks.isMap() ? m_ranks.step(way) : m_log.moveSideways(way * columns);
        break;
    case Key::PageUp:
    case Key::PageDown:
        m_panes == Panes::Ranks ? m_ranks.turnPage(way) : m_log.turnPage(way);
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

static std::optional<Prompt::Question> questionOf(QChar letter)
{
    using Question = Prompt::Question;
    static const QMap<QChar, Question> questions{{u'g', Question::RankNumber}, {u'\\', Question::RankFilter},
                                                 {u'/', Question::LogPattern}, {u's', Question::Stop},
                                                 {u'K', Question::Kill},       {u'R', Question::Start}};
    const auto question = questions.constFind(letter);
    return question == questions.cend() ? std::nullopt : std::optional(*question);
}

void TopView::pressLetter(QChar letter)
{
    if (m_ranks.press(m_run->snapshot(), letter))
        return;
    if (const auto question = questionOf(letter))
        ask(*question);
    else if (letter == u'd')
        dump({m_ranks.process()});
    else if (letter == u'D')
        dump(m_ranks.processes());
    else if (const auto choice = m_log.choice().changedBy(letter, m_ranks.process()))
        openLog(*choice);
}

void TopView::dump(QList<int> processes)
{
    if (!isTicking()) {
        say(tr("The run has ended: it has no processes."));
        return;
    }
    processes.removeIf([&run = m_run->snapshot()](int process) {
        return process < 0 || run.rankOf(process).phase != RankPhase::Running;
    });
    std::ranges::sort(processes);
    if (processes.isEmpty()) {
        say(tr("This rank does not run."));
        return;
    }
    m_run->request(DumpRequest{processes});
    say(tr("Asked %n ranks for their stacks.", "Asked %n rank for its stacks.", int(processes.size())));
    m_page = Page::Stacks;
    m_text.toTop();
}

void TopView::ask(Prompt::Question question)
{
    using Question = Prompt::Question;
    const bool isStart = question == Question::Start;
    if ((isStart || question == Question::Stop || question == Question::Kill) && !isTicking())
        return say(tr("The run has ended: it has no processes."));
    if (isStart) {
        const StartOrder order = startOrder({m_ranks.process()}, m_run->snapshot().state, false);
        if (!order.refusals.isEmpty())
            return say(order.refusals.constFirst().text());
        if (order.asked.isEmpty())
            return;
    }
    m_prompt.ask(question, question == Question::LogPattern   ? m_log.choice().pattern
                           : question == Question::RankFilter ? m_ranks.filter()
                                                              : QString());
}

void TopView::answer(const Prompt::Answer &answer)
{
    switch (answer.question) {
    case Prompt::Question::LogPattern: {
        LogChoice choice = m_log.choice();
        choice.pattern = answer.text;
        openLog(choice);
        break;
    }
    case Prompt::Question::RankFilter:
        m_ranks.setFilter(answer.text);
        break;
    case Prompt::Question::RankNumber:
        m_ranks.goTo(m_run->snapshot(), answer.text);
        break;
    case Prompt::Question::Start:
        if (answer.text == "y"_L1)
            m_run->request(StartRequest{{m_ranks.process()}});
        else
            say(tr("Nothing was started."));
        break;
    default:
        answerStop(answer);
    }
}

void TopView::answerStop(const Prompt::Answer &answer)
{
    const int process = m_ranks.process();
    const bool isRankAlone = answer.text == "r"_L1 && process >= 0;
    if (answer.text != "y"_L1 && !isRankAlone) {
        say(tr("Nothing was ended."));
        return;
    }
    const bool isKill = answer.question == Prompt::Question::Kill;
    m_run->request(StopRequest{isKill, isRankAlone ? QList<int>{process} : QList<int>()});
    const QString whom = isRankAlone ? processName(m_run->snapshot(), process) : tr("the run");
    say(withWord(isKill ? tr("Killing %1.") : tr("Stopping %1."), whom));
}

} // namespace rankdeck
