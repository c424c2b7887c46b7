#pragma once

#include "background/newestwins.h"
#include "ranktable/checkedtable.h"
#include "ranktable/proposal.h"
#include "result.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace rankdeck
{

class DiffView;
class NoteLabel;

/// The shape of all dialogs that make a rank table: what to make at the top, below it how that differs from
/// the table that is open, or why it cannot be made, and Save as…. Made anew in the background with every
/// edit; the newest wins.
class TableDialog : public QDialog
{
    Q_OBJECT

public:
    using Maker = NewestWins<Result<Proposal>>::Work;

    /// @param path of the table that is open; its folder is where to save. Empty for none.
    TableDialog(const QString &path, QWidget *parent);
    ~TableDialog() override;

Q_SIGNALS:
    void saved(const QString &path);

protected:
    /// Where the subclass puts its inputs.
    QVBoxLayout *inputs() const { return m_inputs; }
    /// What takes the focus, in the order of the Tab key; the first has it when the dialog opens.
    void setFocusOrder(const QList<QWidget *> &inputs);
    /// Make the proposal anew, a moment after the last call.
    void edited();
    /// What makes the proposal, from copies of what was typed; called in another thread.
    virtual Maker maker() const = 0;
    QString path() const { return m_path; }
    QString fileName() const;

    void showEvent(QShowEvent *event) override;

private:
    void make();
    void take(const Result<Proposal> &made);
    void askWhere();
    void save(const QString &target);

    QString m_path;
    QVBoxLayout *m_inputs;
    QLabel *m_title;
    DiffView *m_diff;
    NoteLabel *m_note;
    QPushButton *m_save;
    QTimer m_debounce;
    Proposal m_proposal;
    NewestWins<Result<Proposal>> m_making;
};

} // namespace rankdeck
