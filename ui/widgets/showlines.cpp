#include "widgets/showlines.h"

#include "widgets/widgetparts.h"

namespace rankdeck
{

void showLines(QPlainTextEdit *edit, int lines)
{
    static constexpr char property[] = "linesShown";
    const bool isFirst = !edit->property(property).isValid();
    edit->setProperty(property, lines);
    const auto fit = [edit] {
        constexpr int aroundText = 14; // Frame and margins, pixels.
        const int shown = edit->property(property).toInt();
        edit->setFixedHeight(edit->fontMetrics().lineSpacing() * shown + aroundText);
    };
    if (isFirst)
        adaptToFont(edit, fit);
    else
        fit();
}

} // namespace rankdeck
