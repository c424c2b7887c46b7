#pragma once

#include "state/notelabel.h"

namespace rankdeck
{

/// One option of the form: its name, its editor, and a NoteLabel below the editor.
class Field : public QWidget
{
    Q_OBJECT

public:
    /// @param label with its mnemonic; empty for an editor that carries its own name, as a check box does.
    /// @param editor takes the focus for the mnemonic; its object name with "Note" added names the note.
    /// @param button stands right of the editor when given.
    Field(const QString &label, QWidget *editor, const QString &help, QWidget *button = nullptr,
          QWidget *parent = nullptr);

    /// The width that its name takes, in pixels, so that editors below each other line up.
    void setNameWidth(int width);
    int nameWidth() const;
    void setHelp(const QString &help);
    /// Empty: nothing is wrong.
    void setProblem(const QString &problem);
    bool hasProblem() const { return m_note->hasProblem(); }
    /// A widget below the note, which the field takes.
    void addBelow(QWidget *widget);
    QWidget *editor() const { return m_editor; }
    /// Null when there is none.
    QWidget *button() const { return m_button; }

private:
    void describe();

    QLabel *m_name;
    QWidget *m_editor;
    QWidget *m_button;
    NoteLabel *m_note;
};

} // namespace rankdeck
