#include "mainwindow/window/pastruns.h"

#include "background/inbackground.h"
#include "runlist/deletedialogs.h"

namespace rankdeck
{

namespace
{

/// The files of runs that are to be deleted, and why some runs cannot be.
struct Deletable {
    QList<RunFiles> runs;
    QStringList refused;
};

Deletable filesOf(const QStringList &directories)
{
    Deletable found;
    for (const QString &directory : directories) {
        if (const auto files = runFiles(directory))
            found.runs << *files;
        else
            found.refused << files.error().sentence();
    }
    return found;
}

} // namespace

PastRuns::PastRuns(QWidget *window)
    : QObject(window)
    , m_window(window)
{
}

void PastRuns::deleteRuns(const QStringList &directories)
{
    inBackground(
        this, [directories] { return filesOf(directories); },
        [this](const Deletable &deletable) {
            if (deletable.runs.isEmpty()) {
                showProblem(m_window, tr("Nothing can be deleted"),
                            deletable.refused.join(QLatin1Char('\n')));
                return;
            }
            QStringList found;
            for (const RunFiles &run : deletable.runs)
                found << run.directory;
            auto *question = new DeleteQuestion(deletable.runs, deletable.refused, m_window);
            question->setAttribute(Qt::WA_DeleteOnClose);
            connect(question, &DeleteQuestion::confirmed, this,
                    [this, found](bool withOutsideLogs) { remove(found, withOutsideLogs); });
            question->open();
        });
}

void PastRuns::remove(const QStringList &directories, bool withOutsideLogs)
{
    inBackground(
        this,
        [directories, withOutsideLogs] {
            QStringList problems;
            for (const QString &directory : directories) {
                if (const auto error = deleteRun(directory, withOutsideLogs))
                    problems << error->sentence();
            }
            return problems;
        },
        [this, directories](const QStringList &problems) {
            Q_EMIT deleted(directories);
            if (!problems.isEmpty())
                showProblem(m_window, tr("Not everything was deleted"), problems.join(QLatin1Char('\n')));
        });
}

void PastRuns::askHowLongToKeep(const QList<RunSummary> &runs)
{
    inBackground(this, loadKeepSetting, [this, runs](const Result<KeepSetting> &setting) {
        if (!setting)
            showProblem(m_window, tr("The setting cannot be used"), setting.error().sentence());
        auto *dialog = new KeepDialog(setting ? *setting : KeepSetting(), runs, m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this, dialog] {
            inBackground(
                this, [chosen = dialog->setting()] { return saveKeepSetting(chosen); },
                [this](const std::optional<Error> &error) {
                    if (error)
                        showProblem(m_window, tr("The setting was not saved"), error->sentence());
                    else
                        deleteExpired();
                });
        });
        dialog->open();
    });
}

void PastRuns::deleteExpired()
{
    inBackground(this, deleteExpiredRuns, [this](const Result<QStringList> &names) {
        if (!names)
            Q_EMIT message(names.error().sentence());
        else if (!names->isEmpty())
            Q_EMIT message(names->size() == 1
                               ? tr("%1 was old enough and is deleted.").arg(names->first())
                               : tr("%n runs were old enough and are deleted.", nullptr, int(names->size())));
        Q_EMIT deleted({});
    });
}

} // namespace rankdeck
