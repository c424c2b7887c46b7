#include "ranktable/jsontolerance.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr char byteOrderMark[] = "\xEF\xBB\xBF";
constexpr char ellipsis[] = "\xE2\x80\xA6";

bool isBlank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

class Tolerance
{
public:
    explicit Tolerance(const QByteArray &text)
        : m_result{text, {}}
        , m_text(m_result.text)
    {
    }

    ToleratedJson run()
    {
        if (startsWith(byteOrderMark))
            blank(JsonBlemish::Kind::ByteOrderMark, 3);
        while (m_at < m_text.size())
            step();
        return std::move(m_result);
    }

private:
    void step()
    {
        const char byte = m_text[m_at];
        if (byte == '"')
            passString();
        else if (startsWith("//") || byte == '#')
            blank(JsonBlemish::Kind::Comment, lengthUntil("\n"));
        else if (startsWith("/*"))
            blank(JsonBlemish::Kind::Comment, lengthUntil("*/", 2));
        else if (startsWith("..."))
            blankElision(lengthOfDots());
        else if (startsWith(ellipsis))
            blankElision(3);
        else
            pass(byte);
    }

    bool startsWith(const char *what) const
    {
        return QByteArrayView(m_text).sliced(m_at).startsWith(QByteArrayView(what));
    }

    qsizetype lengthUntil(const char *end, qsizetype extra = 0) const
    {
        const qsizetype found = m_text.indexOf(end, m_at + extra);
        return (found < 0 ? m_text.size() : found + extra) - m_at;
    }

    qsizetype lengthOfDots() const
    {
        const auto *const begin = m_text.cbegin() + m_at;
        return std::find_if(begin, m_text.cend(), [](char byte) { return byte != '.'; }) - begin;
    }

    void passString()
    {
        qsizetype end = m_at + 1;
        while (end < m_text.size() && m_text[end] != '"' && m_text[end] != '\n')
            end += m_text[end] == '\\' ? 2 : 1;
        m_at = std::min(end + 1, m_text.size());
        m_lastComma = -1;
        m_afterValue = true;
    }

    void pass(char byte)
    {
        if ((byte == '}' || byte == ']') && m_lastComma >= 0)
            blankAt(JsonBlemish::Kind::TrailingComma, m_lastComma, 1);
        if (byte == ',' && !m_afterValue) {
            // What the comma belonged to was left out.
            blankAt(JsonBlemish::Kind::TrailingComma, m_at, 1);
        } else if (!isBlank(byte)) {
            m_lastComma = byte == ',' ? m_at : -1;
            m_afterValue = byte != ',' && byte != '{' && byte != '[' && byte != ':';
        }
        ++m_at;
    }

    void blankElision(qsizetype length) { blank(JsonBlemish::Kind::Elision, length); }

    void blank(JsonBlemish::Kind kind, qsizetype length)
    {
        blankAt(kind, m_at, length);
        m_at += length;
    }

    void blankAt(JsonBlemish::Kind kind, qsizetype offset, qsizetype length)
    {
        m_result.blemishes.push_back({kind, offset});
        char *const begin = m_text.data() + offset;
        std::replace_if(
            begin, begin + length, [](char byte) { return byte != '\n'; }, ' ');
    }

    ToleratedJson m_result;
    QByteArray &m_text;
    qsizetype m_at = 0;
    qsizetype m_lastComma = -1; ///< The comma that nothing but blanks followed so far.
    bool m_afterValue = false;  ///< A comma may stand here.
};

} // namespace

ToleratedJson tolerateJson(const QByteArray &text)
{
    return Tolerance(text).run();
}

} // namespace rankdeck
