#pragma once

#include "rankdeckctl/top/logpane.h"
#include "rankdeckctl/top/machinenpus.h"
#include "rankdeckctl/top/prompt.h"
#include "rankdeckctl/top/rankspane.h"
#include "rankdeckctl/top/replayedrun.h"
#include "rankdeckctl/top/runspane.h"
#include "rankdeckctl/top/textpane.h"
#include "rankdeckctl/top/watchedrun.h"

namespace rankdeck
{

/// The content of the screen: passes keys to the visible page, and makes it draw the present state as lines.
class TopView : public QObject
{
    Q_OBJECT

public:
    /// @param directory of a run; empty: the list of runs comes first.
    explicit TopView(const QString &directory);
    /// Returns a view of a past run as it was, with keys that change the time.
    static std::unique_ptr<TopView> ofReplay(std::unique_ptr<ReplayedRun> run);

    void press(const Key &key);
    /// Returns the lines of a screen of this size.
    QList<ScreenLine> lines(const QSize &size);
    /// Whether the screen changes with the time alone: a run's age.
    bool isTicking() const { return isRunThere() && !m_replay && isLive(m_run->snapshot().state.phase); }

Q_SIGNALS:
    void changed();
    void quit();
    /// The run that was given cannot be watched.
    void failed(const QString &sentence);

private:
    enum class Page { Runs, Run, Details, Error, Stacks, Npus, Help };
    enum class Panes { Both, Ranks, Log };

    bool isRunThere() const { return m_run && m_run->isThere(); }
    /// The page that others are left to.
    Page home() const { return m_run ? Page::Run : Page::Runs; }
    void openRun(const QString &directory) { show(std::make_unique<WatchedRun>(directory)); }
    void show(std::unique_ptr<ShownRun> run);
    void openLog(LogChoice choice);
    void chooseRank(int process);
    void say(const QString &sentence);

    void pressInRuns(const Key &key);
    void pressInRun(const Key &key);
    void pressInText(const Key &key);
    void pressLetter(QChar letter);
    bool pressPageLetter(QChar letter);
    void ask(Prompt::Question question);
    void answer(const Prompt::Answer &answer);
    void answerStop(const Prompt::Answer &answer);
    void dump(QList<int> processes);

    QList<ScreenLine> runPage(int cells, int rows);
    QList<ScreenLine> textPage(int cells, int rows);
    QString pageText() const;
    ScreenLine lastLine(int cells) const;

    RunsPane m_runs;
    std::unique_ptr<ShownRun> m_run;
    ReplayedRun *m_replay = nullptr; ///< The same, if it is replayed.
    RanksPane m_ranks;
    LogPane m_log;
    TextPane m_text;
    MachineNpus m_npus;
    Page m_page = Page::Runs;
    Panes m_panes = Panes::Both;
    Prompt m_prompt;
    QString m_said;
};

} // namespace rankdeck
