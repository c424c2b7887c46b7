#include "mainwindow/preflighting.h"

#include "background/inbackground.h"
#include "launch/commandline.h"
#include "preflight/preflight.h"
#include "preflight/preflightpage.h"
#include "ranktable/chipchoice.h"

#include <utility>

namespace rankdeck
{

Preflighting::Preflighting(PreflightPage *page, QObject *parent)
    : QObject(parent)
    , m_page(page)
{
    connect(page, &PreflightPage::cancelWanted, this, &Preflighting::cancel);
    connect(page, &PreflightPage::runAgainWanted, this, [this] {
        if (m_spec)
            start(LaunchSpec(*m_spec));
    });
    connect(page, &PreflightPage::launchWanted, this, &Preflighting::launch);
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
    // It ends what it has started first.
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
        // It is what calls this.
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
    ++m_round; // Nothing has been started.
    m_page->finish(PreflightReport());
}

void Preflighting::launch()
{
    if (!m_spec)
        return;
    stop();
    Q_EMIT launchWanted(*m_spec);
}

} // namespace rankdeck
