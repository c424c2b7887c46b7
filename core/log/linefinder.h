#pragma once

#include "log/loglinereader.h"
#include "log/logmatcher.h"

#include <QByteArrayView>

#include <optional>

namespace rankdeck
{

/// What a LogSearch looks for.
class LineFinder
{
public:
    virtual ~LineFinder() = default;

    /// Other lines come now than those behind the last ones.
    virtual void begin() {}
    /// Look at these lines next, separated by '\n'. They stay where they are until the next ones.
    virtual void enter(QByteArrayView lines) = 0;
    /// Somewhere in the first line that is looked for, at or behind `from`, which begins a line and never
    /// goes back.
    virtual std::optional<qsizetype> next(qsizetype from) = 0;
};

/// Lines that a pattern is in, as they are shown.
class PatternFinder : public LineFinder
{
public:
    explicit PatternFinder(LogMatcher matcher)
        : m_matcher(std::move(matcher))
    {
    }

    void enter(QByteArrayView lines) override;
    std::optional<qsizetype> next(qsizetype from) override;

private:
    bool isInLine(QByteArrayView line) const;

    LogMatcher m_matcher;
    QByteArrayView m_lines;
    bool m_allAtOnce = false;
    bool m_isNowhere = false;
};

/// Lines where an error begins: of severity Error or worse by their own head, or the first of a traceback.
class ErrorFinder : public LineFinder
{
public:
    void begin() override { m_reader = LogLineReader(); }
    void enter(QByteArrayView lines) override;
    std::optional<qsizetype> next(qsizetype from) override;

private:
    LogLineReader m_reader;
    QByteArrayView m_lines;
    qsizetype m_at = 0;
};

} // namespace rankdeck
