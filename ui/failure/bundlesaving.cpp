#include "failure/bundlesaving.h"

#include "bundle/ascendfd.h"
#include "diagnosis/verdict/keptverdict.h"

#include <QDir>
#include <QProgressBar>

namespace rankdeck
{

BundleSaving::BundleSaving(const RunState &state, const QString &path, QWidget *parent, bool isForAscendFd)
    : QDialog(parent)
    , m_path(path)
    , m_percent(std::make_shared<std::atomic_int>(-1))
    , m_writing(this, [this](const Result<WrittenBundle> &written) { finish(written); })
    , m_text(plainLabel("bundleSavingText"))
    , m_bar(named(new QProgressBar(this), "bundleSavingBar", tr("Progress of the bundle")))
{
    constexpr int width = 520;
    constexpr int pollMs = 200;
    setObjectName(QStringLiteral("bundleSaving"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Save bundle - %1", "run").arg(state.name));
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_text->setMinimumWidth(width);
    m_bar->setRange(0, 100);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_end = named(buttons->button(QDialogButtonBox::Cancel), "bundleSavingEndButton");
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_bar);
    layout->addWidget(buttons);
    m_end->setFocus();
    connect(&m_poll, &QTimer::timeout, this, &BundleSaving::showProgress);
    m_poll.start(pollMs);
    showProgress();
    m_writing.ask([state, path, isForAscendFd,
                   percent = m_percent](const NewestWins<Result<WrittenBundle>>::IsCancelled &isCancelled) {
        BundleOptions options;
        options.isCancelled = isCancelled;
        options.progress = [percent](qint64 doneBytes, qint64 allBytes) {
            *percent = allBytes > 0 ? int(doneBytes * 100 / allBytes) : 100;
        };
        const Verdict verdict = verdictOf(state, isCancelled);
        *percent = 0;
        return isForAscendFd ? writeForAscendFd(state, path, options)
                             : writeBundle(state, verdict, path, options);
    });
}

void BundleSaving::ask(const RunState &state, QWidget *parent)
{
    const QString forAscendFd = tr("Logs for ascend-fd (*.tar.gz)");
    auto *chooser = named(saveFileDialog(parent, tr("Save a bundle for a colleague"),
                                         QDir::home().filePath(suggestedBundleName(state)),
                                         {tr("Report bundles (*.tar.gz)"), forAscendFd, tr("All files (*)")},
                                         QStringLiteral("tar.gz")),
                          "bundleFileDialog");
    connect(chooser, &QFileDialog::fileSelected, parent,
            [state, parent, chooser, forAscendFd](const QString &path) {
                auto *saving =
                    new BundleSaving(state, path, parent, chooser->selectedNameFilter() == forAscendFd);
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
    m_text->setText(written ? tr("The bundle was saved. %1").arg(written->summary(m_path))
                            : tr("The bundle was not saved. %1").arg(written.error().sentence()));
    m_end->setText(tr("&Close"));
    adjustSize();
}

} // namespace rankdeck
