#include "log/line/sourceplace.h"

#include <re2/re2.h>

namespace rankdeck
{

QList<SourcePlace> sourcePlacesIn(const QString &line)
{
    static const re2::RE2 form("File \"([^\"]+)\", line (\\d{1,9})|"
                               "([\\w./~+\\-]*[\\w\\-]\\.[A-Za-z]\\w{0,4})(?::|\\()(\\d{1,9})\\b");
    QList<SourcePlace> places;
    const std::string text = line.toStdString();
    const auto characters = [&](std::size_t bytes) {
        return QString::fromUtf8(text.data(), qsizetype(bytes)).size();
    };
    std::array<re2::StringPiece, 5> found;
    std::size_t at = 0;
    while (form.Match(text, at, text.size(), re2::RE2::UNANCHORED, found.data(), int(found.size()))) {
        const re2::StringPiece &path = found[1].empty() ? found[3] : found[1];
        const re2::StringPiece &number = found[1].empty() ? found[4] : found[2];
        const auto begin = std::size_t(found[0].data() - text.data());
        at = begin + found[0].size();
        const int its = QByteArray(number.data(), qsizetype(number.size())).toInt();
        if (its > 0)
            places.append({QString::fromUtf8(path.data(), qsizetype(path.size())), its, characters(begin),
                           characters(at)});
    }
    return places;
}

} // namespace rankdeck
