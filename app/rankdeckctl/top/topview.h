#pragma once

#include "device/sampling/devicesampler.h"
#include "rankdeckctl/top/listpanes.h"
#include "rankdeckctl/top/logpane.h"
#include "rankdeckctl/top/shownrun.h"

namespace rankdeck
{

/// The NPUs of this machine as a text, without a run: read while the user looks at them.
class MachineNpus : public QObject
{
    Q_OBJECT

public:
    MachineNpus();

    /// Sets whether the text is visible. Nothing is read before.
    void setSeen(bool isSeen);
    /// Returns the table of `rankdeckctl devices`, or the reason why there is none.
    const QString &text() const { return m_text; }

Q_SIGNALS:
    void changed();

private:
    void start();

    QString m_text;
    std::unique_ptr<DeviceSampler> m_sampler;
    NewestWins<QString> m_making;
};

/// The visible lines of a long text.
class TextPane
{
public:
    void toTop() { m_top = 0; }
    /// Returns false for a key that means nothing here.
    bool press(const Key &key);
    QList<ScreenLine> lines(const QString &text, int cells, int rows);

private:
    qsizetype m_top = 0; ///< The first line that is shown.
    int m_rows = 1;      ///< How many are shown.
};

/// A question in the last line of the screen, and the typed answer.
class Prompt
{
public:
    enum class Question { Nothing, Stop, Kill, Start, LogPattern, RankFilter, RankNumber };
    struct Answer {
        Question question;
        QString text; ///< For Stop, Kill and Start, a letter.
    };

    bool isOpen() const { return m_question != Question::Nothing; }
    /// @param typed stands there already.
    void ask(Question question, const QString &typed)
    {
        m_question = question;
        m_typed = typed;
    }
    /// Returns the answer once it is given; the question is closed then. Escape closes it without.
    std::optional<Answer> press(const Key &key);
    /// @param rank that a letter may mean.
    QString text(const QString &rank) const;

private:
    Question m_question = Question::Nothing;
    QString m_typed;
};

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
    void say(const QString &sentence)
    {
        m_said = sentence;
        Q_EMIT changed();
    }

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
