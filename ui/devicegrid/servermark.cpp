#include "devicegrid/servermark.h"

#include "canvas/canvas.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace rankdeck
{

namespace
{

using Dots = std::array<std::string_view, markDots>;

constexpr Dots cross{"##.....##", "###...###", ".###.###.", "..#####..", "...###...",
                     "..#####..", ".###.###.", "###...###", "##.....##"};
constexpr Dots question{"..#####..", ".##...##.", ".......##", "......##.", "....##...",
                        "....##...", ".........", "....##...", "....##..."};
constexpr Dots lines{".........", "#########", ".........", ".........", "#########",
                     ".........", ".........", "#########", "........."};
constexpr Dots bar{".........", ".........", ".........", "#########", "#########",
                   "#########", ".........", ".........", "........."};
constexpr Dots disc{"..#####..", ".#######.", "#########", "#########", "#########",
                    "#########", "#########", ".#######.", "..#####.."};
constexpr Dots ring{"..#####..", ".##...##.", "##.....##", "#.......#", "#.......#",
                    "#.......#", "##.....##", ".##...##.", "..#####.."};
constexpr Dots square{".........", ".#######.", ".#######.", ".#######.", ".#######.",
                      ".#######.", ".#######.", ".#######.", "........."};
constexpr Dots tick{".........", ".......##", "......###", ".....###.", "##..###..",
                    "######...", ".####....", "..##.....", "........."};
constexpr Dots dash{".........", ".........", ".........", ".........", "..#####..",
                    ".........", ".........", ".........", "........."};
constexpr Dots right{"..##.....", "..####...", "..######.", "..#######", "..#######",
                     "..#######", "..######.", "..####...", "..##....."};
constexpr Dots down{".........", ".........", "#########", "#########", ".#######.",
                    ".#######.", "..#####..", "...###...", "....#...."};

const Dots &dotsOf(ServerState state)
{
    switch (state) {
    case ServerState::Failed:
        return cross;
    case ServerState::Lost:
        return question;
    case ServerState::Unknown:
        return lines;
    case ServerState::Stopping:
        return bar;
    case ServerState::Running:
        return disc;
    case ServerState::Waiting:
        return ring;
    case ServerState::Stopped:
        return square;
    case ServerState::Succeeded:
        return tick;
    case ServerState::NotLaunched:
        return dash;
    }
    return dash;
}

void draw(Canvas &canvas, const QPoint &topLeft, int dot, const Dots &dots, const QColor &color)
{
    for (int y = 0; y < markDots; ++y) {
        const std::string_view row = dots[size_t(y)];
        for (size_t begin = row.find('#'); begin != std::string_view::npos; begin = row.find('#', begin)) {
            const size_t end = std::min(row.find('.', begin), row.size());
            canvas.fill({topLeft + QPoint(int(begin), y) * dot, QSize(int(end - begin), 1) * dot}, color);
            begin = end;
        }
    }
}

} // namespace

int markDotSize(int textHeight)
{
    return std::max(textHeight / 15, 1);
}

void drawServerMark(Canvas &canvas, const QPoint &topLeft, int dot, ServerState state, const QColor &color)
{
    draw(canvas, topLeft, dot, dotsOf(state), color);
}

void drawFoldMark(Canvas &canvas, const QPoint &topLeft, int dot, bool folded, const QColor &color)
{
    draw(canvas, topLeft, dot, folded ? right : down, color);
}

} // namespace rankdeck
