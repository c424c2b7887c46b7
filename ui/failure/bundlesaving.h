#pragma once

#include "background/inbackground.h"
#include "bundle/writebundle.h"
#include "widgets/widgetparts.h"

#include <QTimer>

class QProgressBar;

namespace rankdeck
{

/// Writes the report bundle of a run or of a log directory, or another ReportFile, in the background. Shows
/// the progress, and at the end what was masked. Closing it cancels, and leaves no file behind. Not modal.
class BundleSaving : public QDialog
{
    Q_OBJECT

public:
    /// Starts at once. Diagnoses the logs of a run that goes on again, because they may have grown.
    BundleSaving(const RunState &state, const QString &path, QWidget *parent,
                 ReportFile kind = ReportFile::Bundle);

    /// Asks for the file with a dialog over `parent`, then saves.
    static void ask(const RunState &state, QWidget *parent);

private:
    void showProgress();
    void finish(const Result<WrittenBundle> &written);

    QString m_path;
    bool m_isPage;
    std::shared_ptr<std::atomic_int> m_percent; ///< Written; -1 while the logs are diagnosed.
    NewestWins<Result<WrittenBundle>> m_writing;
    QTimer m_poll;
    QLabel *m_text;
    QProgressBar *m_bar;
    QPushButton *m_end; ///< Cancels, or closes at the end.
};

} // namespace rankdeck
