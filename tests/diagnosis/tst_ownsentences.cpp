#include "diagnosis/catalogue/errorcatalogue.h"
#include "diagnosis/logdirectory/logdirectory.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/verdicttext.h"
#include "ownsentences.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testmain.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <set>

namespace tst_ownsentences
{

using namespace rankdeck;

namespace
{

using Ranks = std::set<int>;

constexpr int world = 4;

/// What a sentence of a process group means for the verdict.
enum class Kind {
    Names, ///< Which rank is missing or gone: that rank, or undecided; never a rank that waited for it.
    Pair,  ///< Two ranks do not agree, or their connection fails: never certain, never a third rank.
    Waits, ///< It waited, it does not say for whom: never certain, and not the rank that waited.
    Own,   ///< A mistake of the rank that prints it: that rank, or nobody.
    Link,  ///< As Pair; the self-test prints it of two ranks.
    Plain, ///< No failure.
    Part,  ///< Stands only within other sentences, so it is Plain by itself.
};

/// A sentence of a process group with the verdict that is wanted, written down before the verdict was tried.
struct Label {
    const char *source;
    Kind kind;
    Ranks named{};           ///< The ranks that the verdict may name.
    QStringList said{};      ///< As it is printed, if withValues() does not know.
    Ranks printers{0, 2, 3}; ///< Who may print it.
};

// clang-format off
const std::vector<Label> &labels()
{
    static const QString sum = u"an allreduce sum of 4 floats"_s;
    static const QString from0 = u"a broadcast of 4 floats from rank 0"_s;
    static const QString closed = u"[/build/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.2]:43210"_s;
    static const std::vector<Label> all{
        {"rank %1 has gone away", Kind::Names, {1}},
        {"rank %1 has not arrived within %2 s", Kind::Names, {1}},
        {"ranks %1 have not arrived within %2 s", Kind::Names, {1, 2}, {}, {0, 3}},
        {"rank 0, which keeps the store, has gone away", Kind::Names, {0}, {}, {1, 2, 3}},
        {"rank 0, which keeps the store at %1, has not arrived within %2 s: %3", Kind::Names, {0},
         {u"rank 0, which keeps the store at 10.0.0.1:29500, has not arrived within 30 s: no connection: Connection refused"_s,
          u"rank 0, which keeps the store at 10.0.0.1:29500, has not arrived within 30 s: no connection: Connection timed out"_s,
          u"rank 0, which keeps the store at node1:29500, has not arrived within 0.5 s: no connection: No route to host"_s},
         {1, 2, 3}},
        {"%1 failed: rank %2 has not joined it within %3 s", Kind::Names, {1},
         {sum + u" failed: rank 1 has not joined it within 3 s"_s,
          from0 + u" failed: rank 1 has not joined it within 3 s"_s,
          u"a barrier failed: rank 1 has not joined it within 3 s"_s}},
        {"%1 failed: ranks %2 have not joined it within %3 s", Kind::Names, {1, 2},
         {from0 + u" failed: ranks 1-2 have not joined it within 3 s"_s}, {0, 3}},
        {"nothing was heard within %1 s of rank %2", Kind::Names, {1}},
        {"%1 failed: %2", Kind::Names, {1},
         {sum + u" failed: rank 1 has gone away"_s, u"connecting ranks 0-3 failed: rank 1 has gone away"_s,
          u"connecting ranks 0-3 failed: rank 1 has not arrived within 30 s"_s}},

        {"the ranks do not call the same operation: %1", Kind::Pair, {1},
         {u"the ranks do not call the same operation: rank 1 calls a barrier; ranks 0,2-3 call "_s + sum,
          u"the ranks do not call the same operation: rank 1 calls a broadcast of 4 floats from rank 2; ranks 0,2-3 call "_s + from0},
         {0, 1, 2, 3}},
        {"the ranks do not agree on the size of a collective operation's data; here it was %1", Kind::Pair, {},
         {u"the ranks do not agree on the size of a collective operation's data; here it was an allreduce of 16 bytes"_s},
         {0, 1, 2, 3}},
        {"rank %1 was started as one of %2 ranks, but rank 0 as one of %3", Kind::Pair, {0, 1},
         {u"rank 1 was started as one of 8 ranks, but rank 0 as one of 4"_s}, {0, 2, 3}},
        {"rank 0 is one of %1 ranks", Kind::Pair, {0, 1}, {u"rank 0 is one of 4 ranks"_s}, {1}},
        {"two processes were started as rank %1", Kind::Pair, {1}},
        {"rank %1 already exists", Kind::Pair, {1}, {}, {1}},
        {"the connection to rank %1 does not work: %2", Kind::Pair, {0, 1},
         {u"the connection to rank 1 does not work: no connection to 10.0.0.2:40123: No route to host"_s,
          u"the connection to rank 1 does not work: the connection broke during a round trip: Connection reset by peer"_s},
         {0}},
        {"rank %1 has %2 at index %3, not %4", Kind::Pair, {1},
         {u"allreduce sum: rank 1 has 7 at index 3, not 6"_s}, {1}},

        {"nothing was heard of %1 in time", Kind::Waits, {}, {u"nothing was heard of gloo/0-3/0/1 in time"_s}},
        {"the store has ended", Kind::Waits},
        {"the store sent an invalid answer", Kind::Waits},
        {"the store did not return the addresses of all ranks", Kind::Waits},
        {"Gloo failed: %1", Kind::Waits, {}, {u"Gloo failed: "_s + closed}},
        {"Gloo failed in %1: %2", Kind::Waits, {}, {u"Gloo failed in "_s + from0 + u": "_s + closed}},

        {"%1 accepts connections, but does not answer as rank %2 within %3 s", Kind::Link, {},
         {u"10.0.0.2:40123 accepts connections, but does not answer as rank 1 within 3 s; it is unknown whether the other direction works"_s}},
        {"no connection to %1 within %2 s", Kind::Link, {},
         {u"no connection to 10.0.0.2:40123 within 3 s; the other direction works: check the firewall there"_s}},
        {"no connection to %1: %2", Kind::Link, {},
         {u"no connection to 10.0.0.2:40123: No route to host; the other direction does not work either"_s,
          u"no connection to 10.0.0.2:40123: Connection refused"_s}},
        {"rank %1 has not reported its address", Kind::Link},
        {"rank %1 cannot reach it", Kind::Link},
        {"the connection of rank %1 broke: %2", Kind::Link, {},
         {u"the connection of rank 1 broke: Connection reset by peer"_s}},
        {"the connection broke during %1: %2", Kind::Link, {},
         {u"the connection broke during sending 524288 bytes: Broken pipe"_s}},
        {"%1 did not finish in time", Kind::Link, {}, {u"receiving 524288 bytes did not finish in time"_s}},
        {"%1; it is unknown whether the other direction works", Kind::Link, {},
         {u"no connection to 10.0.0.2:40123: Network is unreachable; it is unknown whether the other direction works"_s}},
        {"%1; the other direction works: check the firewall there", Kind::Link, {},
         {u"no connection to 10.0.0.2:40123 within 3 s; the other direction works: check the firewall there"_s}},
        {"%1; the other direction does not work either", Kind::Link, {},
         {u"no connection to 10.0.0.2:40123 within 3 s; the other direction does not work either"_s}},

        {"no thread can be started: a limit of processes (pids.max, ulimit -u) is reached", Kind::Own},
        {"\"%1\" is not a number from %2 to %3", Kind::Own, {}, {u"RANK: \"x\" is not a number from 0 to 65536"_s}},
        {"%1 is not less than %2=%3", Kind::Own, {}, {u"RANK: 9 is not less than WORLD_SIZE=4"_s}},
        {"\"%1\" is not a port from 1 to 65535", Kind::Own, {}, {u"MASTER_PORT: \"x\" is not a port from 1 to 65535"_s}},
        {"is not set", Kind::Own, {}, {u"WORLD_SIZE: is not set. Start this process with a launcher that sets it."_s}},
        {"rank 0 cannot open the store for the ranks: %1", Kind::Own, {},
         {u"rank 0 cannot open the store for the ranks: port 29500: cannot accept connections there: Address already in use. Another program may use the port; choose another port."_s},
         {0}},
        {"cannot accept connections there: %1", Kind::Own, {},
         {u"port 40123: cannot accept connections there: Address already in use. Another program may use the port; choose another port."_s}},
        {"host address not found: %1", Kind::Own, {}, {u"node1: host address not found: Name or service not known"_s}},
        {"cannot connect the ranks at %1: %2", Kind::Own, {},
         {u"cannot connect the ranks at 10.0.0.9: [enforce fail at /build/gloo/gloo/transport/tcp/device.cc:80] rp != nullptr. Unable to find address"_s}},
        {"distInit() has no method \"%1\"; its methods are \"slurm\" and \"single_node\"", Kind::Own},
        {"distInit() was called before; call distFinalize() first", Kind::Own},
        {"distInit() has not been called", Kind::Own},
        {"an allreduce sum is divided by the number of ranks, which is not possible for integers; use allreduceSum() for them", Kind::Own},
        {"rank %1 is not in the group that it should broadcast to", Kind::Own},
        {"%2 ranks cannot be divided into groups of %1", Kind::Own, {}, {u"4 ranks cannot be divided into groups of 3"_s}},
        {"array split does not result in an equal division", Kind::Own},
        {"a group of %1 has no rank %2 to broadcast from", Kind::Own, {}, {u"a group of 4 has no rank 1 to broadcast from"_s}},
        {"a broadcast needs other processes, but this one is alone", Kind::Own},
        {"a rank is listed twice in group %1", Kind::Own, {}, {u"a rank is listed twice in group 0,0-1"_s}},
        {"rank %1 is not in group %2, which it creates", Kind::Own, {}, {u"rank 1 is not in group 2-3, which it creates"_s}, {1}},
        {"group %1 contains ranks that are not among %2", Kind::Own, {}, {u"group 2-7 contains ranks that are not among 0-3"_s}},
        {"Rankdeck was built without Gloo, which connects ranks. Install libgloo-dev and rebuild Rankdeck.", Kind::Own},

        {"Rankdeck was built without Gloo, so each of the %1 ranks runs alone, as rank 0 of 1. Install libgloo-dev and rebuild Rankdeck.", Kind::Plain},
        {"without collectives, as Rankdeck was built without Gloo", Kind::Plain},
        {"without collectives, as ranks %1 cannot all reach each other", Kind::Plain},
        {"%1 to %2: %3 MB/s, back: %4 MB/s", Kind::Plain},
        {"its latency is %1 times the usual (%2)", Kind::Plain},
        {"the usual bandwidth is %1 times its own (%2)", Kind::Plain},
        {"one way is %1 times as fast as the other (%2)", Kind::Plain},

        {"%n floats", Kind::Part}, {"%n float", Kind::Part}, {"%n doubles", Kind::Part}, {"%n double", Kind::Part},
        {"%1 int32", Kind::Part}, {"%1 int64", Kind::Part}, {"%n bytes", Kind::Part}, {"%n byte", Kind::Part},
        {"a broadcast of %1 from rank %2", Kind::Part}, {"an allreduce sum of %1", Kind::Part},
        {"an allreduce max of %1", Kind::Part}, {"a broadcast of an object from rank %1", Kind::Part},
        {"an allgather", Kind::Part}, {"a barrier", Kind::Part}, {"and others something else", Kind::Part},
        {"ranks %1 call %2", Kind::Part}, {"rank %1 calls %2", Kind::Part}, {"none", Kind::Part},
        {"of %1 bytes", Kind::Part}, {"connecting ranks %1", Kind::Part}, {"an allgather %1", Kind::Part},
        {"a broadcast %1", Kind::Part}, {"an allreduce %1", Kind::Part}, {"port %1", Kind::Part},
        {"no connection: %1", Kind::Part}, {"the first round trip", Kind::Part}, {"a round trip", Kind::Part},
        {"sending %1 bytes", Kind::Part}, {"receiving %1 bytes", Kind::Part}, {"broadcast", Kind::Part},
        {"allreduce sum", Kind::Part}, {"allreduce max", Kind::Part},
        {"Another program may use the port; choose another port.", Kind::Part},
        {"Start this process with a launcher that sets it.", Kind::Part},
    };
    return all;
}
// clang-format on

/// A new sentence of a process group that names a rank is to be judged by it; another is the printer's own.
Label labelOf(const OwnSentence &sentence)
{
    static const QRegularExpression rank(u"\\branks? %\\d"_s);
    const auto found = std::ranges::find_if(
        labels(), [&](const Label &label) { return sentence.text == QLatin1String(label.source); });
    Label label =
        found == labels().end()
            ? Label{nullptr, sentence.text.contains(rank) ? Kind::Names : Kind::Own, {1, 2}, {}, {0, 3}}
            : *found;
    if (label.said.isEmpty())
        label.said = withValues(sentence.text);
    return label;
}

/// Entries of the catalogue that say just what the sentence says.
const QMap<QString, QString> &meantEntries()
{
    static const QMap<QString, QString> meant{
        {u"Addresses of NPUs differ from the rank table (HCCL: EJ0004): %1."_s, u"hccl-EJ0004"_s},
    };
    return meant;
}

/// The words of the system's errors belong to whoever prints them.
bool isSystems(const OwnSentence &sentence)
{
    return sentence.file == "core/base/result.cpp"_L1;
}

QByteArray stepsOf(int rank)
{
    QByteArray lines;
    for (int step = 0; step < 3; ++step)
        lines += "2026-01-05 10:00:0%1,000 - train - INFO - step %1 of rank "_ba.replace(
                     "%1", QByteArray::number(step)) +
                 QByteArray::number(rank) + '\n';
    return lines;
}

const QByteArray ownError = "Traceback (most recent call last):\n"
                            "  File \"/home/me/train.py\", line 7, in main\n"
                            "    check(value)\n"
                            "ValueError: bad value\n";

QByteArray pythonTrace(const QString &sentence)
{
    return "Traceback (most recent call last):\n"
           "  File \"/home/me/launch.py\", line 3, in <module>\n"
           "    rankdeck.start(command)\n"
           "rankdeck.davincirunsdk.RankdeckError: rankdeckctl: " +
           sentence.toUtf8() + '\n';
}

/// How a sentence of a process group stands in a rank's log: alone, as the self-test and the handler of
/// std::terminate() print it, as an exception that nobody catches, and as a program logs it.
QList<QByteArray> printed(const QString &sentence, const Label &label, int rank)
{
    const QByteArray text = sentence.toUtf8() + '\n';
    const QByteArray number = QByteArray::number(rank);
    if (label.kind == Kind::Link) {
        const QByteArray other = QByteArray::number(rank + 1);
        const QByteArray problem = QByteArray(text).replace("rank 1", "rank " + other);
        const QByteArray pair = "selftest: rank " + number + ": pair " + number + '-' + other;
        return {pair + " failed: " + problem, pair + " on one host failed: " + problem};
    }
    if (label.kind == Kind::Plain || label.kind == Kind::Part)
        return {text, "rankdeck: " + text, "selftest: rank " + number + ": collectives: " + text};
    return {text, "rankdeck: " + text, "selftest: rank " + number + ": failed: " + text,
            "terminate called after throwing an instance of 'rankdeck::DistError'\n  what():  " + text,
            "2026-01-05 10:00:33,000 - train - ERROR - " + text};
}

std::optional<int> rootOf(const Verdict &verdict)
{
    return verdict.hasRoot() && verdict.role == Role::Worker ? std::optional(verdict.rank.value)
                                                             : std::nullopt;
}

QString listOf(const Ranks &ranks)
{
    QStringList numbers;
    for (const int rank : ranks)
        numbers << QString::number(rank);
    return numbers.join(','_L1);
}

/// Returns what is wrong with a verdict, nothing if it is as wanted.
QString problemOf(const Verdict &verdict, const Label &label, const Ranks &printers)
{
    const auto root = rootOf(verdict);
    Ranks candidates;
    for (const Rank rank : verdict.candidates)
        candidates.insert(rank.value);
    const auto is = [&](const Ranks &ranks) {
        return root && ranks.contains(*root);
    };
    const bool isCertain = root && verdict.confidence == Verdict::Confidence::Certain;
    switch (label.kind) {
    case Kind::Plain:
    case Kind::Part:
        return verdict.hasFailure ? u"is a failure"_s : QString();
    case Kind::Own:
        return root && !is(printers) ? u"blames another rank"_s : QString();
    case Kind::Names:
        if (!verdict.hasFailure)
            return u"is no failure"_s;
        if (root)
            return is(label.named) ? QString() : u"blames another rank"_s;
        if (std::ranges::any_of(candidates, [&](int rank) { return printers.contains(rank); }))
            return u"suspects a rank that waits: "_s + listOf(candidates);
        return candidates.empty() ? u"knows no candidate"_s : QString();
    case Kind::Pair:
    case Kind::Link:
        if (!verdict.hasFailure)
            return u"is no failure"_s;
        return isCertain ? u"is certain"_s : root && !is(label.named) ? u"blames another rank"_s : QString();
    case Kind::Waits:
        if (!verdict.hasFailure)
            return u"is no failure"_s;
        return isCertain ? u"is certain"_s : is(printers) ? u"blames a rank that waits"_s : QString();
    }
    return {};
}

} // namespace

/// What Rankdeck itself prints must not lead its verdict astray. Logs or a journal with our sentences come
/// in, and a verdict comes out, as for a user; how it is found does not matter here.
class OwnSentencesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theyAreFoundInTheSources();
    void aLabelIsOfASentenceThatIsPrinted();
    void whoWaitsForARankIsNotBlamed_data() { addOfGroups(); }
    void whoWaitsForARankIsNotBlamed();
    void anErrorOfTheRankItselfCountsMore_data() { addOfGroups(); }
    void anErrorOfTheRankItselfCountsMore();
    void noOtherProgramsErrorIsSeenInThem();
    void newsIsNoFailure();
    void aRefusedLaunchBlamesNoOtherRank();
    void notesOfARunChangeNoVerdict();
    void aLaunchThatFailedAsAWholeIsNoRanksFault();

private:
    void addOfGroups() const;
    void write(const QString &name, const QByteArray &text) const;
    /// @param said by the ranks that print something.
    Verdict verdictWith(const std::map<int, QByteArray> &said) const;
    Verdict verdictOfConsole(const QByteArray &said) const;
    Verdict verdictOfLogs() const;

    QTemporaryDir m_home;
    std::unique_ptr<ErrorCatalogue> m_catalogue;
    QList<OwnSentence> m_sentences;
    QList<OwnSentence>
        m_tried; ///< Fewer under a sanitizer, which is slow; ctest has the class without one too.
    QMultiMap<QString, QString> m_chinese;
};

void OwnSentencesTest::initTestCase()
{
    qputenv("XDG_CONFIG_HOME", m_home.path().toUtf8());
    qputenv("XDG_STATE_HOME", m_home.path().toUtf8());
    m_catalogue = std::make_unique<ErrorCatalogue>(ErrorCatalogue::load());
    m_sentences = ownSentences();
#ifdef __SANITIZE_ADDRESS__
    constexpr qsizetype step = 8;
#else
    constexpr qsizetype step = 1;
#endif
    for (qsizetype index = 0; index < m_sentences.size(); index += step)
        m_tried << m_sentences[index];
    m_chinese = chineseSentences();
}

void OwnSentencesTest::write(const QString &name, const QByteArray &text) const
{
    QFile file(m_home.filePath(name));
    if (!QDir().mkpath(QFileInfo(file).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(text) != text.size())
        qFatal("%s cannot be written", qPrintable(name));
}

Verdict OwnSentencesTest::verdictWith(const std::map<int, QByteArray> &said) const
{
    for (int rank = 0; rank < world; ++rank) {
        const auto own = said.find(rank);
        write(u"logs/rank-%1.log"_s.arg(rank),
              stepsOf(rank) + (own == said.end() ? QByteArray() : own->second));
    }
    return verdictOfLogs();
}

/// The output of rankdeckctl processes, which is also that of its ranks.
Verdict OwnSentencesTest::verdictOfConsole(const QByteArray &said) const
{
    QByteArray lines;
    for (int rank = 0; rank < world; ++rank) {
        for (const QByteArray &line : stepsOf(rank).trimmed().split('\n'))
            lines += "[default" + QByteArray::number(rank) + "]:" + line + '\n';
    }
    QDir(m_home.filePath(u"console"_s)).removeRecursively();
    write(u"console/launch.log"_s, lines + said);
    const auto state = LogDirectory(m_home.filePath(u"console"_s)).open();
    return state ? diagnose(*state, *m_catalogue, QLocale::c()) : Verdict();
}

Verdict OwnSentencesTest::verdictOfLogs() const
{
    const auto state = LogDirectory(m_home.filePath(u"logs"_s)).open();
    if (!state)
        qFatal("%s", qPrintable(state.error().sentence()));
    return diagnose(*state, *m_catalogue, QLocale::c());
}

void OwnSentencesTest::theyAreFoundInTheSources()
{
    QMap<Author, int> counts;
    for (const OwnSentence &sentence : m_sentences)
        ++counts[authorOf(sentence)];
    QMap<Kind, int> kinds;
    for (const Label &label : labels())
        ++kinds[label.kind];
    qInfo("%d sentences: %d of process groups (%d that name a rank, %d pair, %d link, %d wait, %d own, %d "
          "plain, "
          "%d parts), %d of agents, %d of the supervisor, %d of launchers, %d in Python; %d translations",
          int(m_sentences.size()), counts[Author::ProcessGroup], kinds[Kind::Names], kinds[Kind::Pair],
          kinds[Kind::Link], kinds[Kind::Waits], kinds[Kind::Own], kinds[Kind::Plain], kinds[Kind::Part],
          counts[Author::Agent], counts[Author::Supervisor], counts[Author::Launcher], counts[Author::Python],
          int(m_chinese.size()));
    // A scan that finds nothing would let all pass.
    QVERIFY(counts[Author::ProcessGroup] >= 80);
    QVERIFY(counts[Author::Agent] >= 300);
    QVERIFY(counts[Author::Supervisor] >= 300);
    QVERIFY(counts[Author::Launcher] >= 1000);
    QVERIFY(counts[Author::Python] >= 5);
    QVERIFY(m_chinese.size() >= 2000);
    for (const QString &known :
         {u"%1 failed: ranks %2 have not joined it within %3 s"_s, u"ranks %1 have not arrived within %2 s"_s,
          u"The supervisor got %1."_s, u"%1: no such program. Install Rankdeck, or set RANKDECKCTL."_s,
          u"distInit() has no method \"%1\"; its methods are \"slurm\" and \"single_node\""_s})
        QVERIFY2(std::ranges::find(m_sentences, known, &OwnSentence::text) != m_sentences.end(),
                 qPrintable(known));
}

/// A label whose sentence has changed would test nothing.
void OwnSentencesTest::aLabelIsOfASentenceThatIsPrinted()
{
    for (const Label &label : labels()) {
        const QString source = QString::fromUtf8(label.source);
        const bool isFound = std::ranges::any_of(m_sentences, [&](const OwnSentence &sentence) {
            return sentence.text == source && authorOf(sentence) == Author::ProcessGroup;
        });
        QVERIFY2(isFound, label.source);
        QString form = QRegularExpression::escape(source);
        form.replace(QRegularExpression(u"\\\\%\\d"_s), u".+"_s);
        for (const QString &said : label.said)
            QVERIFY2(said.contains(QRegularExpression(form)), qPrintable(said));
    }
}

void OwnSentencesTest::addOfGroups() const
{
    QTest::addColumn<QString>("sentence");
    for (const OwnSentence &sentence : m_sentences) {
        if (authorOf(sentence) == Author::ProcessGroup)
            QTest::newRow(qPrintable(sentence.text)) << sentence.text;
    }
}

void OwnSentencesTest::whoWaitsForARankIsNotBlamed()
{
    QFETCH(QString, sentence);
    Label label = labelOf({sentence, {}});
    QStringList problems;
    const auto check = [&](const QString &said, std::size_t form, const Ranks &printers) {
        std::map<int, QByteArray> logs;
        for (const int rank : printers)
            logs[rank] = printed(said, label, rank)[qsizetype(form)];
        const Verdict verdict = verdictWith(logs);
        const QString problem = problemOf(verdict, label, printers);
        if (!problem.isEmpty())
            problems << u"printed by %1 %2: %3 (%4, %5)"_s.arg(
                listOf(printers), QString::fromUtf8(logs.begin()->second.trimmed()), problem,
                verdictTitle(verdict), verdict.rule);
    };
    for (const QString &said : label.said) {
        for (std::size_t form = 0; form < std::size_t(printed(said, label, 0).size()); ++form) {
            if (label.kind == Kind::Link) {
                label.named = {0, 1};
                check(said, form, {0});
                label.named = {2, 3};
                check(said, form, {2});
                continue;
            }
            check(said, form, {*label.printers.begin()});
            check(said, form, {*label.printers.rbegin()});
            check(said, form, label.printers);
        }
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

/// The rank that others wait for says why it is gone.
void OwnSentencesTest::anErrorOfTheRankItselfCountsMore()
{
    QFETCH(QString, sentence);
    const Label label = labelOf({sentence, {}});
    if (label.kind != Kind::Names)
        return;
    const int failed = *label.named.begin();
    for (const QString &said : label.said) {
        for (qsizetype form = 0; form < printed(said, label, 0).size(); ++form) {
            std::map<int, QByteArray> logs{{failed, ownError}};
            for (const int rank : label.printers)
                logs[rank] = printed(said, label, rank)[form];
            const Verdict verdict = verdictWith(logs);
            QVERIFY2(rootOf(verdict) == failed, qPrintable(said + '\n'_L1 + verdictTitle(verdict)));
            QCOMPARE(verdict.causeId, u"python-value-error"_s);
        }
    }
}

/// An entry of the catalogue is for another program's error, unless it means the same.
void OwnSentencesTest::noOtherProgramsErrorIsSeenInThem()
{
    QStringList problems;
    for (const OwnSentence &sentence : m_sentences) {
        if (isSystems(sentence))
            continue;
        QStringList texts = withValues(sentence.text);
        for (const QString &chinese : m_chinese.values(sentence.text))
            texts += withValues(chinese);
        for (const QString &text : texts) {
            const ErrorEntry *entry = m_catalogue->bestFor(text.toStdString());
            if (entry && !entry->id.startsWith("rankdeck-"_L1) &&
                meantEntries().value(sentence.text) != entry->id)
                problems << u"%1: %2"_s.arg(entry->id, text);
        }
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

/// Sentences of agent, supervisor and launcher, such as those by which Rankdeck says that it ends something,
/// are no failure by themselves, in any log.
void OwnSentencesTest::newsIsNoFailure()
{
    QMap<QString, QStringList> byFile; // All sentences of a source in one log.
    for (const OwnSentence &sentence : m_sentences) {
        const bool isLabelled = authorOf(sentence) == Author::ProcessGroup;
        if (sentence.text.count(' '_L1) < 2)
            continue; // A heading, or a part of a sentence.
        if (isSystems(sentence) || isLabelled || meantEntries().contains(sentence.text))
            continue;
        QStringList texts = withValues(sentence.text);
        for (const QString &chinese : m_chinese.values(sentence.text))
            texts += withValues(chinese);
        byFile[sentence.file] += texts;
    }
    QStringList problems;
    const auto hasFailure = [&](const QStringList &texts) {
        QByteArray bare;
        QByteArray noted;
        QByteArray refused;
        for (const QString &text : texts) {
            const QByteArray line = text.toUtf8().simplified() + '\n';
            bare += line;
            noted += "rankdeckctl: note: " + line;
            refused += "rankdeckctl: train.py: " + line;
        }
        return verdictWith({{0, bare}, {3, noted}, {2, refused}}).hasFailure ||
               verdictOfConsole(bare + noted + refused).hasFailure;
    };
    for (const QStringList &texts : byFile) {
        if (!hasFailure(texts))
            continue;
        for (const QString &text : texts) {
            if (hasFailure({text}))
                problems << text;
        }
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

/// What rankdeckctl says becomes an exception in Python.
void OwnSentencesTest::aRefusedLaunchBlamesNoOtherRank()
{
    QStringList problems;
    int printer = 0;
    for (const OwnSentence &sentence : m_tried) {
        if (authorOf(sentence) == Author::ProcessGroup)
            continue; // A rank's own log has them.
        const QString text = withValues(sentence.text).constLast();
        printer = printer == 0 ? world - 1 : 0;
        const Verdict verdict = verdictWith({{printer, pythonTrace(text.simplified())}});
        const auto root = rootOf(verdict);
        if (root && root != printer)
            problems << u"%1: %2"_s.arg(text, verdictTitle(verdict));
    }
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join('\n'_L1)));
}

void OwnSentencesTest::notesOfARunChangeNoVerdict()
{
    constexpr int failed = 2;
    for (const RunPhase phase : {RunPhase::Succeeded, RunPhase::Stopped, RunPhase::Failed}) {
        RecordedRun run(1, world);
        run.startAll();
        const auto noteAll = [&] {
            for (const OwnSentence &sentence : m_sentences)
                run.note(withValues(sentence.text).constLast());
        };
        noteAll();
        run.stall(u"Ranks 1 seem to wait for it."_s, {{1, 30}});
        run.endStall(u"Rank 1 continues."_s);
        if (phase == RunPhase::Failed) {
            run.print(failed, ownError);
            run.fail(failed, {ExitStatus::Kind::Exited, 1});
        }
        if (phase == RunPhase::Stopped)
            run.tearDown();
        for (int rank = 0; rank < world; ++rank) {
            if (phase == RunPhase::Failed && rank == failed)
                continue;
            run.exit(rank, phase == RunPhase::Succeeded ? ExitStatus()
                                                        : ExitStatus{ExitStatus::Kind::Signalled, SIGTERM});
        }
        noteAll();
        run.finish(phase, phase == RunPhase::Succeeded ? 0 : 1);
        const auto state = RunReader(run.directory()).open();
        QVERIFY(state);
        QVERIFY(state->notes.size() > m_sentences.size());
        const Verdict verdict = diagnose(*state, *m_catalogue, QLocale::c());
        QCOMPARE(verdict.hasFailure, phase == RunPhase::Failed);
        if (phase == RunPhase::Failed) {
            QCOMPARE(rootOf(verdict), std::optional(failed));
            QCOMPARE(verdict.causeId, u"python-value-error"_s);
        }
    }
}

/// The journal says why, so the catalogue does not, and no rank is blamed, whichever the sentence names.
void OwnSentencesTest::aLaunchThatFailedAsAWholeIsNoRanksFault()
{
    constexpr int notStarted = 2;
    const RunState model =
        failed(running(handMadeRun(1, world)), notStarted, {ExitStatus::Kind::NotStarted, ENOENT});
    for (const OwnSentence &sentence : m_tried) {
        const QString text = withValues(sentence.text).constLast();
        RunState state = model;
        state.failure = Failure();
        state.failure->reason = Sentence(text);
        for (RankState &rank : state.ranks)
            rank.phase = RankPhase::Ended;
        const Verdict whole = diagnose(state, *m_catalogue, QLocale::c());
        QVERIFY2(whole.hasFailure && !whole.hasRoot(), qPrintable(text));
        QVERIFY2(whole.causeId.isEmpty(), qPrintable(whole.causeId + u": "_s + text));
        QCOMPARE(whole.cause.text(), text);
        state = model;
        state.failure->logTail.clear();
        state.failure->reason = Sentence(text);
        const Verdict one = diagnose(state, *m_catalogue, QLocale::c());
        QVERIFY2(rootOf(one) == notStarted, qPrintable(text));
    }
}

} // namespace tst_ownsentences

RANKDECK_TEST(tst_ownsentences, OwnSentencesTest)
#include "tst_ownsentences.moc"
