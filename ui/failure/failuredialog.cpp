#include "failure/failuredialog.h"

#include "background/inbackground.h"
#include "diagnosis/verdict/diagnose.h"
#include "diagnosis/verdict/firstsight.h"
#include "diagnosis/verdict/verdicttext.h"
#include "failure/bundlesaving.h"
#include "failure/explanationbox.h"
#include "failure/failuretext.h"
#include "failure/savetext.h"
#include "failure/verdicttabs.h"
#include "run/rundirectory.h"
#include "state/tone.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace rankdeck
{

namespace
{

QLabel *plainLabel(const QString &text, const char *name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setObjectName(QLatin1String(name));
    return label;
}

void setShownText(QLabel *label, const QString &text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

FailureDialog::FailureDialog(const RunState &state, QWidget *parent, const std::optional<Verdict> &recorded)
    : QDialog(parent)
    , m_state(state)
    , m_diagnosis(this, [this](const Verdict &verdict) { takeVerdict(verdict, true); })
    , m_suggestedName(QStringLiteral("%1-failure.txt").arg(state.name.isEmpty() ? tr("run") : state.name))
    , m_headline(plainLabel({}, "failureHeadline", this))
    , m_place(plainLabel({}, "failurePlace", this))
    , m_cause(plainLabel({}, "failureCause", this))
    , m_reason(plainLabel({}, "failureReason", this))
    , m_explanation(new ExplanationBox(this))
    , m_advice(plainLabel({}, "failureAdvice", this))
    , m_tabs(new VerdictTabs(this))
    , m_ending(plainLabel({}, "failureEnding", this))
    , m_message(plainLabel({}, "failureMessage", this))
    , m_hasLog(!state.failure->logFile.isEmpty())
{
    setObjectName(QStringLiteral("failureDialog"));
    QFont large = m_headline->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setBold(true);
    m_headline->setFont(large);
    QFont bold = m_cause->font();
    bold.setBold(true);
    m_cause->setFont(bold);
    QPalette red = m_cause->palette();
    red.setColor(QPalette::WindowText, toneColor(Tone::Bad, palette()));
    m_cause->setPalette(red);
    const QString file = m_hasLog ? tr("Log: %1").arg(state.failure->logFile)
                                  : tr("Journal: %1").arg(journalPath(state.directory));
    auto *logFile = plainLabel(file, "failureLogFile", this);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    const auto addButton = [&](const QString &text, const char *name, const auto &slot) {
        auto *button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1String(name));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, slot);
        return button;
    };
    m_openButton =
        addButton(tr("&Open log"), "openLogButton", [this] { Q_EMIT openLog(m_verdict.process, {}, -1); });
    m_againButton = addButton(tr("Run a&gain"), "failureRunAgainButton", &FailureDialog::runAgainWanted);
    addButton(tr("&Copy"), "copyReportButton", &FailureDialog::copy);
    addButton(tr("&Save report…"), "saveReportButton", &FailureDialog::chooseFile);
    if (!recorded)
        addButton(tr("Save &bundle…"), "saveBundleButton", [this] {
            // It goes on when this is closed.
            BundleSaving::ask(m_state, parentWidget() ? parentWidget() : this);
        });
    // Enter on a line of a table goes to it in its log, and does nothing else.
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_tabs, &VerdictTabs::lineWanted, this, &FailureDialog::openLog);

    auto *layout = new QVBoxLayout(this);
    for (QWidget *part : std::initializer_list<QWidget *>{m_headline, m_place, m_cause, m_reason, m_ending,
                                                          m_explanation, m_advice})
        layout->addWidget(part);
    layout->addSpacing(8);
    layout->addWidget(m_tabs, 1);
    layout->addWidget(logFile);
    layout->addSpacing(8);
    layout->addWidget(m_message);
    layout->addWidget(buttons);
    m_tabs->setVisible(m_hasLog);
    m_message->hide();
    setState(state);
    // The user's own catalogue is a file, and the logs may be large.
    takeVerdict(firstSight(state, nullptr, QLocale()), false);
    fit();
    (m_openButton->isEnabled() ? m_openButton : buttons->button(QDialogButtonBox::Close))->setFocus();
    if (recorded)
        takeVerdict(*recorded, true);
    else
        diagnoseAgain();
}

void FailureDialog::diagnoseAgain()
{
    m_diagnosis.ask([state = m_state](const NewestWins<Verdict>::IsCancelled &isCancelled) {
        return diagnose(state, isCancelled);
    });
}

void FailureDialog::setState(const RunState &state)
{
    // While the others are torn down they may still write what counts.
    const bool hasEnded = isLive(m_state.phase) && !isLive(state.phase);
    m_state = state;
    setShownText(m_ending, m_hasLog ? QString() : runEnding(state));
    m_againButton->setVisible(!hasLogsAlone(state.phase));
    m_againButton->setEnabled(!isLive(state.phase));
    m_verdict.exits = exitsOf(state);
    m_tabs->setVerdict(m_verdict, state.failure->logTail, m_isDiagnosed);
    if (hasEnded)
        diagnoseAgain();
}

void FailureDialog::takeVerdict(const Verdict &verdict, bool isDiagnosed)
{
    // Logs alone may show nothing that the rules take for a failure; what was seen stays then.
    if (isDiagnosed && !verdict.hasFailure) {
        m_isDiagnosed = true;
        showHead();
        return;
    }
    const bool wasFitted = size() == m_fitted;
    m_verdict = verdict;
    m_isDiagnosed = isDiagnosed;
    showHead();
    m_tabs->setVerdict(verdict, m_state.failure->logTail, isDiagnosed);
    if (wasFitted)
        fit();
}

void FailureDialog::showHead()
{
    const Failure &failure = *m_state.failure;
    m_headline->setText(failureHeadline(m_verdict, failure));
    setWindowTitle(tr("%1 - %2", "headline - run").arg(m_headline->text(), m_state.name));
    setShownText(m_place, verdictPlace(m_verdict));
    setShownText(m_cause, failureCause(m_verdict));
    setShownText(m_reason,
                 m_isDiagnosed ? verdictReason(m_verdict) : tr("Looking through the logs of all ranks…"));
    m_explanation->setExplanation(m_verdict.known);
    setShownText(m_advice, m_verdict.known.isKnown() ? QString() : m_verdict.advice);
    m_openButton->setEnabled(m_verdict.process >= 0);
}

/// Without a log there is nothing that could use room to spare; with one the explanation leaves it its own.
void FailureDialog::fit()
{
    constexpr int width = 820;
    constexpr int heightOfTabs = 220;
    layout()->activate();
    const int wanted = layout()->totalHeightForWidth(width) +
                       (m_hasLog ? std::max(0, heightOfTabs - m_tabs->minimumSizeHint().height()) : 0);
    m_fitted = {width, std::min(wanted, screen()->availableSize().height() * 9 / 10)};
    resize(m_fitted);
}

QString FailureDialog::report() const
{
    return QStringLiteral("DistributedRuntimeError: ") + verdictText(m_verdict, m_state);
}

void FailureDialog::copy()
{
    QGuiApplication::clipboard()->setText(report());
    m_message->setText(tr("The report is on the clipboard."));
    m_message->show();
}

void FailureDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Save the report"), QDir::home().filePath(m_suggestedName),
                                    tr("Text files (*.txt);;Web pages (*.html);;All files (*)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("txt"));
    connect(chooser, &QFileDialog::fileSelected, this, &FailureDialog::save);
    chooser->open();
}

void FailureDialog::save(const QString &path)
{
    const bool isPage = path.endsWith(QLatin1String(".html"), Qt::CaseInsensitive);
    const QString text = isPage ? verdictHtml(m_verdict, m_state) : report();
    inBackground(
        this, [text, path] { return saveText(text, path); },
        [this, path](const std::optional<Error> &error) {
            m_message->setText(error ? error->sentence() : tr("The report was saved as %1.").arg(path));
            m_message->show();
        });
}

} // namespace rankdeck
