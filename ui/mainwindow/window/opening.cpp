#include "mainwindow/window/opening.h"

#include "mainwindow/window/emptypage.h"
#include "widgets/widgetparts.h"

#include <QDropEvent>
#include <QFileInfo>
#include <QMainWindow>
#include <QMimeData>

namespace rankdeck
{

Opening::Opening(QMainWindow *window)
    : QObject(window)
    , m_window(window)
{
    window->setAcceptDrops(true);
    window->installEventFilter(this);
}

void Opening::open(const QString &path)
{
    using Source = RunSession::Source;
    inBackground(
        this,
        [path] {
            if (QFileInfo(path).isFile())
                return isBundleName(path) ? Source::Bundle : Source::Logs;
            return readRunRecord(path) ? Source::Run : Source::Logs;
        },
        [this, path](Source source) {
            if (source == Source::Run) {
                Q_EMIT runFound(path);
                return;
            }
            addRecentPath(path);
            Q_EMIT logsFound(path, source);
        });
}

void Opening::chooseLogDirectory()
{
    auto *chooser = named(new QFileDialog(m_window, tr("Open a directory of logs")), "logDirectoryDialog");
    chooser->setFileMode(QFileDialog::Directory);
    choose(chooser);
}

void Opening::chooseLogOrBundle()
{
    choose(named(openFileDialog(m_window, tr("Open a log or a report bundle"),
                                {tr("Logs and report bundles (*.log *.txt *.out *.err *.tar.gz *.tgz)"),
                                 tr("All files (*)")}),
                 "bundleDialog"));
}

void Opening::choose(QFileDialog *chooser)
{
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    connect(chooser, &QFileDialog::fileSelected, this, &Opening::open);
    chooser->open();
}

bool Opening::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto *drag = static_cast<QDropEvent *>(event); // A drag that enters is one too.
    // Nothing but one file or directory.
    const QList<QUrl> urls = drag->mimeData()->urls();
    const QString path = urls.size() == 1 ? urls.constFirst().toLocalFile() : QString();
    drag->setAccepted(!path.isEmpty());
    if (path.isEmpty())
        return true;
    drag->acceptProposedAction();
    if (event->type() == QEvent::DragEnter)
        return true;
    if (path.endsWith(".json"_L1, Qt::CaseInsensitive))
        Q_EMIT rankTableFound(path);
    else
        open(path);
    return true;
}

} // namespace rankdeck
