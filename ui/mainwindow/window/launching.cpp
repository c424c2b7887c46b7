#include "mainwindow/window/launching.h"

#include "launch/text/commandline.h"
#include "launchform/start/launchjob.h"
#include "preflight/page/preflightpage.h"
#include "preflight/planchecks.h"
#include "widgets/chipchoice.h"

#include <QMainWindow>
#include <QStatusBar>

namespace rankdeck
{

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

void Launching::start(const LaunchSpec &spec, LaunchWhen when)
{
    QStatusBar *status = m_window->statusBar();
    if (m_job) {
        status->showMessage(tr("Another launch is starting. Cancel it first."), messageMs);
        return;
    }
    m_job = new LaunchJob(spec, this, when);
    connect(m_job, &LaunchJob::progress, status,
            [status](const QString &text) { status->showMessage(text); });
    connect(m_job, &LaunchJob::tableHasErrors, this,
            [this](const TableCheck &check) { (new LaunchQuestion(check, m_job, m_window))->open(); });
    connect(m_job, &LaunchJob::held, this, [this](const QList<Holder> &holders) {
        (new HoldersQuestion(holders, m_job, m_window))->open();
    });
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
    connect(m_job, &LaunchJob::finished, this, [this] {
        m_cancel->hide();
        std::exchange(m_job, nullptr)->deleteLater();
    });
    connect(m_cancel, &QPushButton::clicked, m_job, &LaunchJob::cancel);
    m_cancel->show();
    status->showMessage(tr("Launching…"));
    m_job->start();
}

Preflighting::Preflighting(PreflightPage *page, QObject *parent)
    : QObject(parent)
    , m_page(page)
{
    connect(page, &PreflightPage::cancelRequested, this, &Preflighting::cancel);
    connect(page, &PreflightPage::runAgainRequested, this, [this] {
        if (m_spec)
            start(LaunchSpec(*m_spec));
    });
    connect(page, &PreflightPage::launchRequested, this, &Preflighting::launch);
    connect(page, &PreflightPage::fixRequested, this, &Preflighting::fix);
}

void Preflighting::start(const LaunchSpec &spec)
{
    stop();
    m_spec = spec;
    m_page->begin(joinCommandLine(spec.command));
    inBackground(
        this, [spec, chip = ChipChoice::remembered()] { return plannedLaunch(spec, chip); },
        [this, round = m_round](const PlannedLaunch &planned) {
            if (round == m_round)
                make(planned);
        });
}

void Preflighting::stop()
{
    ++m_round;
    if (!m_preflight)
        return;
    // The preflight stops its processes before it is deleted.
    m_preflight->disconnect(this);
    m_preflight->disconnect(m_page);
    connect(m_preflight, &Preflight::finished, m_preflight, &QObject::deleteLater);
    std::exchange(m_preflight, nullptr)->cancel();
}

void Preflighting::make(const PlannedLaunch &planned)
{
    if (!planned.preview.plan) {
        const QList<Error> &errors = planned.preview.errors;
        m_page->fail(errors.isEmpty() ? tr("There is no plan until the rank table is completed.")
                                      : errors.constFirst().sentence());
        return;
    }
    m_preflight = new Preflight(*m_spec, *planned.preview.plan, planned.facts, m_page->options(), this);
    connect(m_preflight, &Preflight::checked, m_page, &PreflightPage::add);
    connect(m_preflight, &Preflight::progressed, m_page, &PreflightPage::setProgress);
    connect(m_preflight, &Preflight::selfTestHappened, this, [this] {
        const PreflightReport &report = m_preflight->report();
        m_page->setSelfTest(report.selfTest, {report.selfTestNodes, report.selfTestRanks});
    });
    connect(m_preflight, &Preflight::finished, this, [this] {
        m_page->finish(m_preflight->report());
        // Later: it is the sender.
        std::exchange(m_preflight, nullptr)->deleteLater();
    });
    m_preflight->start();
}

void Preflighting::cancel()
{
    if (m_preflight) {
        m_preflight->cancel();
        return;
    }
    ++m_round; // Only a plan is being made.
    m_page->finish(PreflightReport());
}

void Preflighting::fix(const QString &fix)
{
    if (!m_spec)
        return;
    const LaunchSpec spec = withFix(*m_spec, fix);
    Q_EMIT changed(spec);
    start(spec);
}

void Preflighting::launch()
{
    if (!m_spec)
        return;
    stop();
    Q_EMIT launchRequested(*m_spec);
}

} // namespace rankdeck
