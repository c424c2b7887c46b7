#pragma once

#include "log/line/logmatcher.h"
#include "widgets/widgetparts.h"

class QTableWidget;

namespace rankdeck
{

/// A pattern that is highlighted in logs.
struct Highlight {
    LogPattern pattern;
    int color = 0; ///< 0 .. LogPalette::highlightColors - 1

    bool operator==(const Highlight &) const = default;
};

/// Highlights that are used together.
struct HighlightSet {
    QString name;
    QList<Highlight> highlights;

    bool operator==(const HighlightSet &) const = default;
};

/// All sets of a user, of which at most one is in use.
struct HighlightSets {
    QList<HighlightSet> sets;
    QString inUse; ///< A name; empty for none.

    /// Returns the highlights of the set in use.
    QList<Highlight> current() const;

    /// Adds a text to the set in use, or to a new one that is in use then, in the next colour.
    void add(const QString &text);

    /// Reads from and writes to QSettings. Invalid entries are left out. Before the first save() there is a
    /// set for errors, warnings, nan and out of memory, not in use.
    static HighlightSets load();
    void save() const;

    bool operator==(const HighlightSets &) const = default;
};

/// Edits the sets of highlights and chooses the one in use.
class HighlightDialog : public QDialog
{
    Q_OBJECT

public:
    explicit HighlightDialog(const HighlightSets &sets, QWidget *parent = nullptr);

    const HighlightSets &sets() const { return m_sets; }

    void accept() override;

private:
    void addSet();
    void removeSet();
    void addHighlight(const Highlight &highlight);
    void chooseSet(int index);
    /// Copies the table into its set.
    void takeTable();
    QWidget *makeTableButtons();

    HighlightSets m_sets;
    int m_shown = -1; ///< Index of the set in the table; -1: none.
    QComboBox *m_set;
    QTableWidget *m_table;
    QWidget *m_tableButtons;
    QLabel *m_trouble;
};

} // namespace rankdeck
