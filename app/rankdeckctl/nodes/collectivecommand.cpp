#include "base/language.h"
#include "collective/selftest/selftestrank.h"
#include "collective/store/rendezvous.h"
#include "rankdeckctl/console/commands.h"

#include <cstdio>

#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr int mostRounds = 1'000'000;
constexpr int mostPaceMs = 60'000;
constexpr int mostTimeoutSeconds = 3600;
constexpr qint64 largestSize = 1 << 30;

Result<qint64> sizeFrom(const QString &text)
{
    static const QString suffixes = u"KMG"_s;
    const qsizetype suffix = text.isEmpty() ? -1 : suffixes.indexOf(text.back(), 0, Qt::CaseInsensitive);
    bool isNumber = false;
    qint64 bytes = (suffix < 0 ? text : text.chopped(1)).toLongLong(&isNumber);
    for (qsizetype each = 0; each <= suffix && bytes <= largestSize; ++each)
        bytes *= 1024;
    if (!isNumber || bytes < 4 || bytes > largestSize || bytes % 4 != 0)
        return Error{tr("\"%1\" is not a number of bytes from 4 to 1G that 4 divides").arg(text),
                     u"--sizes"_s, tr("Give sizes, e.g. 4,64K,1M.")};
    return bytes;
}

/// Returns the number of an option, `usual` if it is not given.
Result<int> numberOf(const Options &options, const char *name, int usual, int least, int most)
{
    const auto number = options.number(name, least, usual);
    if (number && *number > most)
        return Error{tr("%1 is more than %2").arg(*number).arg(most), QString::fromLatin1(name), {}};
    return number;
}

Result<SelfTestSettings> settingsFrom(const Options &options)
{
    SelfTestSettings settings;
    settings.addresses = options.list("--address");
    settings.hasPairs = !options.has("--no-pairs");
    settings.hasCollectives = !options.has("--no-collectives");
    const auto rounds = numberOf(options, "--rounds", 1, 0, mostRounds);
    const auto pace = numberOf(options, "--pace", 0, 0, mostPaceMs);
    const auto timeout = numberOf(options, "--timeout", 30, 1, mostTimeoutSeconds);
    for (const auto *const each : {&rounds, &pace, &timeout}) {
        if (!*each)
            return each->error();
    }
    settings.rounds = *rounds;
    settings.pace = std::chrono::milliseconds(*pace);
    settings.timeout = std::chrono::seconds(*timeout);
    const QStringList sizes = options.value("--sizes").split(','_L1, Qt::SkipEmptyParts);
    for (const QString &text : sizes) {
        const auto size = sizeFrom(text);
        if (!size)
            return size.error();
        settings.sizes << *size;
    }
    const QStringList groups = options.value("--groups").split(','_L1, Qt::SkipEmptyParts);
    for (const QString &text : groups) {
        const auto group = parseNumber(text, u"--groups"_s, 1);
        if (!group)
            return group.error();
        settings.groupSizes << *group;
    }
    return settings;
}

/// Reports this rank's events, and ends it. Used by the working thread and by the one that reads the store:
/// the first one with a reason ends the process.
class Outlet
{
public:
    explicit Outlet(int rank)
        : m_rank(rank)
    {
    }

    /// For --store stdio, which owns standard output. To be called before the first event.
    void use(StoreClient &store)
    {
        const std::lock_guard lock(m_mutex);
        m_store = &store;
    }
    void tell(const SelfTestEvent &event)
    {
        const std::lock_guard lock(m_mutex);
        write(event);
    }
    /// @param isSilent the output has no reader any more.
    [[noreturn]] void fail(const QString &why, bool isSilent)
    {
        m_mutex.lock(); // Never unlocked, so that no other thread prints after this.
        SelfTestEvent event;
        event.rank = m_rank;
        event.stage = SelfTestStage::Failed;
        event.text = why;
        if (!isSilent)
            write(event);
        _exit(EXIT_FAILURE);
    }

private:
    void write(const SelfTestEvent &event)
    {
        if (m_store)
            return m_store->say(keyedLine("event", event.toLine()));
        const QByteArray line = event.toLine() + '\n';
        std::fwrite(line.constData(), 1, std::size_t(line.size()), stdout);
        std::fflush(stdout);
    }

    int m_rank;
    StoreClient *m_store = nullptr;
    std::mutex m_mutex;
};

/// At the end of standard input the program that started the ranks is gone: no reader is left for their
/// output.
const QString headIsGone = u"standard input has ended"_s;

int testOverStdio(const SelfTestSettings &settings)
{
    Outlet outlet(settings.rank);
    std::optional<StoreClient> client;
    try {
        client.emplace(StoreClient::Streams{FileDescriptor(dup(STDIN_FILENO)),
                                            FileDescriptor(dup(STDOUT_FILENO)), headIsGone},
                       [&](const QString &why) { outlet.fail(why, why == headIsGone); });
        outlet.use(*client);
        SelfTestRank rank(settings, *client, [&](const SelfTestEvent &event) { outlet.tell(event); });
        const bool isWell = rank.run();
        // At once: standard input may end from now on.
        _exit(isWell ? EXIT_SUCCESS : EXIT_FAILURE);
    } catch (const DistError &error) {
        outlet.fail(error.sentence(), false);
    }
}

int testOverTcp(SelfTestSettings settings, const Master &master)
{
    Outlet outlet(settings.rank);
    std::atomic<bool> isDone = false;
    try {
        Rendezvous rendezvous({settings.rank, settings.worldSize}, master, settings.timeout,
                              [&](const QString &why) {
                                  if (!isDone)
                                      outlet.fail(why, false);
                              });
        settings.glooAddress = rendezvous.ownAddress();
        SelfTestRank rank(settings, rendezvous.store(),
                          [&](const SelfTestEvent &event) { outlet.tell(event); });
        const bool isWell = rank.run();
        isDone = true; // Rank 0 goes, and its store, as soon as all have said that they do.
        rendezvous.leave();
        return isWell ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const DistError &error) {
        outlet.fail(error.sentence(), false);
    }
}

} // namespace

int collectiveCommand(const Options &options)
{
    if (options.hasValue("--store") && options.value("--store") != "stdio"_L1)
        return refuse({tr("unknown store \"%1\"").arg(options.value("--store")), u"--store"_s,
                       tr("Give stdio, or leave it out.")});
    auto settings = settingsFrom(options);
    if (!settings)
        return refuse(settings.error());

    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto placement = placementFrom(environment, DistMethod::SingleNode);
    if (!placement)
        return refuse(placement.error());
    if (!*placement)
        return refuse(
            {tr("RANK and WORLD_SIZE are not set, so there are no ranks to test"),
             {},
             tr("Start it as a launch: rankdeckctl processes --nproc 2 -- rankdeckctl collective")});
    settings->rank = (*placement)->rank;
    settings->worldSize = (*placement)->worldSize;
    const bool isSlurms = !environment.contains(u"RANK_ID"_s) && !environment.contains(u"RANK"_s);
    const auto master = masterFrom(environment, isSlurms ? DistMethod::Slurm : DistMethod::SingleNode);
    if (!master)
        return refuse(master.error());
    installTranslations(u"en"_s);  // Programs read its lines, as does the verdict in a rank's log.
    std::signal(SIGPIPE, SIG_IGN); // The reader may end first.
    return options.hasValue("--store") ? testOverStdio(*settings) : testOverTcp(*settings, *master);
}

} // namespace rankdeck
