#pragma once

#include "base/tr.h"

#include <optional>
#include <utility>

class QIODevice;

namespace rankdeck
{

/// An error in the user's words: one sentence, the place where it was found, and how to mend it. `where` is a
/// file, a place in a file ("table.json:3:14"), a field or a rank; it may be empty. So may `mend`.
struct Error {
    QString what;
    QString where;
    QString mend;

    /// "where: what. mend." on one line, as the command line prints it and the window shows it.
    QString sentence() const;
    bool operator==(const Error &) const = default;
};

/// Returns what an errno means, in the user's language: "No such file or directory".
QString errnoWords(int number);

/// Returns why the last operation of a file, process or socket failed, for users; Qt keeps the system's
/// words.
QString problemOf(const QIODevice &device);

/// Returns the last line of a program's output for use in a sentence: simplified, 300 characters at most.
QString lastLineOf(const QByteArray &output);

/// A value, or the error that explains its absence. Test it first: value() of a failed result is a bug.
template <typename T>
class [[nodiscard]] Result
{
public:
    Result(T value)
        : m_value(std::move(value))
    {
    }
    Result(Error error)
        : m_error(std::move(error))
    {
    }

    explicit operator bool() const { return m_value.has_value(); }
    const T &value() const { return *m_value; }
    T &value() { return *m_value; }
    const T &operator*() const { return *m_value; }
    const T *operator->() const { return &*m_value; }
    T *operator->() { return &*m_value; }
    const Error &error() const { return m_error; }

private:
    std::optional<T> m_value;
    Error m_error;
};

/// Sets `value` to that of `result`. Returns the error if it has failed; `value` then stays.
template <typename T>
std::optional<Error> setFrom(T &value, const Result<T> &result)
{
    if (!result)
        return result.error();
    value = *result;
    return std::nullopt;
}

} // namespace rankdeck
