// A rank of the tests of process groups. What it does is its first argument; what it finds wrong it prints,
// and ends with exit code 3; with 4 after a DistError, whose sentence it prints.

#include "collective/group/distributed.h"

#include <QByteArray>
#include <QFile>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <typeinfo>
#include <vector>

using namespace rankdeck;

namespace
{

void expect(bool isSo, const char *what)
{
    if (isSo)
        return;
    std::printf("wrong: %s\n", what);
    std::fflush(stdout);
    std::exit(3);
}

void say(const std::string &line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

template <typename T>
void expectAll(const std::vector<T> &data, T value)
{
    for (const T each : data) {
        if (each != value) {
            std::printf("of %s ", typeid(T).name());
            expect(false, "a value");
        }
    }
}

/// Odd, so that blocks of a ring are not all of one size; and one element.
constexpr std::size_t counts[] = {100'001, 1};

template <typename T>
void checkElements()
{
    const int rank = getRank();
    const int size = getWorldSize();
    for (const std::size_t count : counts) {
        std::vector<T> data(count, static_cast<T>(rank + 1));
        for (const int root : {0, size - 1}) {
            std::fill(data.begin(), data.end(), static_cast<T>(rank + 1));
            broadcast(std::span(data), root);
            expectAll(data, static_cast<T>(root + 1));
        }
        std::fill(data.begin(), data.end(), static_cast<T>(rank + 1));
        allreduceSum(std::span(data));
        expectAll(data, static_cast<T>(size * (size + 1) / 2));
        std::fill(data.begin(), data.end(), static_cast<T>(rank + 1));
        allreduce(std::span(data), DistOp::Max);
        expectAll(data, static_cast<T>(size));
        if constexpr (std::is_floating_point_v<T>) {
            std::fill(data.begin(), data.end(), static_cast<T>(rank + 1));
            allreduce(std::span(data));
            expectAll(data, static_cast<T>(size + 1) / 2);
        } else {
            bool isRefused = false;
            try {
                allreduce(std::span(data), DistOp::Sum);
            } catch (const DistError &error) {
                isRefused = error.sentence().contains("allreduceSum()"_L1);
            }
            expect(isRefused, "the mean of integers is refused");
        }
    }
}

/// One rank, each in turn, has a value that no order may lose; the others have 0.
template <typename T>
void checkSpecialValues()
{
    using Limits = std::numeric_limits<T>;
    struct Case {
        T value;
        T sum;
        T max;
    };
    const T nan = Limits::quiet_NaN();
    const T infinity = Limits::infinity();
    const Case cases[] = {
        {nan, nan, nan}, {infinity, infinity, infinity}, {-infinity, -infinity, 0}, {T(-0.0), 0, 0}};
    const auto isSame = [](T one, T other) {
        return std::isnan(one) ? std::isnan(other) : one == other && std::signbit(one) == std::signbit(other);
    };
    for (int holder = 0; holder < getWorldSize(); ++holder) {
        for (const Case &each : cases) {
            std::vector<T> data(101, getRank() == holder ? each.value : T(0));
            std::vector<T> largest = data;
            allreduceSum(std::span(data));
            allreduce(std::span(largest), DistOp::Max);
            for (std::size_t at = 0; at < data.size(); ++at) {
                expect(isSame(data[at], each.sum), "a sum with a special value");
                expect(isSame(largest[at], each.max), "a maximum with a special value");
            }
        }
        // Infinities of both signs; and -0 of every rank.
        const bool isNext = getRank() == (holder + 1) % getWorldSize();
        std::vector<T> both{getRank() == holder ? infinity : isNext ? -infinity : T(0)};
        std::vector<T> largest{both[0], T(-0.0)};
        allreduceSum(std::span(both));
        allreduce(std::span(largest), DistOp::Max);
        expect(std::isnan(both[0]) && isSame(largest[0], infinity) && isSame(largest[1], T(-0.0)),
               "infinities of both signs");
    }
}

void checkAsync()
{
    std::vector<std::vector<double>> data;
    for (int each = 0; each < 4; ++each)
        data.emplace_back(10'000, getRank() + each);
    std::vector<DistHandle> handles;
    for (auto &each : data)
        handles.push_back(allreduceAsync(std::span(each)));
    std::vector<std::int64_t> beside(5000, getRank());
    allreduce(std::span(beside), DistOp::Max);
    expectAll<std::int64_t>(beside, getWorldSize() - 1);
    for (DistHandle &handle : handles)
        handle.wait();
    for (int each = 0; each < 4; ++each)
        expectAll(data[static_cast<std::size_t>(each)], each + (getWorldSize() - 1) / 2.0);
}

void checkGroups()
{
    const int size = getWorldSize();
    const DistGroup halves = simpleGroupSplit(size, getRank(), 2);
    expect(halves->size() == size / 2 && halves->rank() == getRank() % (size / 2), "a half");
    std::vector<float> data(1000, static_cast<float>(getRank()));
    allreduceSum(std::span(data), halves);
    for (const int holder : halves->members()) {
        const bool isHolder = getRank() == holder;
        std::vector<float> largest(101, isHolder ? std::numeric_limits<float>::quiet_NaN() : 1);
        allreduce(std::span(largest), DistOp::Max, halves);
        for (const float each : largest)
            expect(std::isnan(each), "the maximum of a group with a value that is no number");
    }
    float sum = 0;
    for (const int member : halves->members())
        sum += static_cast<float>(member);
    expectAll(data, sum);
    std::vector<std::int32_t> word(1, getRank());
    broadcast(std::span(word), halves->members().last(), halves);
    expect(word[0] == halves->members().last(), "the root is a rank of the world");

    // A second group of the same ranks, and the group of all.
    const DistGroup again = getGroup(size / 2);
    synchronize(again);
    expect(getGroup()->size() == size, "the group of all");
    try {
        simpleGroupSplit(size, getRank(), 3);
        expect(false, "an uneven split is refused");
    } catch (const DistError &error) {
        expect(error.sentence() == "array split does not result in an equal division"_L1,
               "the sentence of an uneven split");
    }
    synchronize();
}

void checkObjects()
{
    const auto ofRank = [](int rank) {
        return QByteArray(rank * 100'000, static_cast<char>('a' + rank));
    };
    const int size = getWorldSize();
    for (const int root : {0, size - 1})
        expect(broadcastObject(ofRank(getRank()), root) == ofRank(root), "the root's object");
    const QList<QByteArray> all = allgather(ofRank(getRank()));
    expect(all.size() == size, "an object of each rank");
    for (int rank = 0; rank < size; ++rank)
        expect(all[rank] == ofRank(rank), "a rank's object");
    expect(allgather({}) == QList<QByteArray>(size), "empty objects");
    const DistGroup half = simpleGroupSplit(size, getRank(), 2);
    const int last = half->members().last();
    expect(broadcastObject(ofRank(getRank()), last, half) == ofRank(last), "the root of a half");
    expect(allgather(QByteArray::number(getRank()), half).last() == QByteArray::number(last),
           "a half's objects");
}

void everything()
{
    const DistContext context(DistMethod::SingleNode, 5);
    expect(getRank() == qEnvironmentVariableIntValue("RANK"), "the rank");
    expect(getWorldSize() == qEnvironmentVariableIntValue("WORLD_SIZE"), "the world size");
    expect(distDevice() == 5, "the device");
    checkElements<float>();
    checkElements<double>();
    checkElements<std::int32_t>();
    checkElements<std::int64_t>();
    checkElements<std::byte>();
    checkSpecialValues<float>();
    checkSpecialValues<double>();
    checkAsync();
    checkGroups();
    checkObjects();
}

/// Rank 1 throws; the others wait for it.
void throwing()
{
    auto function = distMode(
        [](int value) {
            std::vector<float> data(100, static_cast<float>(value));
            allreduce(std::span(data));
            if (getRank() == 1)
                throw std::runtime_error("rank 1 has enough");
            allreduce(std::span(data));
            return 0;
        },
        DistMethod::SingleNode);
    try {
        function(1);
    } catch (const std::runtime_error &error) {
        // It is finalized: it could be called again.
        expect(getWorldSize() == 0 && getRank() == 0, "finalized");
        throw;
    }
}

/// Until it is ended, or a peer is.
void endless()
{
    const DistContext context(DistMethod::SingleNode, 0, std::chrono::seconds(20));
    std::vector<float> data(1'000'000, 1);
    for (int turn = 0;; ++turn) {
        if (turn == 1)
            say("turns");
        allreduce(std::span(data), DistOp::Max);
    }
}

template <typename T>
void sumOf(std::size_t count)
{
    std::vector<T> data(count, T(1));
    try {
        allreduceSum(std::span(data));
    } catch (const DistError &) {
        expectAll(data, T(1));
        throw;
    }
}

/// Rank 1 does something else than the other ranks, as the second argument says. After that all of them agree
/// once more.
void mismatch(const std::string &what)
{
    const DistContext context(DistMethod::SingleNode, 0, std::chrono::seconds(20));
    const bool isOther = getRank() == 1;
    const auto differ = [&] {
        if (what == "4 and 5")
            return sumOf<float>(isOther ? 5 : 4);
        if (what == "4 and 8")
            return sumOf<float>(isOther ? 8 : 4);
        if (what == "none")
            return sumOf<float>(isOther ? 0 : 4);
        if (what == "large")
            return sumOf<double>(isOther ? 1'000'000 : 999'999);
        if (what == "type")
            return isOther ? sumOf<std::int32_t>(4) : sumOf<float>(4);
        if (what == "barrier")
            return isOther ? synchronize() : sumOf<float>(4);
        std::vector<float> data(4, 1);
        if (what == "operation")
            return isOther ? allreduce(std::span(data), DistOp::Max) : allreduceSum(std::span(data));
        if (what == "root")
            return broadcast(std::span(data), isOther ? 1 : 0);
        if (what == "broadcast")
            return isOther ? broadcast(std::span(data), 0) : allreduceSum(std::span(data));
        if (what == "async")
            return allreduceAsync(std::span(data).first(isOther ? 3 : 4)).wait();
        if (what == "object")
            isOther ? static_cast<void>(allgather("1")) : static_cast<void>(broadcastObject("0", 0));
    };
    try {
        differ();
        expect(false, "an error");
    } catch (const DistError &) {
        sumOf<float>(4);
        throw;
    }
}

/// Rank 1 does not come to the second operation in time.
void absent()
{
    const DistContext context(DistMethod::SingleNode, 0, std::chrono::seconds(2));
    sumOf<float>(4);
    if (getRank() == 1)
        say("stays away");
    for (char byte = 0; getRank() == 1 && std::fread(&byte, 1, 1, stdin) == 1;) {
    }
    sumOf<float>(4);
}

/// As the environment says; for Slurm.
void slurm()
{
    const DistContext context;
    std::vector<std::int32_t> data{getRank()};
    allreduceSum(std::span(data));
    say("rank " + std::to_string(getRank()) + " of " + std::to_string(getWorldSize()) + ": " +
        std::to_string(data[0]));
}

void late()
{
    const DistContext context(DistMethod::SingleNode, 0, std::chrono::seconds(8));
}

} // namespace

int main(int count, char *arguments[])
{
    const std::map<std::string, void (*)()> all{{"everything", everything}, {"throwing", throwing},
                                                {"endless", endless},       {"absent", absent},
                                                {"slurm", slurm},           {"late", late}};
    try {
        if (count > 2)
            mismatch(arguments[2]);
        else
            all.at(arguments[1])();
    } catch (const std::runtime_error &error) {
        say(error.what());
        return 4;
    }
    say("well");
    return 0;
}
