#pragma once

#include "background/inbackground.h"
#include "base/oneshottimer.h"
#include "ranktable/findings/checkedtable.h"
#include "widgets/widgetparts.h"

#include <QFileInfo>
#include <QSyntaxHighlighter>

namespace rankdeck
{

class NoteLabel;

/// Colours the added and removed lines of a unified diff, in addition to their "+" and "-".
class DiffHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT

public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setColors(const QPalette &palette);

protected:
    void highlightBlock(const QString &text) override;

private:
    QTextCharFormat m_added;
    QTextCharFormat m_removed;
    QTextCharFormat m_place;
};

/// Shows a unified diff: plain text, monospaced, changed lines coloured.
class DiffView : public QPlainTextEdit
{
    Q_OBJECT

public:
    DiffView();

    void setDiff(const QString &diff);

private:
    DiffHighlighter *m_highlighter;
};

/// A new rank table that is not saved yet.
struct Proposal {
    QByteArray text;
    QByteArray diff;  ///< From the old table to `text`; empty if they are equal.
    QString fileName; ///< Suggestion for its name.
    QString remark;   ///< For the user: how it was made.
};

/// @param before the old text in the diff, there called `beforeName`.
Proposal makeProposal(const QByteArray &before, const QString &beforeName, const RankTable &after,
                      const QString &fileName, const QString &remark = {});

/// Base of the dialogs that make a rank table: inputs at the top, below the differences from the open table
/// or the reason why it cannot be made, and Save as…. Every edit makes the table again in the background; the
/// newest wins.
class TableDialog : public QDialog
{
    Q_OBJECT

public:
    using Maker = NewestWins<Result<Proposal>>::Work;

    /// @param path of the open table, in whose folder the new one is saved; empty for none.
    TableDialog(const QString &path, QWidget *parent);

Q_SIGNALS:
    void saved(const QString &path);

protected:
    /// Returns the layout for the subclass's inputs.
    QVBoxLayout *inputs() const { return m_inputs; }
    /// Sets the order of the Tab key; the first widget has the focus when the dialog opens.
    void setFocusOrder(const QList<QWidget *> &inputs);
    /// Makes the proposal again, a moment after the last call.
    void edited();
    /// Returns the function that makes the proposal. It has copies of the inputs, because it runs in another
    /// thread.
    virtual Maker maker() const = 0;
    QString path() const { return m_path; }
    QString fileName() const { return QFileInfo(m_path).fileName(); }

    void showEvent(QShowEvent *event) override
    {
        QDialog::showEvent(event);
        edited();
    }

private:
    void showProposal(const Result<Proposal> &made);
    void askWhere();
    void save(const QString &target);

    QString m_path;
    QVBoxLayout *m_inputs;
    QLabel *m_title;
    DiffView *m_diff;
    NoteLabel *m_note;
    QPushButton *m_save;
    OneShotTimer m_debounce{150};
    Proposal m_proposal;
    NewestWins<Result<Proposal>> m_making;
};

} // namespace rankdeck
