#pragma once

#include "logview/highlightset.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QTableWidget;

namespace rankdeck
{

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
    void removeHighlight();
    void chooseSet(int index);
    /// What the table holds goes into its set.
    void takeTable();
    QWidget *makeTableButtons();

    HighlightSets m_sets;
    int m_shown = -1; ///< Which set the table shows; -1: none.
    QComboBox *m_set;
    QTableWidget *m_table;
    QWidget *m_tableButtons;
    QLabel *m_trouble;
};

} // namespace rankdeck
