#include "failure/bundlesaving.h"

#include "diagnosis/verdict/keptverdict.h"
#include "run/record/runstate.h"

#include <QDir>
#include <QFileInfo>
#include <QProgressBar>
#include <QRegularExpression>

namespace rankdeck
{

BundleSaving::BundleSaving(const RunState &state, const QString &path, QWidget *parent, ReportFile kind)
    : QDialog(parent)
    , m_path(path)
    , m_isPage(kind == ReportFile::Page)
    , m_percent(std::make_shared<std::atomic_int>(-1))
    , m_writing(this, [this](const Result<WrittenBundle> &written) { finish(written); })
    , m_text(plainLabel("bundleSavingText"))
    , m_bar(named(new QProgressBar(this), "bundleSavingBar", tr("Progress of the bundle")))
{
    constexpr int width = 520;
    constexpr int pollMs = 200;
    setObjectName(u"bundleSaving"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Save bundle - %1", "run").arg(state.name));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setMinimumWidth(width);
    m_bar->setRange(0, 100);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_end = named(buttons->button(QDialogButtonBox::Cancel), "bundleSavingEndButton");
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    addParts(new QVBoxLayout(this), {{m_text, 1}, m_bar, buttons});
    m_end->setFocus();
    connect(&m_poll, &QTimer::timeout, this, &BundleSaving::showProgress);
    m_poll.start(pollMs);
    showProgress();
    m_writing.ask([state, path, kind,
                   percent = m_percent](const NewestWins<Result<WrittenBundle>>::IsCancelled &isCancelled) {
        BundleOptions options;
        options.isCancelled = isCancelled;
        options.progress = [percent](qint64 doneBytes, qint64 allBytes) {
            *percent = allBytes > 0 ? int(doneBytes * 100 / allBytes) : 100;
        };
        const Verdict verdict = verdictOf(state, isCancelled);
        *percent = 0;
        return writeReportFile(kind, state, verdict, path, options);
    });
}

void BundleSaving::ask(const RunState &state, QWidget *parent)
{
    const QString page = tr("Report as a web page (*.html)");
    const QString forAscendFd = tr("Logs for ascend-fd (*.tar.gz)");
    auto *chooser =
        named(saveFileDialog(parent, tr("Save a bundle for a colleague"),
                             QDir::home().filePath(suggestedBundleName(state)),
                             {tr("Report bundles (*.tar.gz)"), page, forAscendFd, tr("All files (*)")},
                             u"tar.gz"_s),
              "bundleFileDialog");
    connect(chooser, &QFileDialog::filterSelected, chooser, [chooser, page](const QString &filter) {
        static const QRegularExpression ours(u"\\.(tar\\.gz|html)$"_s);
        const QString suffix = filter == page ? u"html"_s : u"tar.gz"_s;
        chooser->setDefaultSuffix(suffix);
        QString name = QFileInfo(chooser->selectedFiles().value(0)).fileName();
        if (name.contains(ours))
            chooser->selectFile(name.remove(ours) + '.'_L1 + suffix);
    });
    connect(chooser, &QFileDialog::fileSelected, parent,
            [state, parent, chooser, page, forAscendFd](const QString &path) {
                const QString filter = chooser->selectedNameFilter();
                const bool isPage = filter == page || path.endsWith(".html"_L1, Qt::CaseInsensitive);
                const ReportFile kind = isPage                  ? ReportFile::Page
                                        : filter == forAscendFd ? ReportFile::AscendFd
                                                                : ReportFile::Bundle;
                auto *saving = new BundleSaving(state, path, parent, kind);
                saving->show();
            });
    chooser->open();
}

void BundleSaving::showProgress()
{
    const int percent = *m_percent;
    m_text->setText(percent < 0 ? tr("Analysing the logs of all ranks…") : tr("Writing %1…").arg(m_path));
    m_bar->setValue(std::max(percent, 0));
}

void BundleSaving::finish(const Result<WrittenBundle> &written)
{
    m_poll.stop();
    m_bar->hide();
    const QString saved = m_isPage ? tr("The page was saved. %1") : tr("The bundle was saved. %1");
    const QString notSaved = m_isPage ? tr("The page was not saved. %1") : tr("The bundle was not saved. %1");
    m_text->setText(written ? saved.arg(written->summary(m_path)) : notSaved.arg(written.error().sentence()));
    m_end->setText(tr("&Close"));
    adjustSize();
}

} // namespace rankdeck
