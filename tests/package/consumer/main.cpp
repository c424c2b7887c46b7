// What a user of the C++ SDK writes: wait for the rank table, train on every device, see which rank failed;
// and a process group, here without peers.

#include <rankdeck/collective/group/distributed.h>
#include <rankdeck/sdk/distributedruntimeerror.h>
#include <rankdeck/sdk/distributedtrain.h>

#include <cstdio>

namespace
{

int failed(const char *what)
{
    std::fprintf(stderr, "%s\n", what);
    return 1;
}

bool groupWorks()
{
    double value = 2;
    const rankdeck::DistContext context;
    rankdeck::allreduce(std::span(&value, 1));
    return rankdeck::getWorldSize(1) == 1 && value == 2;
}

} // namespace

int main(int argc, char *argv[])
{
    if (argc != 3)
        return failed("usage: consumer TRAINING_SCRIPT LOG_DIR");
    const QStringList train{QStringLiteral("python3"), QString::fromLocal8Bit(argv[1]),
                            QStringLiteral("--steps"), QStringLiteral("20"),
                            QStringLiteral("--rate"),  QStringLiteral("0")};
    const QString logDir = QString::fromLocal8Bit(argv[2]);

    if (!groupWorks())
        return failed("a process without peers is a world of one");
    const auto variables = rankdeck::initRankTable();
    if (!variables)
        return failed(qPrintable(variables.error().sentence()));
    if (!*variables || (*variables)->value(QStringLiteral("RANK_SIZE")) != QLatin1String("8"))
        return failed("initRankTable: RANK_SIZE is not 8");

    if (rankdeck::startAndWaitDistributedTrain(train, QStringLiteral("./"), logDir) != 0)
        return failed("a launch in which nothing fails must return 0");

    const QStringList failing = train + QStringList{QStringLiteral("--fail-rank"), QStringLiteral("2"),
                                                    QStringLiteral("--exit-code"), QStringLiteral("3")};
    try {
        rankdeck::startAndWaitDistributedTrain(failing, QStringLiteral("./"), logDir);
        return failed("a failed rank must raise DistributedRuntimeError");
    } catch (const rankdeck::DistributedRuntimeError &error) {
        std::printf("%s\n", error.what());
        if (error.failure().rank != rankdeck::Rank(2) || error.failure().status.shellCode() != 3)
            return failed("the error names another rank or exit code");
    }
    return 0;
}
