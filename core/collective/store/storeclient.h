#pragma once

#include "collective/store/disterror.h"
#include "collective/store/sockets.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace rankdeck
{

struct StoreLine;

/// A rank's end of a StoreServer, over two streams of lines. A thread of its own reads the input, so that the
/// end of the store is known at once, even if the rank is busy. May be used by many threads.
class StoreClient
{
public:
    struct Streams {
        FileDescriptor in;
        FileDescriptor out;
        QString gone; ///< The reason to report when `in` ends, a sentence.
    };
    /// Called once, by the reading thread, with {"over": …}'s sentence or Streams::gone.
    using OnOver = std::function<void(const QString &why)>;

    explicit StoreClient(Streams streams, OnOver onOver = {});
    ~StoreClient();

    /// @param value up to 64 KiB.
    void set(const QByteArray &key, const QByteArray &value);
    /// Waits for a value. @throws DistError if the store is closed, or none is there before the deadline.
    QByteArray get(const QByteArray &key, QDeadlineTimer deadline);
    /// Does the same, but returns nothing if there is no such value before the deadline.
    std::optional<QByteArray> find(const QByteArray &key, QDeadlineTimer deadline);
    /// Waits until all keys are set; @throws as get().
    void wait(const QList<QByteArray> &keys, QDeadlineTimer deadline);
    /// Waits for `prefix` with each number below `count`, and returns the numbers without a value at the
    /// deadline. @throws DistError if the store is closed, or does not answer within 10 s.
    QList<int> missingOf(const QByteArray &prefix, int count, QDeadlineTimer deadline);
    /// Sends any other line, which the other end must understand.
    void say(const QByteArray &line);
    /// Returns why no question will be answered any more, after waiting `patience` for that; empty: not over.
    QString over(std::chrono::milliseconds patience = {});

private:
    void read();
    bool takeLine(const QByteArray &line);
    void end(const QString &why);
    std::optional<QByteArray> ask(StoreLine question, QDeadlineTimer deadline);

    Streams m_streams;
    OnOver m_onOver;
    FileDescriptor m_wake; ///< Readable when the reading thread must end.
    std::mutex m_writing;
    std::mutex m_asking;
    std::mutex m_mutex; ///< Guards the members that follow, up to m_over.
    std::condition_variable m_changed;
    int m_question = 0; ///< Number of the last question.
    std::optional<QByteArray> m_answer;
    QString m_over;
    std::thread m_thread;
};

/// Waits until every rank below `worldSize` has set its key, `prefix` and its number. @throws DistError that
/// names the ranks without a key after `patience`, or if the store is closed.
void waitForRanks(StoreClient &store, const QByteArray &prefix, int worldSize,
                  std::chrono::milliseconds patience);

} // namespace rankdeck
