#include "log/gbktext.h"

#include <QByteArray>

#include <cstdint>
#include <iconv.h>

namespace rankdeck
{

namespace
{

bool isBetween(char c, int low, int high)
{
    return uchar(c) >= low && uchar(c) <= high;
}

bool looksLikeGbk(QByteArrayView line)
{
    int characters = 0;
    int common = 0;
    for (qsizetype at = 0; at < line.size(); ++at) {
        if (uchar(line[at]) < 0x80)
            continue;
        if (!isBetween(line[at], 0x81, 0xFE) || at + 1 == line.size() ||
            !isBetween(line[at + 1], 0x40, 0xFE) || uchar(line[at + 1]) == 0x7F)
            return false;
        ++characters;
        common += isBetween(line[at], 0xA1, 0xF7) && isBetween(line[at + 1], 0xA1, 0xFE);
        ++at;
    }
    return characters > 0 && 2 * common >= characters;
}

/// One for each thread, opened when it is needed first.
class Converter
{
public:
    Converter() = default;
    ~Converter()
    {
        if (isOpen())
            iconv_close(m_converter);
    }
    Q_DISABLE_COPY_MOVE(Converter)

    bool isOpen() const { return reinterpret_cast<std::intptr_t>(m_converter) != -1; }

    std::optional<QString> convert(QByteArrayView line)
    {
        // Two bytes become three at most.
        QByteArray target(line.size() * 3, Qt::Uninitialized);
        char *in = const_cast<char *>(line.data()); // iconv() does not write there.
        char *out = target.data();
        auto inLeft = std::size_t(line.size());
        auto outLeft = std::size_t(target.size());
        iconv(m_converter, nullptr, nullptr, nullptr, nullptr);
        if (iconv(m_converter, &in, &inLeft, &out, &outLeft) == std::size_t(-1))
            return {};
        target.truncate(out - target.constData());
        return QString::fromUtf8(target);
    }

private:
    iconv_t m_converter = iconv_open("UTF-8", "GBK");
};

} // namespace

std::optional<QString> gbkText(QByteArrayView line)
{
    if (!looksLikeGbk(line))
        return {};
    thread_local Converter converter;
    return converter.isOpen() ? converter.convert(line) : std::nullopt;
}

} // namespace rankdeck
