#include "preflight/page/preflightpage.h"

#include "background/inbackground.h"
#include "base/fields.h"
#include "preflight/page/preflightlist.h"
#include "preflight/pairs/selftestview.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>
#include <QSettings>
#include <QSpinBox>
#include <QTabWidget>
#include <QTreeView>

namespace rankdeck
{

const QString importsKey = u"preflight/imports"_s;
const QString limitKey = u"preflight/limitSeconds"_s;
constexpr int mostSeconds = 3600;
constexpr int picturesTab = 1;

/// In the order of PreflightPage::State.
constexpr Tone stateTones[] = {Tone::Idle, Tone::Active, Tone::Good, Tone::Bad, Tone::Ended};

PreflightPage::PreflightPage()
    : m_title(named(new ElidedLabel(Qt::ElideMiddle), "preflightTitle"))
    , m_summary(lineLabel("preflightSummary"))
    , m_progress(named(new ElidedLabel(Qt::ElideRight), "preflightProgress"))
    , m_imports(named(new QLineEdit, "importsEdit"))
    , m_limit(named(new QSpinBox, "limitBox"))
    , m_onlyProblems(named(new QCheckBox(tr("Onl&y problems")), "onlyProblemsBox"))
    , m_tabs(named(new QTabWidget, "preflightTabs"))
    , m_list(new PreflightList)
    , m_pictures(new SelfTestView)
    , m_note(new NoteLabel(u"preflightNote"_s))
{
    setManualPage(this, "preflight.md");
    setObjectName(u"preflightPage"_s);
    makeBold(m_title, 1.25);
    m_summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
    makeBold(m_summary);
    m_progress->setVoice(ElidedLabel::Voice::Quiet);
    m_tabs->addTab(m_list, tr("Chec&ks"));
    m_tabs->addTab(m_pictures, tr("Ranks, pairs and band&width"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    addParts(layout, {m_title, m_summary, m_progress, makeFields(), {m_tabs, 1}, m_note, makeButtons()});
    m_note->hide();

    connect(&m_pictureTimer, &QTimer::timeout, this, &PreflightPage::showPictures);
    connect(m_onlyProblems, &QCheckBox::toggled, m_list, &PreflightList::setOnlyProblems);
    connect(m_list, &PreflightList::currentChanged, this, &PreflightPage::offerFix);
    onPaletteChange(this, [this] { colour(); });
    setState(State::Empty);
}

QWidget *PreflightPage::makeFields()
{
    const QSettings settings;
    m_imports->setText(settings.value(importsKey).toString());
    m_imports->setPlaceholderText(tr("e.g. mindspore torch_npu"));
    m_imports->setToolTip(tr("Python modules that the interpreter of each node must be able to import."));
    m_limit->setRange(1, mostSeconds);
    m_limit->setSuffix(tr(" s", "seconds"));
    m_limit->setValue(settings.value(limitKey, PreflightOptions().limitSeconds).toInt());
    m_limit->setToolTip(tr("Checks that have not finished by then count as failed."));
    for (QWidget *field : {static_cast<QWidget *>(m_imports), static_cast<QWidget *>(m_limit)})
        field->setAccessibleDescription(field->toolTip());
    connect(m_imports, &QLineEdit::editingFinished, this, &PreflightPage::rememberOptions);
    connect(m_limit, &QSpinBox::valueChanged, this, &PreflightPage::rememberOptions);

    auto *imports = rowOf({labelOf(m_imports, tr("&Imports to try:")), m_imports});
    auto *limits = rowOf({labelOf(m_limit, tr("Li&mit:")), m_limit, m_onlyProblems});
    auto *row = new WrappingRow;
    row->setGroups(imports, 1, limits, 0);
    return row;
}

QPushButton *PreflightPage::addButton(QLayout *layout, const QString &text, const char *name,
                                      void (PreflightPage::*wanted)())
{
    auto *button = named(new QPushButton(text), name);
    connect(button, &QPushButton::clicked, this, wanted);
    layout->addWidget(button);
    return button;
}

QWidget *PreflightPage::makeButtons()
{
    auto *launch = new QHBoxLayout;
    auto *result = new QHBoxLayout;
    auto *next = new QHBoxLayout;
    addButton(launch, tr("Cha&nge launch…"), "changeLaunchButton", &PreflightPage::changeRequested);
    m_fix = addButton(launch, {}, "fixPreflightButton", &PreflightPage::wantFix);
    m_copy = addButton(result, tr("C&opy as text"), "copyPreflightButton", &PreflightPage::copy);
    m_save = addButton(result, tr("Sa&ve as JSON…"), "savePreflightButton", &PreflightPage::chooseFile);
    next->addStretch();
    m_cancel = addButton(next, tr("&Cancel"), "cancelPreflightButton", &PreflightPage::cancel);
    m_again = addButton(next, tr("Run a&gain"), "preflightAgainButton", &PreflightPage::runAgainRequested);
    m_launch = addButton(next, {}, "launchCheckedButton", &PreflightPage::launchRequested);
    addButton(next, tr("Clos&e"), "closePreflightButton", &PreflightPage::closeRequested);
    auto *left = new WrappingRow;
    left->setGroups(launch, 0, result, 0);
    auto *first = new QHBoxLayout;
    first->addWidget(left);
    auto *row = new WrappingRow;
    row->setGroups(first, 0, next, 1);
    return row;
}

PreflightOptions PreflightPage::options() const
{
    static const QRegularExpression between(u"[\\s,;]+"_s);
    PreflightOptions options;
    options.limitSeconds = m_limit->value();
    options.imports = m_imports->text().split(between, Qt::SkipEmptyParts);
    options.imports.removeDuplicates();
    return options;
}

void PreflightPage::rememberOptions() const
{
    QSettings settings;
    settings.setValue(importsKey, m_imports->text());
    settings.setValue(limitKey, m_limit->value());
}

void PreflightPage::begin(const QString &launch)
{
    rememberOptions(); // Edits without Enter, too.
    m_report = PreflightReport();
    m_names = {};
    m_isCancelled = false;
    m_list->clear();
    m_note->hide();
    m_title->setText(tr("Preflight of %1").arg(launch));
    m_tabs->setCurrentIndex(0);
    showPictures();
    setState(State::Running);
    setProgress(tr("Planning the launch …"));
}

void PreflightPage::add(const PreflightCheck &check)
{
    m_report.add(check);
    m_list->add(check);
    m_summary->setText(tr("Running: %n checks so far, %1 failed.", "Running: %n check so far, %1 failed.",
                          int(m_report.checks.size()))
                           .arg(m_report.countOf(PreflightCheck::Status::Fail)));
}

void PreflightPage::setSelfTest(const SelfTestResults &results, const RankNames &names)
{
    m_report.selfTest = results;
    m_names = names;
    if (!m_pictureTimer.isActive())
        m_pictureTimer.start();
}

void PreflightPage::showPictures()
{
    m_pictureTimer.stop();
    m_pictures->setResults(m_report.selfTest, m_names);
    m_tabs->setTabEnabled(picturesTab, !m_report.selfTest.ranks.isEmpty());
}

void PreflightPage::finish(const PreflightReport &report)
{
    m_report = report;
    m_names = {report.selfTestNodes, report.selfTestRanks};
    showPictures();
    setState(m_isCancelled ? State::Cancelled : report.isPassed() ? State::Passed : State::Failed);
    setProgress({});
    m_list->showFirstProblem();
}

void PreflightPage::fail(const QString &sentence)
{
    setState(State::Failed);
    m_summary->setText(tr("× Nothing was checked"));
    setProgress({});
    m_note->setProblem(sentence);
    m_note->show();
}

void PreflightPage::setState(State state)
{
    m_state = state;
    if (state == State::Empty)
        m_title->setText(tr("Preflight"));
    m_summary->setText(state == State::Empty     ? tr("No preflight yet.")
                       : state == State::Running ? tr("Running")
                       : state == State::Passed  ? u"✓ "_s + m_report.summary()
                       : state == State::Failed  ? u"× "_s + m_report.summary()
                                                 : tr("– Cancelled. %1").arg(m_report.summary()));
    colour();
    const bool isRunning = state == State::Running;
    const bool hasReport = !m_report.checks.empty() && !isRunning;
    const bool hadFocus = m_cancel->hasFocus() || m_again->hasFocus();
    m_imports->setEnabled(!isRunning);
    m_limit->setEnabled(!isRunning);
    m_cancel->setVisible(isRunning);
    m_cancel->setEnabled(true);
    m_again->setVisible(!isRunning);
    m_again->setEnabled(state != State::Empty);
    offerFix();
    m_copy->setEnabled(hasReport);
    m_save->setEnabled(hasReport);
    m_launch->setEnabled(state != State::Empty);
    m_launch->setText(state == State::Passed ? tr("&Launch") : tr("&Launch anyway"));
    if (hadFocus)
        (isRunning ? m_cancel : m_again)->setFocus();
}

void PreflightPage::offerFix()
{
    const PreflightCheck *check = m_list->current();
    const QString fix = check && m_state != State::Running ? check->fix : QString();
    const bool sets = fix.isEmpty() || fix.contains('='_L1);
    m_fix->setText(sets ? tr("&Set it for this launch") : tr("Un&set it for this launch"));
    m_fix->setToolTip(fix);
    m_fix->setEnabled(!fix.isEmpty());
}

void PreflightPage::wantFix()
{
    if (const PreflightCheck *check = m_list->current())
        Q_EMIT fixRequested(QString(check->fix)); // A copy: the check goes away with the next preflight.
}

void PreflightPage::colour()
{
    setTextColor(m_summary, toneColor(stateTones[size_t(m_state)], palette()));
}

void PreflightPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_list->list()->setFocus();
}

void PreflightPage::cancel()
{
    if (m_state != State::Running)
        return;
    m_isCancelled = true;
    m_cancel->setEnabled(false);
    setProgress(tr("Ending the started processes …"));
    Q_EMIT cancelRequested();
}

void PreflightPage::copy()
{
    QApplication::clipboard()->setText(reportText(m_report));
    m_note->setHelp(tr("The report was copied."));
    m_note->show();
}

void PreflightPage::chooseFile()
{
    auto *chooser =
        named(saveFileDialog(this, tr("Save the preflight"), u"preflight.json"_s, {u"*.json"_s}, u"json"_s),
              "savePreflightDialog");
    connect(chooser, &QFileDialog::fileSelected, this, &PreflightPage::saveJson);
    chooser->open();
}

void PreflightPage::saveJson(const QString &path)
{
    const QString text = QString::fromUtf8(jsonTextOf(m_report, 2)) + '\n'_L1;
    inBackground(
        this, [text, path] { return saveText(text, path); },
        [this, path](const std::optional<Error> &error) {
            m_note->setHelp(error ? QString() : tr("The report was saved as %1.").arg(path));
            m_note->setProblem(error ? error->sentence() : QString());
            m_note->show();
        });
}

} // namespace rankdeck
