#pragma once

#include "rankdeckctl/top/fullscreen.h"

namespace rankdeck
{

/// The visible lines of a long text.
class TextPane
{
public:
    void toTop() { m_top = 0; }
    /// Returns false for a key that means nothing here.
    bool press(const Key &key);
    QList<ScreenLine> lines(const QString &text, int cells, int rows);

private:
    qsizetype m_top = 0; ///< The first line that is shown.
    int m_rows = 1;      ///< How many are shown.
};

} // namespace rankdeck
