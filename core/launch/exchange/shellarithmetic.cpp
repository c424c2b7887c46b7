#include "launch/exchange/shellarithmetic.h"

namespace rankdeck
{

namespace
{

/// See shellArithmetic().
class ShellArithmetic
{
public:
    explicit ShellArithmetic(const QString &text)
        : m_text(text.simplified().remove(QLatin1Char(' ')))
    {
    }

    std::optional<qint64> value()
    {
        const auto found = sum();
        return m_at == m_text.size() ? found : std::nullopt;
    }

private:
    std::optional<qint64> sum()
    {
        auto left = product();
        while (left && m_at < m_text.size() &&
               (m_text[m_at] == QLatin1Char('+') || m_text[m_at] == QLatin1Char('-'))) {
            const bool isPlus = m_text[m_at++] == QLatin1Char('+');
            const auto right = product();
            if (!right || std::abs(*left) > largest || std::abs(*right) > largest)
                return std::nullopt;
            left = isPlus ? *left + *right : *left - *right;
        }
        return left;
    }

    std::optional<qint64> product()
    {
        auto left = factor();
        while (left && m_at < m_text.size() && QStringLiteral("*/%").contains(m_text[m_at])) {
            const QChar sign = m_text[m_at++];
            const auto right = factor();
            if (!right || (sign != QLatin1Char('*') && *right == 0) || std::abs(*left) > largest ||
                std::abs(*right) > largest)
                return std::nullopt;
            left = sign == QLatin1Char('*')   ? *left * *right
                   : sign == QLatin1Char('/') ? *left / *right
                                              : *left % *right;
        }
        return left;
    }

    std::optional<qint64> factor()
    {
        constexpr int deepest = 100;
        if (m_at < m_text.size() && m_text[m_at] == QLatin1Char('(')) {
            if (++m_depth > deepest)
                return std::nullopt;
            ++m_at;
            const auto inner = sum();
            --m_depth;
            const bool isClosed = m_at < m_text.size() && m_text[m_at] == QLatin1Char(')');
            ++m_at;
            return isClosed ? inner : std::nullopt;
        }
        constexpr qsizetype mostDigits = 9;
        const qsizetype begin = m_at;
        while (m_at < m_text.size() && m_text[m_at].isDigit())
            ++m_at;
        const QString digits = m_text.mid(begin, m_at - begin);
        return digits.isEmpty() || digits.size() > mostDigits ? std::nullopt
                                                              : std::optional(digits.toLongLong());
    }

    static constexpr qint64 largest = 1'000'000'000;

    QString m_text;
    qsizetype m_at = 0;
    int m_depth = 0; ///< Of brackets.
};

} // namespace

std::optional<qint64> shellArithmetic(const QString &text)
{
    return ShellArithmetic(text).value();
}

} // namespace rankdeck
