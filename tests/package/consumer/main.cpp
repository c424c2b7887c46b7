#include <ranktable/ranktableconversion.h>
#include <ranktable/ranktablereader.h>

#include <cstdio>

int main(int argc, char *argv[])
{
    if (argc != 2)
        return 2;
    const auto table = rankdeck::readRankTable(QString::fromLocal8Bit(argv[1]));
    if (!table) {
        std::fprintf(stderr, "%s\n", qPrintable(table.error().sentence()));
        return 2;
    }
    const auto converted = rankdeck::convertToServerList(*table);
    if (!converted || converted->deviceCount() != 16)
        return 1;
    std::printf("%s\n", rankdeck::toJson(*converted).constData());
    return 0;
}
