#include "logview/logsaving.h"

#include "logview/logsave.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QPointer>
#include <QProgressDialog>
#include <QThread>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("LogSaving", text);
}

void save(LogLines *lines, const QString &path, bool withEscapes, QWidget *view,
          const std::function<void(const QString &)> &said)
{
    auto *const job = new LogSave(lines, path, withEscapes);
    auto *const thread = new QThread;
    job->moveToThread(thread);
    auto *const progress = new QProgressDialog(tr("Saving the log…"), tr("Cancel"), 0, 100, view);
    progress->setWindowTitle(tr("Save log"));
    progress->setAutoClose(false);
    progress->setAutoReset(false);
    QObject::connect(job, &LogSave::progress, progress, &QProgressDialog::setValue);
    QObject::connect(progress, &QProgressDialog::canceled, job, &LogSave::cancel);
    QObject::connect(job, &LogSave::finished, view, [said, path](const QString &error) {
        said(error.isEmpty() ? tr("Saved as %1.").arg(path) : error);
    });
    QObject::connect(job, &LogSave::finished, progress, &QObject::deleteLater);
    // The view and its dialog may go before it is done.
    QObject::connect(view, &QObject::destroyed, job, &LogSave::cancel);
    QObject::connect(job, &LogSave::finished, thread, &QThread::quit);
    QObject::connect(thread, &QThread::finished, job, &QObject::deleteLater);
    QObject::connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    QObject::connect(thread, &QThread::started, job, &LogSave::start);
    thread->start();
}

} // namespace

void saveLog(LogLines *lines, QWidget *view, const std::function<void(const QString &)> &said)
{
    const QString plain = tr("Plain text (*)");
    const QString withEscapes = tr("With colours, as the log has them (*)");
    auto *const dialog = new QFileDialog(view, tr("Save log"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setNameFilters({plain, withEscapes});
    QObject::connect(dialog, &QFileDialog::fileSelected, view,
                     [=, shown = QPointer(lines)](const QString &path) {
                         if (shown)
                             save(shown, path, dialog->selectedNameFilter() == withEscapes, view, said);
                     });
    dialog->open();
}

} // namespace rankdeck
