#include "rankdeckctl/top/prompt.h"

namespace rankdeck
{

std::optional<Prompt::Answer> Prompt::press(const Key &key)
{
    if (m_question == Question::Stop || m_question == Question::Kill || m_question == Question::Start)
        return Answer{std::exchange(m_question, Question::Nothing), key.text};
    if (key.name == Key::Enter)
        return Answer{std::exchange(m_question, Question::Nothing), m_typed};
    if (key.name == Key::Text)
        m_typed += key.text;
    else if (key.name == Key::Backspace)
        m_typed.chop(1);
    else if (key.name == Key::Escape)
        m_question = Question::Nothing;
    return {};
}

QString Prompt::text(const QString &rank) const
{
    switch (m_question) {
    case Question::Stop:
        return tr("Stop the run? y: yes, r: only %1, other keys: no").arg(rank);
    case Question::Kill:
        return tr("Kill the run at once? y: yes, r: only %1, other keys: no").arg(rank);
    case Question::Start:
        return tr("Start %1 again, after its end if it runs? y: yes, other keys: no").arg(rank);
    case Question::LogPattern:
        return tr("Only lines with (regular expression): ") + m_typed + u'_';
    case Question::RankFilter:
        return tr("Only ranks with (state=failed ai<10 …): ") + m_typed + u'_';
    case Question::RankNumber:
        return tr("Go to rank: ") + m_typed + u'_';
    case Question::Nothing:
        break;
    }
    return {};
}

} // namespace rankdeck
