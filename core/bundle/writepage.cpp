#include "bundle/writebundle.h"

#include "base/fields.h"
#include "base/json.h"
#include "bundle/secrets.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"
#include "report/reportpage.h"
#include "run/record/runstate.h"

#include <QSaveFile>

namespace rankdeck
{

MaskedPage maskedReportPage(const RunState &state, const Verdict &verdict, const BundleOptions &options)
{
    Secrets secrets;
    secrets.learnEnvironment();
    if (state.spec) {
        nlohmann::json spec = toJson(*state.spec);
        secrets.mask(spec);
    }
    nlohmann::json json = toJson(*state.plan);
    secrets.mask(json);
    const auto plan = launchPlanFromJson(json);
    const RunCurves curves = readRunCurves(state, verdict, {options.isCancelled, options.progress});
    // A plan that masking has broken is not shown.
    const QByteArray page = reportPage(state, plan ? *plan : LaunchPlan(), verdict, curves);
    return {secrets.masked(page), secrets.names()};
}

Result<WrittenBundle> writeReportPage(const RunState &state, const Verdict &verdict, const QString &path,
                                      const BundleOptions &options)
{
    const MaskedPage made = maskedReportPage(state, verdict, options);
    if (options.isCancelled && options.isCancelled())
        return Error{tr("the page was cancelled"), {}, {}};
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(made.page) != made.page.size() || !file.commit())
        return Error{tr("cannot be written: %1").arg(problemOf(file)), path, tr("Select another location.")};
    return WrittenBundle{made.page.size(), 0, made.maskedNames, ReportFile::Page};
}

Result<WrittenBundle> writeReportFile(ReportFile kind, const RunState &state, const Verdict &verdict,
                                      const QString &path, const BundleOptions &options)
{
    switch (kind) {
    case ReportFile::AscendFd:
        return writeForAscendFd(state, path, options);
    case ReportFile::Page:
        return writeReportPage(state, verdict, path, options);
    case ReportFile::Bundle:
        break;
    }
    return writeBundle(state, verdict, path, options);
}

} // namespace rankdeck
