#include "launchform/form/launchform.h"

#include "base/listcomma.h"
#include "launch/options/launchers.h"
#include "launch/text/commandline.h"
#include "launchform/preview/planpanel.h"
#include "launchform/preview/planpreview.h"
#include "launchform/saved/launchmenus.h"
#include "launchform/start/freedevices.h"
#include "launchform/start/launchjob.h"
#include "widgets/preferences.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollArea>
#include <QShortcut>

namespace rankdeck
{

static QString recentText(const RecentLaunch &launch)
{
    constexpr qsizetype maxCommand = 70;
    QString command = joinCommandLine(launch.spec.command);
    if (command.size() > maxCommand)
        command = command.left(maxCommand - 1) + QChar(0x2026);
    const QString name = launch.spec.name.isEmpty() ? QString() : withColon(launch.spec.name, QString());
    const QString when = QLocale().toString(launch.launched.toLocalTime(), u"d MMM hh:mm"_s);
    return LaunchHeading::tr("%1%2 (%3, %4)").arg(name, command, launch.spec.launcher, when);
}

LaunchHeading::LaunchHeading()
    : m_paste(plainButton(tr("Paste a command line…"), "pasteButton"))
    , m_launcher(named(new QComboBox, "launcherCombo", tr("Launcher")))
    , m_about(named(new ElidedLabel, "launcherAbout"))
    , m_recent(named(new QComboBox, "recentCombo", tr("Recent launches")))
{
    m_launcher->addItems(launcherNames());
    makeBold(m_launcher);
    connect(m_launcher, &QComboBox::textActivated, this, &LaunchHeading::launcherChosen);

    m_recent->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_recent->setMinimumContentsLength(16);
    connect(m_recent, &QComboBox::activated, this, [this](int index) {
        const LaunchSpec spec = m_launches.value(index).spec;
        // The list only fills the form: once the fields are edited, its choice would name another launch.
        m_recent->setCurrentIndex(-1);
        Q_EMIT recentChosen(spec);
    });

    m_paste->setToolTip(tr("Fills the form from a line of torchrun, msrun or davincirun (Ctrl+Shift+V)."));
    connect(m_paste, &QPushButton::clicked, this, &LaunchHeading::pasteRequested);

    auto *fill = rowOf({m_paste, labelOf(m_recent, tr("or recen&t:")), {m_recent, 1}});
    auto *choose = rowOf({labelOf(m_launcher, tr("Launc&her")), m_launcher, {m_about, 1}});
    addParts(withoutMargins(new QVBoxLayout(this)), {fill, choose});
    setLauncher(launcherNames().first());
}

void LaunchHeading::setLauncher(const QString &launcher)
{
    m_launcher->setCurrentText(launcher);
    m_about->setText(launcherDescription(launcher));
    m_launcher->setAccessibleDescription(m_about->text());
}

void LaunchHeading::setRecent(const QList<RecentLaunch> &launches)
{
    m_launches = launches;
    m_recent->clear();
    for (const RecentLaunch &launch : launches)
        m_recent->addItem(recentText(launch));
    m_recent->setCurrentIndex(-1);
    m_recent->setEnabled(!launches.isEmpty());
    m_recent->setPlaceholderText(launches.isEmpty() ? tr("None yet") : tr("Select one to fill the form"));
}

LaunchForm::LaunchForm(QWidget *parent)
    : QDialog(parent)
    , m_heading(new LaunchHeading)
    , m_fields(new LaunchFields)
    , m_scrollArea(new QScrollArea)
    , m_plan(new PlanPanel)
    , m_devices(new FreeDevices)
    , m_message(new NoteLabel(u"messageLabel"_s))
    , m_preflightButton(plainButton(tr("Preflight…"), "preflightButton"))
    , m_launchButton(named(new QPushButton(tr("&Launch")), "launchButton"))
    , m_cancelButton(plainButton(tr("Stop waitin&g"), "cancelButton"))
    , m_closeButton(plainButton(tr("Clo&se"), "closeButton"))
    , m_profileButton(plainButton(tr("Pro&file"), "profileButton"))
    , m_commandLineButton(plainButton(tr("Comman&d line"), "commandLineButton"))
    , m_commandLines(new CommandLineMenu(this))
    , m_profiles(new ProfileMenu(this))
    , m_preview(new PlanPreview(this))
    , m_recent(new RecentLaunches(RecentLaunches::defaultFile(), this))
{
    setManualPage(this, "first-launch.md");
    setWindowTitle(tr("New launch"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    addParts(layout, {m_heading, m_fields->commandField(), {makeBody(), 1}, m_message, makeButtons()});
    m_message->hide();
    connectMenus();
    orderFocus();
    m_fields->commandField()->editor()->setFocus();
    m_plan->setEmpty({});
    resizeInText(this, 125, 48);

    connect(m_heading, &LaunchHeading::pasteRequested, this, &LaunchForm::pasteCommandLine);
    connect(m_heading, &LaunchHeading::launcherChosen, m_fields, &LaunchFields::setLauncher);
    connect(m_heading, &LaunchHeading::recentChosen, this, &LaunchForm::setSpec);
    connect(m_fields, &LaunchFields::launcherChanged, this, &LaunchForm::launcherChanged);
    connect(m_fields, &LaunchFields::changed, this, &LaunchForm::fieldsChanged);
    connect(m_fields, &LaunchFields::showTableRequested, this, [this] {
        if (m_result)
            Q_EMIT showTableRequested(m_result->tablePath);
    });
    connect(m_plan, &PlanPanel::terminalsRequested, m_fields, &LaunchFields::setTerminals);
    connect(m_devices, &FreeDevices::specRequested, this, [this](const LaunchSpec &spec) {
        if (!m_job)
            setSpec(spec);
    });
    connect(m_preview, &PlanPreview::ready, this, &LaunchForm::showPreview);
    connect(m_recent, &RecentLaunches::changed, this, &LaunchForm::showRecent);
    connect(m_recent, &RecentLaunches::failed, this,
            [this](const Error &error) { m_message->setHelp(error.sentence()); });
    for (const int key : {Qt::Key_Return, Qt::Key_Enter}) {
        connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(key)), this), &QShortcut::activated, this,
                &LaunchForm::launch);
        connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key(key)), this), &QShortcut::activated,
                this, &LaunchForm::checkFirst);
    }
    m_lookAgain.setInterval(std::chrono::seconds(2));
    connect(&m_lookAgain, &QTimer::timeout, this, &LaunchForm::requestPreview);
    m_recent->load();
    takePreferences(Preferences::load());
    connect(&preferencesNews(), &PreferencesNews::changed, this, &LaunchForm::takePreferences);
    requestPreview();
    showProblems();
}

void LaunchForm::takePreferences(const Preferences &preferences)
{
    LaunchSpec spec = defaultsOf(preferences.launcher);
    preferences.applyTo(spec);
    if (!preferences.endCommand.isEmpty())
        spec.environment.insert(u"RANKDECK_ON_END"_s, preferences.endCommand);
    if (!m_fields->isEdited() && spec != m_fields->spec())
        m_fields->startWith(spec);
}

QWidget *LaunchForm::makeBody()
{
    m_scrollArea->setWidget(m_fields);
    m_scrollArea->setWidgetResizable(true);
    m_scrollArea->setFrameShape(QFrame::NoFrame);
    m_scrollArea->setFocusPolicy(Qt::NoFocus);
    // Mnemonics and a refused launch move the focus too, not only Tab.
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *, QWidget *now) {
        if (now && m_fields->isAncestorOf(now))
            m_scrollArea->ensureWidgetVisible(now, 0, now->height());
    });
    auto *right = new QWidget;
    addParts(withoutMargins(new QVBoxLayout(right)), {{m_plan, 1}, m_devices});
    auto *splitter = splitterOf(Qt::Horizontal, {m_scrollArea, right}, {0, 1});
    splitter->setSizes({470, 510});
    return splitter;
}

QLayout *LaunchForm::makeButtons()
{
    m_profileButton->setMenu(m_profiles);
    m_commandLineButton->setMenu(m_commandLines);
    m_preflightButton->setToolTip(
        tr("Checks that the launch would work, without starting it (Ctrl+Shift+Enter)."));
    connect(m_preflightButton, &QPushButton::clicked, this, &LaunchForm::checkFirst);
    m_launchButton->setToolTip(tr("Starts the launch (Ctrl+Enter)."));
    // Enter in a field starts nothing.
    m_launchButton->setAutoDefault(false);
    connect(m_launchButton, &QPushButton::clicked, this, &LaunchForm::launch);
    m_cancelButton->hide();
    connect(m_closeButton, &QPushButton::clicked, this, &LaunchForm::reject);

    return rowOf({m_profileButton, m_commandLineButton, Stretch{1}, m_cancelButton, m_preflightButton,
                  m_launchButton, m_closeButton});
}

void LaunchForm::pasteCommandLine()
{
    m_commandLines->paste();
}

void LaunchForm::connectMenus()
{
    connect(m_commandLines, &CommandLineMenu::imported, this, [this](const ImportedLaunch &launch) {
        setSpec(launch.spec);
        m_message->setHelp(launch.notes.join('\n'_L1));
    });
    connect(m_profiles, &ProfileMenu::opened, this, [this](const QString &name, const LaunchSpec &spec) {
        setSpec(spec);
        m_message->setHelp(tr("Loaded the profile %1.").arg(name));
    });
    connect(m_commandLines, &CommandLineMenu::said, m_message, &NoteLabel::setHelp);
    connect(m_profiles, &ProfileMenu::said, m_message, &NoteLabel::setHelp);
    connect(m_commandLines, &CommandLineMenu::failed, this, &LaunchForm::showError);
    connect(m_profiles, &ProfileMenu::failed, this, &LaunchForm::showError);
    m_profiles->refresh();
}

void LaunchForm::orderFocus()
{
    const QList<QWidget *> order = m_heading->focusOrder() + m_fields->focusOrder() + m_plan->focusOrder() +
                                   QList<QWidget *>{m_devices->button()} +
                                   QList<QWidget *>{m_profileButton,   m_commandLineButton, m_cancelButton,
                                                    m_preflightButton, m_launchButton,      m_closeButton};
    chainTabOrder(order);
}

void LaunchForm::setRankTable(const QString &path)
{
    if (!m_job)
        m_fields->setRankTable(path);
}

void LaunchForm::launch()
{
    if (m_job)
        return;
    m_isAsked = !m_result;
    if (canLaunch()) {
        startJob();
        return;
    }
    m_fields->showAllProblems();
    showProblems();
    m_fields->focusProblem();
}

void LaunchForm::checkFirst()
{
    if (m_job)
        return;
    if (!canCheck()) {
        m_fields->showAllProblems();
        m_fields->focusProblem();
        return;
    }
    const LaunchSpec wanted = wantedSpec();
    hide();
    Q_EMIT preflightRequested(wanted);
}

void LaunchForm::reject()
{
    if (m_job)
        m_job->cancel();
    QDialog::reject();
}

void LaunchForm::showEvent(QShowEvent *event)
{
    requestPreview();
    m_devices->setWatching(true);
    QDialog::showEvent(event);
}

void LaunchForm::hideEvent(QHideEvent *event)
{
    m_devices->setWatching(false);
    QDialog::hideEvent(event);
}

void LaunchForm::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        requestPreview();
    QDialog::changeEvent(event);
}

void LaunchForm::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) {
        QDialog::keyPressEvent(event);
        return;
    }
    if (auto *button = qobject_cast<QAbstractButton *>(focusWidget()))
        button->click();
}

void LaunchForm::launcherChanged(const QString &launcher)
{
    m_heading->setLauncher(launcher);
    m_result.reset();
    m_plan->setEmpty({});
    orderFocus();
}

void LaunchForm::fieldsChanged()
{
    m_lastError.reset();
    m_message->setHelp({});
    offerLaunch({});
    showProblems();
    requestPreview();
}

void LaunchForm::offerLaunch(const std::optional<LaunchPlan> &plan)
{
    // A field that cannot be read would be missing: that would be another launch.
    const bool isWhole = !m_fields->hasOwnProblem();
    const LaunchSpec offered = isWhole ? wantedSpec() : defaultsOf(spec().launcher);
    m_commandLines->setLaunch(offered, isWhole ? plan : std::nullopt);
    m_profiles->setSpec(offered);
}

void LaunchForm::requestPreview()
{
    if (!m_job)
        m_preview->request(wantedSpec());
}

void LaunchForm::showPreview(const PreviewResult &result)
{
    offerLaunch(result.plan);
    const bool mayMend = !result.errors.isEmpty() || !result.tableStatus.isEmpty();
    mayMend &&isVisible() && !m_job ? m_lookAgain.start() : m_lookAgain.stop();
    if (m_result == result)
        return;
    m_result = result;
    m_fields->showContext(result);
    if (result.plan || !result.tableStatus.isEmpty())
        m_plan->showPreview(result, {});
    m_devices->setLaunch(result.spec, result.plan);
    showProblems();
    if (m_isAsked)
        launch();
}

void LaunchForm::showProblems()
{
    QMap<QString, QString> problems;
    QStringList others;
    const PreviewResult context = m_result.value_or(PreviewResult());
    QList<Error> errors = context.errors;
    if (m_lastError)
        errors += *m_lastError;
    for (const Error &error : errors) {
        const QString option = optionOf(error, context);
        if (m_fields->hasField(option))
            problems.insert(option, sentenceAt(option, error, context));
        else
            others += m_fields->inWindowWords(sentenceAt({}, error, context));
    }
    m_fields->setProblems(problems);
    m_message->setProblem(m_fields->isEdited() || m_lastError ? others.join('\n'_L1) : QString());
    if (m_result && !m_result->plan && m_result->tableStatus.isEmpty())
        m_plan->showPreview(*m_result, m_fields->steps() + others);
    m_launchButton->setEnabled(!m_job);
    m_preflightButton->setEnabled(canCheck());
}

void LaunchForm::showRecent()
{
    QStringList commands;
    for (const RecentLaunch &launch : m_recent->launches())
        commands += joinCommandLine(launch.spec.command);
    commands.removeDuplicates();
    m_heading->setRecent(m_recent->launches());
    m_fields->commandField()->setHistory(commands);
}

void LaunchForm::startJob()
{
    const LaunchSpec wanted = wantedSpec();
    m_isAsked = false;
    m_job = new LaunchJob(wanted, this);
    connect(m_job, &LaunchJob::progress, m_message, &NoteLabel::setHelp);
    connect(m_job, &LaunchJob::failed, this, [this](const Error &error) { m_lastError = error; });
    connect(m_job, &LaunchJob::tableHasErrors, this,
            [this](const TableCheck &check) { (new LaunchQuestion(check, m_job, this))->open(); });
    connect(m_job, &LaunchJob::held, this,
            [this](const QList<Holder> &holders) { (new HoldersQuestion(holders, m_job, this))->open(); });
    connect(m_job, &LaunchJob::launched, this, [this, typed = spec()](const QString &runDirectory) {
        m_recent->add(typed);
        Q_EMIT launched(runDirectory);
        accept();
    });
    connect(m_job, &LaunchJob::finished, this, &LaunchForm::endJob);
    connect(m_cancelButton, &QPushButton::clicked, m_job, &LaunchJob::cancel);
    m_lookAgain.stop();
    m_lastError.reset();
    showProblems();
    setEditable(false);
    m_cancelButton->show();
    m_cancelButton->setFocus();
    m_job->start();
}

void LaunchForm::endJob()
{
    m_job->deleteLater();
    m_job = nullptr;
    setEditable(true);
    m_cancelButton->hide();
    m_message->setHelp({});
    showProblems();
    if (m_lastError)
        m_fields->focusProblem();
    else
        m_launchButton->setFocus();
    requestPreview();
}

void LaunchForm::setEditable(bool editable)
{
    m_scrollArea->setEnabled(editable);
    m_fields->commandField()->setEnabled(editable);
    m_heading->setEnabled(editable);
    m_profileButton->setEnabled(editable);
    m_commandLineButton->setEnabled(editable);
}

} // namespace rankdeck
