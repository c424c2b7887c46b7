#include "failure/failuredialog.h"

#include "background/inbackground.h"
#include "diagnosis/failurereport.h"
#include "failure/explanationbox.h"
#include "failure/failuretext.h"
#include "failure/savetext.h"
#include "run/rundirectory.h"
#include "state/tone.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

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

QPlainTextEdit *plainText(const QStringList &lines, const char *name, QWidget *parent)
{
    auto *text = new QPlainTextEdit(parent);
    text->setObjectName(QLatin1String(name));
    text->setReadOnly(true);
    text->setCursorWidth(0);
    text->setTabChangesFocus(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setPlainText(lines.join(QLatin1Char('\n')));
    return text;
}

} // namespace

FailureDialog::FailureDialog(const RunState &state, QWidget *parent)
    : QDialog(parent)
    , m_suggestedName(QStringLiteral("%1-failure.txt").arg(state.name.isEmpty() ? tr("run") : state.name))
    , m_explanation(new ExplanationBox(this))
    , m_ending(plainLabel({}, "failureEnding", this))
    , m_message(plainLabel({}, "failureMessage", this))
    , m_hasLog(!state.failure->logFile.isEmpty())
{
    const Failure &failure = *state.failure;
    setObjectName(QStringLiteral("failureDialog"));
    setWindowTitle(tr("%1 - %2", "headline - run").arg(failureHeadline(failure), state.name));

    auto *headline = plainLabel(failureHeadline(failure), "failureHeadline", this);
    QFont large = headline->font();
    large.setPointSizeF(large.pointSizeF() * 1.3);
    large.setBold(true);
    headline->setFont(large);
    auto *place = plainLabel(failurePlace(failure), "failurePlace", this);
    place->setVisible(!place->text().isEmpty());
    auto *cause = plainLabel(failureCause(failure), "failureCause", this);
    QFont bold = cause->font();
    bold.setBold(true);
    cause->setFont(bold);
    QPalette red = cause->palette();
    red.setColor(QPalette::WindowText, toneColor(Tone::Bad, palette()));
    cause->setPalette(red);

    auto *traceback = plainText(failure.traceback, "failureTraceback", this);
    traceback->setAccessibleName(tr("Its traceback"));
    auto *tracebackLabel = new QLabel(tr("Its &traceback:"), this);
    tracebackLabel->setBuddy(traceback);
    traceback->setVisible(!failure.traceback.isEmpty());
    tracebackLabel->setVisible(!failure.traceback.isEmpty());

    auto *tail = plainText(failure.logTail, "failureTail", this);
    tail->setAccessibleName(tr("Its last lines"));
    tail->setPlaceholderText(tr("It printed nothing."));
    auto *tailLabel = new QLabel(tr("Its &last lines:"), this);
    tailLabel->setBuddy(tail);
    tail->setVisible(m_hasLog);
    tailLabel->setVisible(m_hasLog);
    auto *logFile = plainLabel(m_hasLog ? tr("Log: %1").arg(failure.logFile)
                                        : tr("Journal: %1").arg(journalPath(state.directory)),
                               "failureLogFile", this);

    auto *advice = plainLabel(failureAdvice(failure), "failureAdvice", this);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setFocus();
    if (const int process = failedProcess(state); process >= 0) {
        auto *open = buttons->addButton(tr("&Open log"), QDialogButtonBox::ActionRole);
        open->setObjectName(QStringLiteral("openLogButton"));
        open->setFocus();
        connect(open, &QPushButton::clicked, this, [this, process] { Q_EMIT openLog(process); });
    }
    auto *copyButton = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
    copyButton->setObjectName(QStringLiteral("copyReportButton"));
    connect(copyButton, &QPushButton::clicked, this, &FailureDialog::copy);
    auto *saveButton = buttons->addButton(tr("&Save report…"), QDialogButtonBox::ActionRole);
    saveButton->setObjectName(QStringLiteral("saveReportButton"));
    connect(saveButton, &QPushButton::clicked, this, &FailureDialog::chooseFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(headline);
    layout->addWidget(place);
    layout->addWidget(cause);
    layout->addWidget(m_ending);
    layout->addWidget(m_explanation);
    layout->addSpacing(8);
    layout->addWidget(tracebackLabel);
    layout->addWidget(traceback, 1);
    layout->addWidget(tailLabel);
    layout->addWidget(tail, 1);
    layout->addWidget(logFile);
    layout->addSpacing(8);
    layout->addWidget(advice);
    layout->addWidget(m_message);
    layout->addWidget(buttons);
    m_message->hide();
    setState(state);
    fit();
    // The user's own catalogue is a file.
    inBackground(
        this, [failure] { return explainFailure(failure); },
        [this](const FailureExplanation &explanation) { explain(explanation); });
}

/// The error that ended the process is what stands last.
void FailureDialog::showEnds()
{
    for (auto *text : findChildren<QPlainTextEdit *>()) {
        text->moveCursor(QTextCursor::End);
        text->ensureCursorVisible();
        text->horizontalScrollBar()->setValue(0);
    }
}

void FailureDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    showEnds();
}

void FailureDialog::setState(const RunState &state)
{
    m_state = state;
    m_report = failureReport(state, m_known);
    m_ending->setText(m_hasLog ? QString() : runEnding(state));
    m_ending->setVisible(!m_hasLog);
}

void FailureDialog::explain(const FailureExplanation &explanation)
{
    m_known = explanation;
    m_report = failureReport(m_state, m_known);
    const bool wasFitted = size() == m_fitted;
    m_explanation->setExplanation(explanation);
    if (wasFitted)
        fit();
    layout()->activate();
    showEnds();
}

/// Without a log there is nothing that could use room to spare; with one the explanation leaves it its own.
void FailureDialog::fit()
{
    constexpr int width = 760;
    constexpr int heightWithLog = 520;
    layout()->activate();
    const int explained = m_explanation->isHidden() ? 0 : m_explanation->heightForWidth(width);
    const int wanted = m_hasLog ? heightWithLog + explained : layout()->totalHeightForWidth(width);
    m_fitted = {width, std::min(wanted, screen()->availableSize().height() * 9 / 10)};
    resize(m_fitted);
}

void FailureDialog::copy()
{
    QGuiApplication::clipboard()->setText(m_report);
    m_message->setText(tr("The report is on the clipboard."));
    m_message->show();
}

void FailureDialog::chooseFile()
{
    auto *chooser = new QFileDialog(this, tr("Save the report"), QDir::home().filePath(m_suggestedName),
                                    tr("Text files (*.txt);;All files (*)"));
    chooser->setAttribute(Qt::WA_DeleteOnClose);
    chooser->setAcceptMode(QFileDialog::AcceptSave);
    chooser->setDefaultSuffix(QStringLiteral("txt"));
    connect(chooser, &QFileDialog::fileSelected, this, &FailureDialog::save);
    chooser->open();
}

void FailureDialog::save(const QString &path)
{
    inBackground(
        this, [text = m_report, path] { return saveText(text, path); },
        [this, path](const std::optional<Error> &error) {
            m_message->setText(error ? error->sentence() : tr("The report was saved as %1.").arg(path));
            m_message->show();
        });
}

} // namespace rankdeck
