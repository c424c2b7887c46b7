#pragma once

#include "rankdeckctl/top/fullscreen.h"

namespace rankdeck
{

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

} // namespace rankdeck
