#include "launchform/launchform.h"

#include "launch/commandline.h"
#include "launchform/launchfields.h"
#include "launchform/launchjob.h"
#include "launchform/launchquestion.h"
#include "launchform/planpanel.h"
#include "launchform/planpreview.h"
#include "launchform/recentlaunches.h"
#include "state/notelabel.h"
#include "state/tone.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

QString recentText(const RecentLaunch &launch)
{
    constexpr qsizetype maxCommand = 70;
    QString command = joinCommandLine(launch.spec.command);
    if (command.size() > maxCommand)
        command = command.left(maxCommand - 1) + QChar(0x2026);
    const QString name = launch.spec.name.isEmpty() ? QString() : launch.spec.name + QStringLiteral(": ");
    return LaunchForm::tr("%1%2 (%3)")
        .arg(name, command, QLocale().toString(launch.launched.toLocalTime(), QStringLiteral("d MMM hh:mm")));
}

} // namespace

LaunchForm::LaunchForm(QWidget *parent)
    : QDialog(parent)
    , m_fields(new LaunchFields)
    , m_scrollArea(new QScrollArea)
    , m_plan(new PlanPanel)
    , m_recentCombo(new QComboBox)
    , m_message(new NoteLabel(QStringLiteral("messageLabel")))
    , m_launchButton(new QPushButton(tr("&Launch")))
    , m_cancelButton(new QPushButton(tr("S&top waiting")))
    , m_closeButton(new QPushButton(tr("Cl&ose")))
    , m_preview(new PlanPreview(this))
    , m_recent(new RecentLaunches(RecentLaunches::defaultFile(), this))
{
    setWindowTitle(tr("New launch"));
    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(10);
    layout->addWidget(makeHeading());
    layout->addWidget(m_fields->commandField());
    layout->addWidget(makeBody(), 1);
    layout->addLayout(makeButtons());
    m_message->hide();
    orderFocus();
    m_plan->setEmpty({});
    resize(1000, 700);

    connect(m_fields, &LaunchFields::changed, this, &LaunchForm::fieldsChanged);
    connect(m_fields, &LaunchFields::showTableWanted, this, [this] {
        if (m_result)
            Q_EMIT showTableWanted(m_result->tablePath);
    });
    connect(m_preview, &PlanPreview::ready, this, &LaunchForm::showPreview);
    connect(m_recent, &RecentLaunches::changed, this, &LaunchForm::showRecent);
    connect(m_recent, &RecentLaunches::failed, this,
            [this](const Error &error) { m_message->setHelp(error.sentence()); });
    for (const int key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(key)), this), &QShortcut::activated, this,
                &LaunchForm::launch);
    m_lookAgain.setInterval(std::chrono::seconds(2));
    connect(&m_lookAgain, &QTimer::timeout, this, &LaunchForm::requestPreview);
    m_recent->load();
    requestPreview();
    showProblems();
}

LaunchForm::~LaunchForm() = default;

QWidget *LaunchForm::makeHeading()
{
    // One launcher so far; with the next one this becomes a choice.
    auto *launcher = new QLabel(QStringLiteral("davincirun"));
    launcher->setObjectName(QStringLiteral("launcherLabel"));
    QFont large = launcher->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    launcher->setFont(large);
    auto *about = new QLabel(tr("one process for each device of this node"));
    about->setTextFormat(Qt::PlainText);

    m_recentCombo->setObjectName(QStringLiteral("recentCombo"));
    m_recentCombo->setAccessibleName(tr("Recent launches"));
    m_recentCombo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_recentCombo->setMinimumContentsLength(26);
    connect(m_recentCombo, &QComboBox::activated, this, &LaunchForm::fillFromRecent);
    auto *recent = new QLabel(tr("Recent la&unches"));
    recent->setBuddy(m_recentCombo);

    auto *heading = new QWidget;
    auto *layout = new QHBoxLayout(heading);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(launcher);
    layout->addWidget(about, 1);
    layout->addWidget(recent);
    layout->addWidget(m_recentCombo);
    return heading;
}

QWidget *LaunchForm::makeBody()
{
    m_scrollArea->setWidget(m_fields);
    m_scrollArea->setWidgetResizable(true);
    m_scrollArea->setFrameShape(QFrame::NoFrame);
    m_scrollArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scrollArea->setFocusPolicy(Qt::NoFocus);
    auto *splitter = new QSplitter;
    splitter->addWidget(m_scrollArea);
    splitter->addWidget(m_plan);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({470, 510});
    return splitter;
}

QLayout *LaunchForm::makeButtons()
{
    m_launchButton->setObjectName(QStringLiteral("launchButton"));
    m_launchButton->setDefault(true);
    connect(m_launchButton, &QPushButton::clicked, this, &LaunchForm::launch);
    m_cancelButton->setObjectName(QStringLiteral("cancelButton"));
    m_cancelButton->setAutoDefault(false);
    m_cancelButton->hide();
    m_closeButton->setObjectName(QStringLiteral("closeButton"));
    m_closeButton->setAutoDefault(false);
    connect(m_closeButton, &QPushButton::clicked, this, &LaunchForm::reject);

    auto *layout = new QHBoxLayout;
    layout->addWidget(m_message, 1);
    layout->addStretch(0);
    layout->addWidget(m_cancelButton);
    layout->addWidget(m_launchButton);
    layout->addWidget(m_closeButton);
    return layout;
}

void LaunchForm::orderFocus()
{
    const QList<QWidget *> order =
        m_fields->focusOrder() + m_plan->focusOrder() +
        QList<QWidget *>{m_cancelButton, m_launchButton, m_closeButton, m_recentCombo};
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order.at(i - 1), order.at(i));
}

void LaunchForm::setSpec(const LaunchSpec &spec)
{
    m_fields->setSpec(spec);
}

LaunchSpec LaunchForm::spec() const
{
    return m_fields->spec();
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
    if (canLaunch())
        startJob();
    else
        m_fields->focusProblem();
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
    QDialog::showEvent(event);
}

void LaunchForm::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::ActivationChange && isActiveWindow())
        requestPreview();
    QDialog::changeEvent(event);
}

void LaunchForm::fieldsChanged()
{
    m_launchError.reset();
    m_message->setHelp({});
    showProblems();
    requestPreview();
}

void LaunchForm::requestPreview()
{
    if (!m_job)
        m_preview->request(spec());
}

void LaunchForm::showPreview(const PreviewResult &result)
{
    const bool mayMend = !result.errors.isEmpty() || !result.tableStatus.isEmpty();
    if (mayMend && isVisible() && !m_job)
        m_lookAgain.start();
    else
        m_lookAgain.stop();
    if (m_result == result)
        return;
    m_result = result;
    m_fields->showContext(result);
    showPlan();
    showProblems();
}

void LaunchForm::showPlan()
{
    if (m_result->plan)
        m_plan->setPlan(*m_result->plan);
    else if (!m_result->tableStatus.isEmpty())
        m_plan->setEmpty(tr("The plan is made once the rank table is completed."));
    else
        m_plan->setEmpty(tr("No plan yet: the fields say what is missing."));
}

void LaunchForm::showProblems()
{
    QMap<LaunchField, QString> problems;
    const PreviewResult context = m_result.value_or(PreviewResult());
    QList<Error> errors = context.errors;
    if (m_launchError)
        errors += *m_launchError;
    for (const Error &error : errors) {
        const LaunchField field = fieldOf(error, context);
        problems.insert(field, sentenceAt(field, error, context));
    }
    m_fields->setProblems(problems);
    m_message->setProblem(problems.value(LaunchField::None));
    m_launchButton->setEnabled(canLaunch());
}

bool LaunchForm::canLaunch() const
{
    return !m_job && m_result && m_result->errors.isEmpty() && !m_fields->hasOwnProblem();
}

void LaunchForm::showRecent()
{
    m_recentCombo->clear();
    QStringList commands;
    for (const RecentLaunch &launch : m_recent->launches()) {
        m_recentCombo->addItem(recentText(launch));
        commands += joinCommandLine(launch.spec.command);
    }
    m_recentCombo->setCurrentIndex(-1);
    m_recentCombo->setEnabled(!commands.isEmpty());
    m_recentCombo->setPlaceholderText(commands.isEmpty() ? tr("None yet")
                                                         : tr("Choose one to fill the form"));
    commands.removeDuplicates();
    m_fields->setCommandHistory(commands);
}

void LaunchForm::fillFromRecent(int index)
{
    const QList<RecentLaunch> &launches = m_recent->launches();
    if (index >= 0 && index < launches.size())
        setSpec(launches.at(index).spec);
    // It is a list to take from: the fields may be edited after that, and it would go on naming what they
    // were.
    m_recentCombo->setCurrentIndex(-1);
}

void LaunchForm::startJob()
{
    const LaunchSpec wanted = spec();
    m_job = new LaunchJob(wanted, this);
    connect(m_job, &LaunchJob::progress, m_message, &NoteLabel::setHelp);
    connect(m_job, &LaunchJob::failed, this, &LaunchForm::launchFailed);
    connect(m_job, &LaunchJob::tableHasErrors, this, &LaunchForm::askAboutErrors);
    connect(m_job, &LaunchJob::launched, this, [this, wanted](const QString &runDirectory) {
        m_recent->add(wanted);
        Q_EMIT launched(runDirectory);
        accept();
    });
    connect(m_job, &LaunchJob::finished, this, &LaunchForm::endJob);
    connect(m_cancelButton, &QPushButton::clicked, m_job, &LaunchJob::cancel);
    m_lookAgain.stop();
    m_launchError.reset();
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
    if (m_launchError)
        m_fields->focusProblem();
    else
        m_launchButton->setFocus();
    requestPreview();
}

void LaunchForm::askAboutErrors(const TableCheck &check)
{
    auto *question = new LaunchQuestion(check, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &LaunchQuestion::launchAnyway, m_job, &LaunchJob::proceed);
    connect(question, &LaunchQuestion::cancelled, m_job, &LaunchJob::cancel);
    connect(m_job, &LaunchJob::finished, question, &QWidget::close);
    question->open();
}

void LaunchForm::setEditable(bool editable)
{
    m_scrollArea->setEnabled(editable);
    m_fields->commandField()->setEnabled(editable);
    m_recentCombo->setEnabled(editable && m_recentCombo->count() > 0);
}

void LaunchForm::launchFailed(const Error &error)
{
    m_launchError = error;
}

} // namespace rankdeck
