#include "report/reportpage.h"

#include "base/listcomma.h"
#include "base/times.h"
#include "chart/svgchart.h"
#include "diagnosis/verdict/verdicttext.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "launch/text/commandline.h"
#include "log/line/ansidecoder.h"
#include "log/line/filelines.h"
#include "report/pagewriter.h"
#include "run/replay/runreplay.h"

#include <numeric>

namespace rankdeck
{

/// Returns those of the processes that get curves, in their order.
static QList<int> chosenOf(QList<int> processes, int root)
{
    if (processes.size() <= RunCurves::most)
        return processes;
    const bool hasRoot = processes.removeOne(root);
    processes.resize(RunCurves::most - (hasRoot ? 1 : 0));
    if (hasRoot)
        processes.insert(std::ranges::lower_bound(processes, root), root);
    return processes;
}

static void readProgress(RunCurves &curves, const RunState &state, int root, const LongReading &reading)
{
    const auto reader = ProgressReader::create(state.spec ? state.spec->common.progressPattern : QString());
    ProgressLogs logs(*state.plan, reader ? *reader : ProgressReader(), ProgressPlaces::of(state));
    if (!logs.readRest(reading))
        return;
    QList<int> telling;
    for (int process = 0; process < logs.count(); ++process) {
        curves.ranks.push_back(logs.tracker(process).progress());
        if (!logs.tracker(process).loss().isEmpty() || !logs.tracker(process).stepTime().isEmpty())
            telling << process;
    }
    curves.progressRanks = static_cast<int>(telling.size());
    const QList<int> chosen = chosenOf(telling, root);
    for (const int process : chosen) {
        const ProgressTracker &tracker = logs.tracker(process);
        curves.progress.curves.append(
            {process, tracker.loss(), tracker.stepTime(), tracker.progress().steps.value_or(0)});
    }
}

RunCurves readRunCurves(const RunState &state, const Verdict &verdict, const LongReading &reading)
{
    RunCurves curves;
    readProgress(curves, state, verdict.process, reading);
    QList<int> workers;
    for (std::size_t process = 0; process < state.plan->processes.size(); ++process) {
        if (state.plan->processes[process].role == Role::Worker)
            workers << static_cast<int>(process);
    }
    curves.sampledRanks = static_cast<int>(workers.size());
    SampleCurveReader samples(state.directory, *state.plan, chosenOf(workers, verdict.process));
    while (!(reading.isCancelled && reading.isCancelled()) && samples.readOn()) {
    }
    curves.samples = samples.curves();
    return curves;
}

namespace
{

constexpr int marksAlong = 7;
constexpr int marksAlongNarrow = 4;
constexpr double wholePercent = 100;
constexpr double leastOfScale = 0.1; ///< GB, W, MB/s: less is negligible.
constexpr qsizetype mostEvents = 500;

QString timeText(const QDateTime &time)
{
    return time.isValid() ? time.toLocalTime().toString(u"yyyy-MM-dd HH:mm:ss"_s) : QString();
}

/// Builds the page of one run, section by section.
class ReportPage
{
public:
    ReportPage(const RunState &state, const LaunchPlan &shown, const Verdict &verdict,
               const RunCurves &curves)
        : m_state(state)
        , m_plan(shown)
        , m_verdict(verdict)
        , m_curves(curves)
        , m_page(title())
    {
    }

    QByteArray make()
    {
        m_page.paragraph(endWords(), endKind());
        if (m_verdict.hasFailure)
            addVerdict();
        addRun();
        addProgress();
        addSamples();
        addRanks();
        if (m_verdict.hasFailure)
            addGrounds();
        addEvents();
        m_page.paragraph(
            tr("Made by Rankdeck %1 at %2. Values of variables and options with a secret name are "
               "masked; look for other secrets before you share this page.")
                .arg(QStringLiteral(RANKDECK_VERSION), timeText(QDateTime::currentDateTime())),
            "soft");
        return m_page.finish();
    }

private:
    QString title() const
    {
        return m_verdict.hasFailure ? verdictTitle(m_verdict)
                                    : withColon(m_state.name, shownWord(m_state.phase));
    }

    const char *endKind() const
    {
        switch (m_state.phase) {
        case RunPhase::Succeeded:
            return "state good";
        case RunPhase::Failed:
        case RunPhase::Lost:
            return "state bad";
        default:
            return "state";
        }
    }

    /// Returns a sentence on how the run ended.
    QString endWords() const
    {
        const QString after = m_state.created.isValid() && m_state.ended.isValid()
                                  ? elapsedText(m_state.created.secsTo(m_state.ended))
                                  : QString();
        switch (m_state.phase) {
        case RunPhase::Succeeded:
            return tr("All ranks succeeded. The run took %1.").arg(after);
        case RunPhase::Failed:
            return tr("The run failed after %1, with exit code %2.").arg(after).arg(m_state.exitCode);
        case RunPhase::Stopped:
            return tr("The run was stopped after %1.").arg(after);
        case RunPhase::Lost:
            return tr(
                "The run was lost: Rankdeck's supervisor ended and could not record how the run ended.");
        case RunPhase::Recorded:
        case RunPhase::Writing:
            return m_verdict.hasFailure
                       ? tr("These are logs alone. They tell of a failure.")
                       : tr("These are logs alone. They tell of no failure, and not how the ranks ended.");
        default:
            return tr("The run goes on. This page shows what was known when it was made.");
        }
    }

    void addVerdict()
    {
        m_page.heading(tr("What happened"));
        m_page.paragraph(verdictPlace(m_verdict));
        if (m_verdict.ending != m_verdict.cause)
            m_page.paragraph(m_verdict.ending);
        m_page.paragraph(verdictReason(m_verdict));
        for (const Sentence &note : m_verdict.notes)
            m_page.paragraph(note);
        if (m_verdict.known.isKnown() || !m_verdict.advice.isEmpty())
            m_page.heading(tr("What to do"));
        if (m_verdict.known.isKnown()) {
            m_page.subheading(inBrackets(m_verdict.known.title, m_verdict.known.id));
            m_page.paragraph(m_verdict.known.meaning);
            m_page.paragraph(m_verdict.known.mend, "advice");
            m_page.listing(m_verdict.known.commands);
        } else {
            m_page.paragraph(m_verdict.advice, "advice");
        }
        m_page.paragraph(m_verdict.ownAdvice, "advice");
    }

    void addGrounds()
    {
        m_page.heading(tr("What the verdict rests on"));
        for (const VerdictSection &section : verdictSections(m_verdict, m_state)) {
            m_page.subheading(section.heading);
            m_page.listing(section.lines);
        }
    }

    void addRun()
    {
        const bool areLogs = hasLogsAlone(m_state.phase);
        QString command;
        QString workDir;
        const auto first = std::ranges::find(m_plan.processes, Role::Worker, &ProcessPlan::role);
        if (first != m_plan.processes.end() && !areLogs) {
            command = joinCommandLine(first->argv);
            workDir = first->workDir;
        }
        const int ranks = m_plan.worldSize() > 0
                              ? m_plan.worldSize()
                              : int(std::ranges::count(m_plan.processes, Role::Worker, &ProcessPlan::role));
        m_page.heading(areLogs ? tr("The logs") : tr("The run"));
        QString attempts;
        if (m_plan.maxRestarts > 0)
            attempts = tr("%1 of at most %2", "restarts").arg(m_state.attempt).arg(m_plan.maxRestarts);
        m_page.facts({{tr("Name"), m_state.name},
                      {tr("Launcher"), m_plan.launcher},
                      {tr("Command of the first rank"), command},
                      {tr("Working directory"), workDir},
                      {tr("Ranks"), QString::number(ranks)},
                      {tr("Nodes"), areLogs ? QString() : placeOf(m_plan)},
                      {tr("Restarts"), attempts},
                      {tr("Started"), timeText(m_state.created)},
                      {tr("Ended"), timeText(m_state.ended)},
                      {areLogs ? tr("Log directory") : tr("Run directory"), m_state.directory},
                      {tr("Log of the failed rank"), logOf(m_verdict, m_state)}});
    }

    QString nameOf(int process) const
    {
        const ProcessPlan *const plan = m_state.planOf(process);
        return plan ? processName(*plan) : QString();
    }

    PlotName plotName(int process) const
    {
        const ProcessPlan &plan = m_state.plan->processes.at(std::size_t(process));
        return {nameOf(process), QString::number(plan.rank.value)};
    }

    /// Returns the index of the curve of the rank that failed; -1 if there is none.
    template <typename Curves>
    int emphasized(const Curves &curves) const
    {
        const auto found =
            std::ranges::find(curves, m_verdict.process, [](const auto &curve) { return curve.process; });
        return m_verdict.process < 0 || found == curves.end() ? -1 : int(found - curves.begin());
    }

    void addKeys(const QList<PlotName> &names, int of)
    {
        m_page.begin("div");
        for (qsizetype curve = 0; curve < names.size(); ++curve)
            m_page.element("span", u"\u25a0 "_s + names.at(curve).name,
                           (QByteArray("key ") + svgCurveClass(curve).toLatin1()).constData());
        if (of > names.size())
            m_page.element("span", tr("%1 of %2 ranks").arg(names.size()).arg(of), "soft");
        m_page.end();
    }

    static bool hasPoints(const PlotChart &chart)
    {
        return std::ranges::any_of(chart.curves, [](const auto &curve) { return !curve.empty(); });
    }

    void addProgress()
    {
        if (!m_curves.ranks.empty() && m_curves.progressRanks == 0 && m_state.count(RankPhase::Waiting) == 0)
            m_page.paragraph(tr("No rank printed a loss or a step time."), "soft");
        const auto &all = m_curves.progress.curves;
        if (all.isEmpty())
            return;
        PlotChart loss{tr("loss"), {}, {}, {}, false};
        PlotChart time{tr("step time (s)"), {}, 0, {}, false}; // Durations are compared against 0.
        QList<PlotName> names;
        qint64 last = 0;
        for (const ProgressCurves::Curve &curve : all) {
            names << plotName(curve.process);
            loss.curves.push_back(plotPoints(curve.loss));
            time.curves.push_back(plotPoints(curve.stepTime, msPerSecond));
            for (const auto *points : {&loss.curves.back(), &time.curves.back()})
                last = points->empty() ? last : std::max(last, points->back().to);
        }
        SvgAxis along{stepAxis(0, last, marksAlong), {}};
        for (const double mark : std::as_const(along.axis.marks))
            along.marks << markText(along.axis, mark);
        m_page.heading(tr("Progress"));
        m_page.paragraph(progressText(runProgress(m_curves.ranks), isLive(m_state.phase)));
        addKeys(names, m_curves.progressRanks);
        for (const PlotChart &chart : {loss, time}) {
            if (hasPoints(chart))
                writeSvgChart(m_page.xml(), {chart, names, along, emphasized(all)});
        }
        m_page.paragraph(tr("Along the charts: the step."), "soft");
    }

    void addSamples()
    {
        const auto &all = m_curves.samples.curves;
        const QList<PlotName> names =
            listOf(all, [&](const SampleCurves::Curve &curve) { return plotName(curve.process); });
        std::vector<PlotChart> charts;
        qint64 first = std::numeric_limits<qint64>::max();
        qint64 last = 0;
        for (std::size_t at = 0; at < sampleQuantities; ++at) {
            const auto quantity = static_cast<SampleQuantity>(at);
            PlotChart chart{m_curves.samples.title(quantity), {}, {}, {}, false};
            // Temperature and clock are read against their range, not against 0.
            if (quantity != SampleQuantity::Temperature && quantity != SampleQuantity::Clock) {
                const bool isShare = quantity == SampleQuantity::AiCore || quantity == SampleQuantity::Npu;
                chart.least = 0;
                chart.most = isShare ? wholePercent : leastOfScale;
            }
            for (const SampleCurves::Curve &curve : all) {
                chart.curves.push_back(plotPoints(curve.of(quantity)));
                std::vector<PlotPoint> &points = chart.curves.back();
                for (std::size_t point = 1; point < points.size(); ++point)
                    points[point].isAfterGap =
                        points[point].from - points[point - 1].to > m_curves.samples.gap;
                if (!points.empty()) {
                    first = std::min(first, points.front().from);
                    last = std::max(last, points.back().to);
                }
            }
            if (hasPoints(chart))
                charts.push_back(std::move(chart));
        }
        if (charts.empty())
            return;
        SvgAxis along{timeAxis(first, last, marksAlongNarrow, AxisEnd::Exact), {}};
        for (const double mark : std::as_const(along.axis.marks))
            along.marks << timeMarkText(along.axis, mark);
        m_page.heading(tr("NPUs and processes"));
        if (m_curves.samples.areInvented)
            m_page.paragraph(tr("The NPUs of this run are invented: a demo's stand-in for npu-smi made their "
                                "values up."),
                             "warn");
        addKeys(names, m_curves.sampledRanks);
        m_page.begin("div", "pairs");
        for (const PlotChart &chart : charts)
            writeSvgChart(m_page.xml(), {chart, names, along, emphasized(all), SvgChart::narrow});
        m_page.end();
        m_page.paragraph(tr("Along the charts: the local time."), "soft");
    }

    static QString lastLineIn(const QString &path)
    {
        constexpr qint64 lookedAt = 8 * 1024;
        constexpr int lines = 20;
        constexpr int longest = 300;
        const QList<QByteArray> last =
            path.isEmpty() ? QList<QByteArray>() : lastLines(path, lines, lookedAt);
        for (auto line = last.rbegin(); line != last.rend(); ++line) {
            const QString text = AnsiDecoder::plainText(*line).trimmed();
            if (!text.isEmpty())
                return text.size() > longest ? text.left(longest) + u"…"_s : text;
        }
        return {};
    }

    /// Returns the indexes of all processes: the first one that failed, other failed ones, the others.
    std::vector<std::size_t> ranksInOrder() const
    {
        std::vector<std::size_t> order(m_state.ranks.size());
        std::iota(order.begin(), order.end(), 0);
        const auto place = [this](std::size_t index) {
            if (m_verdict.hasFailure && m_verdict.process == int(index))
                return 0;
            return m_state.shownPhase(m_state.ranks[index]) == RankPhase::Failed ? 1 : 2;
        };
        std::ranges::stable_sort(order, {}, place);
        return order;
    }

    void addRanks()
    {
        m_page.heading(tr("Ranks"));
        const bool hasNodes = sampledNodes(m_plan).size() > 1;
        QStringList headings{tr("Process"), tr("State"), tr("Exit")};
        if (hasNodes)
            headings << tr("Node");
        headings << tr("Progress") << tr("Last line");
        m_page.beginTable(headings);
        for (const std::size_t index : ranksInOrder()) {
            const ProcessPlan &plan = m_state.plan->processes[index];
            const RankState &rank = m_state.ranks[index];
            const RankPhase phase = m_state.shownPhase(rank);
            QString line = lastLineIn(plan.stderrFile);
            if (line.isEmpty() || !rank.status || rank.status->isSuccess())
                line = lastLineIn(plan.logFile);
            QStringList cells{processName(plan), shownWord(phase),
                              rank.status ? rank.status->text() : QString()};
            if (hasNodes)
                cells << plan.node;
            cells << (index < m_curves.ranks.size() ? progressText(m_curves.ranks[index]) : QString())
                  << line;
            const bool isRoot = m_verdict.hasFailure && m_verdict.process == int(index);
            m_page.row(cells, isRoot || phase == RankPhase::Failed ? "bad" : nullptr);
        }
        m_page.endTable();
    }

    void addEvents()
    {
        const auto replay = RunReplay::of(m_state);
        if (!replay || replay->marks().isEmpty())
            return;
        m_page.heading(tr("Events"));
        m_page.beginTable({tr("Time"), tr("Event")});
        const QList<ReplayMark> &marks = replay->marks();
        for (const ReplayMark &mark : marks.mid(0, mostEvents)) {
            const bool isBad = mark.kind == ReplayMark::Kind::Failure || mark.kind == ReplayMark::Kind::Stall;
            m_page.row({timeText(mark.time), mark.text}, isBad ? "event bad" : "event");
        }
        if (marks.size() > mostEvents)
            m_page.row({QString(), tr("and %1 more").arg(marks.size() - mostEvents)});
        m_page.endTable();
    }

    const RunState &m_state;
    const LaunchPlan &m_plan;
    const Verdict &m_verdict;
    const RunCurves &m_curves;
    PageWriter m_page;
};

} // namespace

QByteArray reportPage(const RunState &state, const LaunchPlan &shown, const Verdict &verdict,
                      const RunCurves &curves)
{
    return ReportPage(state, shown, verdict, curves).make();
}

} // namespace rankdeck
