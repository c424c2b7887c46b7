#pragma once

#include "launch/launchimport.h"

#include <QDialog>

#include <optional>

class QPlainTextEdit;
class QPushButton;

namespace rankdeck
{

class NoteLabel;

/// Takes a command line of msrun, torchrun, davincirun or rankdeckctl and says, as it is typed, what of it
/// can be taken over. Deletes itself.
class PasteDialog : public QDialog
{
    Q_OBJECT

public:
    explicit PasteDialog(QWidget *parent = nullptr);

Q_SIGNALS:
    void imported(const rankdeck::ImportedLaunch &launch);

private:
    void look();
    void take();

    QPlainTextEdit *m_line;
    NoteLabel *m_note;
    QPlainTextEdit *m_notes; ///< Long command lines leave many notes, so they scroll.
    QPushButton *m_fill;
    std::optional<ImportedLaunch> m_launch;
};

} // namespace rankdeck
