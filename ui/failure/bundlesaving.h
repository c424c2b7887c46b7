#pragma once

#include "background/newestwins.h"
#include "bundle/writebundle.h"
#include "run/runstate.h"

#include <QDialog>
#include <QTimer>

#include <atomic>
#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;

namespace rankdeck
{

/// Writes the report bundle of a run or of a log directory in the background, says how far it is, and at the
/// end what was masked. Closing it cancels, which leaves nothing behind. Not modal.
class BundleSaving : public QDialog
{
    Q_OBJECT

public:
    /// Begins at once. The logs are judged anew: they may have grown.
    BundleSaving(const RunState &state, const QString &path, QWidget *parent);

    /// Ask for the file, over `parent`, then do it.
    static void ask(const RunState &state, QWidget *parent);

private:
    void showProgress();
    void finish(const Result<WrittenBundle> &written);

    QString m_path;
    std::shared_ptr<std::atomic_int> m_percent; ///< Of the files; -1 while the logs are judged.
    NewestWins<Result<WrittenBundle>> m_writing;
    QTimer m_look;
    QLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_end; ///< Cancels, and closes once there is nothing to cancel.
};

} // namespace rankdeck
