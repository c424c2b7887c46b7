#include "mainwindow/launching.h"

#include "background/inbackground.h"
#include "launch/demolaunch.h"
#include "launchform/holdersquestion.h"
#include "launchform/launchjob.h"
#include "launchform/launchquestion.h"
#include "mainwindow/problembox.h"

#include <QMainWindow>
#include <QPushButton>
#include <QStatusBar>

namespace rankdeck
{

namespace
{
constexpr int messageMs = 8000;
} // namespace

Launching::Launching(QMainWindow *window)
    : QObject(window)
    , m_window(window)
    , m_cancel(new QPushButton(tr("Cancel launch"), window))
{
    window->statusBar()->addPermanentWidget(m_cancel);
    m_cancel->hide();
}

void Launching::startDemo(Demo demo)
{
    inBackground(
        this, [demo] { return demoSpec(demo); },
        [this](const Result<LaunchSpec> &spec) {
            if (spec)
                start(*spec);
            else
                showProblem(m_window, tr("The demo cannot be started"), spec.error().sentence());
        });
}

void Launching::start(const LaunchSpec &spec)
{
    QStatusBar *status = m_window->statusBar();
    if (m_job) {
        status->showMessage(tr("Another launch is being started; cancel it first."), messageMs);
        return;
    }
    m_job = new LaunchJob(spec, this);
    connect(m_job, &LaunchJob::progress, status,
            [status](const QString &text) { status->showMessage(text); });
    connect(m_job, &LaunchJob::tableHasErrors, this, [this](const TableCheck &check) {
        auto *question = new LaunchQuestion(check, m_window);
        question->setAttribute(Qt::WA_DeleteOnClose);
        connect(question, &LaunchQuestion::launchAnyway, m_job, &LaunchJob::proceed);
        connect(question, &LaunchQuestion::cancelled, m_job, &LaunchJob::cancel);
        connect(m_job, &LaunchJob::finished, question, &QWidget::close);
        question->open();
    });
    connect(m_job, &LaunchJob::held, this,
            [this](const QList<Holder> &holders) { HoldersQuestion::ask(holders, m_job, m_window); });
    connect(m_job, &LaunchJob::launched, this, [this, status](const QString &directory) {
        status->showMessage(tr("Launched."), messageMs);
        Q_EMIT launched(directory);
    });
    connect(m_job, &LaunchJob::failed, this, [this, status](const Error &error) {
        status->clearMessage();
        showProblem(m_window, tr("Nothing was launched"), error.sentence());
    });
    connect(m_job, &LaunchJob::cancelled, status,
            [status] { status->showMessage(tr("The launch was cancelled."), messageMs); });
    connect(m_job, &LaunchJob::finished, this, &Launching::end);
    connect(m_cancel, &QPushButton::clicked, m_job, &LaunchJob::cancel);
    m_cancel->show();
    status->showMessage(tr("Launching…"));
    m_job->start();
}

void Launching::end()
{
    m_cancel->hide();
    m_job->deleteLater();
    m_job = nullptr;
}

} // namespace rankdeck
