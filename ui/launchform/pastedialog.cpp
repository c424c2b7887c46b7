#include "launchform/pastedialog.h"

#include "state/notelabel.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

QString told(const Error &error)
{
    Error shown = error;
    if (!shown.what.isEmpty())
        shown.what[0] = shown.what.at(0).toUpper();
    return shown.sentence();
}

} // namespace

PasteDialog::PasteDialog(QWidget *parent)
    : QDialog(parent)
    , m_line(new QPlainTextEdit)
    , m_note(new NoteLabel(QStringLiteral("pasteNote")))
    , m_notes(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("pasteDialog"));
    setWindowTitle(tr("Paste a command line"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *about = new QLabel(tr("A command &line of msrun, torchrun, davincirun or rankdeckctl:"));
    about->setBuddy(m_line);
    m_line->setObjectName(QStringLiteral("pasteEdit"));
    m_line->setAccessibleName(tr("Command line"));
    m_line->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_line->setPlaceholderText(
        QStringLiteral("GLOG_v=2 msrun --worker_num=8 \\\n    --master_port=8118 train.py"));
    m_line->setTabChangesFocus(true);
    m_notes->setObjectName(QStringLiteral("pasteNotes"));
    m_notes->setAccessibleName(tr("What is not taken over as it is"));
    m_notes->setReadOnly(true);
    m_notes->setTabChangesFocus(true);
    m_notes->setFixedHeight(m_notes->fontMetrics().lineSpacing() * 5 + 14);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_fill = buttons->addButton(tr("&Fill the form"), QDialogButtonBox::AcceptRole);
    m_fill->setObjectName(QStringLiteral("fillButton"));
    connect(m_line, &QPlainTextEdit::textChanged, this, &PasteDialog::look);
    connect(buttons, &QDialogButtonBox::accepted, this, &PasteDialog::take);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (const int key : {Qt::Key_Return, Qt::Key_Enter})
        connect(new QShortcut(QKeySequence(Qt::CTRL | Qt::Key(key)), this), &QShortcut::activated, this,
                &PasteDialog::take);

    auto *layout = new QVBoxLayout(this);
    layout->addWidget(about);
    layout->addWidget(m_line, 1);
    layout->addWidget(m_note);
    layout->addWidget(m_notes);
    layout->addWidget(buttons);
    m_fill->setDefault(true); // The dialog notes it only once the button is its own.
    resize(640, 340);
    look();
}

void PasteDialog::look()
{
    const QString line = m_line->toPlainText();
    const bool isEmpty = line.trimmed().isEmpty();
    const Result<ImportedLaunch> launch = importCommandLine(line);
    m_launch = launch && !isEmpty ? std::optional(*launch) : std::nullopt;
    m_fill->setEnabled(m_launch.has_value());
    m_note->setProblem(isEmpty || launch ? QString() : told(launch.error()));
    const QStringList notes = m_launch ? m_launch->notes : QStringList();
    m_notes->setPlainText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    m_note->setHelp(!m_launch ? QString()
                    : notes.isEmpty()
                        ? tr("A launch with %1, taken over whole.").arg(m_launch->spec.launcher)
                        : tr("A launch with %1. Left out or changed:").arg(m_launch->spec.launcher));
}

void PasteDialog::take()
{
    if (!m_launch)
        return;
    Q_EMIT imported(*m_launch);
    accept();
}

} // namespace rankdeck
