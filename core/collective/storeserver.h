#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QSet>

#include <vector>

namespace rankdeck
{

/// The store that ranks meet at: keys with values, held by whoever carries the ranks' lines. No input or
/// output of its own. A rank says, one JSON object a line:
///     {"set": "KEY", "value": "<base64>"}   no answer
///     {"wait": ["KEY", …], "n": 7}          answered with {"n": 7, "ready": true} once all keys are there
///     {"get": "KEY", "n": 8}                answered with {"n": 8, "value": "<base64>"} once it is there
///     {"missing": ["KEY", …], "n": 9}       answered at once as a value: the places in that list of those
///                                           that are not there, as numberRanges() writes them
/// and has one question open at a time, with a number (32 bits; 0 when left out) that tells an answer from
/// that to a question it has given up. The server may also say {"over": "why"}: no question will be answered
/// any more.
class StoreServer
{
public:
    struct Answer {
        int rank = 0;
        QByteArray line; ///< Without a line feed.
    };

    /// What `rank` says; the answers that are due now, to whomever. A line that is no such object is passed
    /// over. A value beyond 64 KiB or that is no base64, or a key beyond the 100,000th, is not kept.
    std::vector<Answer> take(int rank, const QByteArray &line);
    /// A rank has ended: its question is open no longer.
    void forget(int rank) { m_open.remove(rank); }
    /// Who still waits for this key, ascending: a rank that never arrives is one whose keys are waited for.
    QList<int> waitingFor(const QByteArray &key) const;
    bool contains(const QByteArray &key) const { return m_values.contains(key); }

private:
    struct Question {
        QSet<QByteArray> missing;
        QByteArray get; ///< Its value is the answer; empty: it only waits.
        int number = 0;
    };
    std::vector<Answer> set(const QByteArray &key, const QByteArray &value);
    QList<int> missing(const QList<QByteArray> &keys) const;
    static Answer valueFor(int rank, const Question &question, const QByteArray &base64);
    Answer answerTo(int rank, const Question &question) const;

    QHash<QByteArray, QByteArray> m_values; ///< base64 as it came.
    QHash<int, Question> m_open;
};

} // namespace rankdeck
