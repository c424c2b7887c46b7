#pragma once

#include "rankdeckctl/top/fullscreen.h"
#include "rankdeckctl/top/logpane.h"
#include "rankdeckctl/top/machinenpus.h"
#include "rankdeckctl/top/replayedrun.h"
#include "rankdeckctl/top/watchedrun.h"
#include "run/record/runcatalog.h"

namespace rankdeck
{

/// What is on the screen: takes keys, and makes lines of what is known.
class TopView : public QObject
{
    Q_OBJECT

public:
    /// @param directory of a run; empty: the list of runs comes first.
    explicit TopView(const QString &directory);
    /// Returns a view of a past run as it was, with keys that change the time.
    static std::unique_ptr<TopView> ofReplay(std::unique_ptr<ReplayedRun> run);
    ~TopView() override;

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
    enum class Asked { Nothing, Stop, Kill, LogPattern, RankFilter, RankNumber };

    bool isRunThere() const { return m_run && m_run->isThere(); }
    /// The page that others are left to.
    Page home() const { return m_run ? Page::Run : Page::Runs; }
    void openRun(const QString &directory);
    void show(std::unique_ptr<ShownRun> run);
    void openLog(LogChoice choice);
    void showLogOf(int process);
    void say(const QString &sentence);

    void pressInRuns(const Key &key);
    void pressInRun(const Key &key);
    void pressInText(const Key &key);
    void pressInPrompt(const Key &key);
    void pressLetter(QChar letter);
    bool pressPageLetter(QChar letter);
    void watchNpus();
    bool pressReplayLetter(QChar letter);
    void pressLogLetter(QChar letter);
    void ask(Asked what);
    void answer();
    void answerStop(const QString &letter);
    void chooseRow(qsizetype row);
    void chooseTroubled();
    void dump(const QList<int> &processes);
    int chosenProcess() const { return m_ranks.value(m_row, -1); }
    void orderRanks();
    void turnPage(int pages);

    QList<ScreenLine> runsPage(int cells, int rows);
    QList<ScreenLine> runPage(int cells, int rows);
    QList<ScreenLine> textPage(int cells, int rows);
    QList<ScreenLine> ranksPane(int cells, int rows);
    QList<ScreenLine> logPane(int cells, int rows);
    ScreenLine logTitle(int cells) const;
    QString pageText() const;
    ScreenLine lastLine(int cells) const;
    QString question() const;

    RunCatalog m_catalog;
    QList<RunSummary> m_runs;
    int m_chosenRun = 0;
    std::unique_ptr<ShownRun> m_run;
    ReplayedRun *m_replay = nullptr; ///< The same, if it is replayed.
    LogPane m_log;
    std::unique_ptr<MachineNpus> m_npus; ///< Once they were asked for.

    Page m_page = Page::Runs;
    Panes m_panes = Panes::Both;
    bool m_isMap = false;
    Asked m_asked = Asked::Nothing;
    QString m_typed; ///< In answer to what is asked.
    QString m_said;

    QList<int> m_ranks; ///< Processes that are shown, in their order.
    RankOrder m_order;
    SampleFilter m_filter;
    QString m_filterText;
    int m_process = -1;     ///< That is chosen; it stays so when the order changes.
    qsizetype m_row = 0;    ///< Its place in m_ranks.
    qsizetype m_topRow = 0; ///< The first row that is shown.
    int m_rankRows = 1;     ///< How many are shown.
    int m_mapColumns = 1;
    int m_logRows = 1;
    int m_logColumn = 0;     ///< The first cell of log lines that is shown.
    qsizetype m_textTop = 0; ///< The first line of a page of text that is shown.
    int m_textRows = 1;
};

} // namespace rankdeck
