#include "ranktable/tabledialog.h"

#include "ranktable/diffview.h"
#include "ranktable/ranktablewriter.h"
#include "state/notelabel.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

QString upperFirst(QString text)
{
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    return text;
}

} // namespace

TableDialog::TableDialog(const QString &path, QWidget *parent)
    : QDialog(parent)
    , m_path(path)
    , m_inputs(new QVBoxLayout)
    , m_title(new QLabel)
    , m_diff(new DiffView)
    , m_note(new NoteLabel(QStringLiteral("tableDialogNote")))
    , m_making(this, [this](const Result<Proposal> &made) { take(made); })
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_title->setObjectName(QStringLiteral("previewTitle"));
    m_title->setTextFormat(Qt::PlainText);
    m_title->setBuddy(m_diff);
    m_diff->setObjectName(QStringLiteral("tableDiff"));
    m_note->hide();

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_save = buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole);
    m_save->setObjectName(QStringLiteral("saveTableButton"));
    m_save->setEnabled(false);
    connect(m_save, &QPushButton::clicked, this, &TableDialog::askWhere);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QAbstractButton *button : buttons->buttons())
        static_cast<QPushButton *>(button)->setAutoDefault(button == m_save);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    layout->addLayout(m_inputs);
    layout->addWidget(m_title);
    layout->addWidget(m_diff, 1);
    layout->addWidget(m_note);
    layout->addWidget(buttons);
    resize(760, 620);

    m_debounce.setSingleShot(true);
    m_debounce.setInterval(std::chrono::milliseconds(150));
    connect(&m_debounce, &QTimer::timeout, this, &TableDialog::make);
}

TableDialog::~TableDialog() = default;

QString TableDialog::fileName() const
{
    return QFileInfo(m_path).fileName();
}

void TableDialog::setFocusOrder(const QList<QWidget *> &inputs)
{
    const QList<QWidget *> order = inputs + QList<QWidget *>{m_diff, m_save};
    for (qsizetype at = 1; at < order.size(); ++at)
        setTabOrder(order.at(at - 1), order.at(at));
    order.constFirst()->setFocus();
}

void TableDialog::showEvent(QShowEvent *event)
{
    QDialog::showEvent(event);
    edited();
}

void TableDialog::edited()
{
    m_title->setText(tr("Preview, being made…"));
    m_save->setEnabled(false);
    m_debounce.start();
}

void TableDialog::make()
{
    m_making.ask(maker());
}

void TableDialog::take(const Result<Proposal> &made)
{
    if (m_debounce.isActive())
        return;
    m_proposal = made ? *made : Proposal();
    m_save->setEnabled(bool(made));
    m_note->setProblem(made ? QString() : upperFirst(made.error().sentence()));
    m_note->setHelp(m_proposal.remark);
    m_diff->setDiff(QString::fromUtf8(m_proposal.diff));
    m_title->setText(!made                       ? tr("No preview")
                     : m_proposal.diff.isEmpty() ? tr("Preview: the table stays as it is")
                                                 : tr("&Preview: what changes"));
}

void TableDialog::askWhere()
{
    auto *dialog = new QFileDialog(this, tr("Save the rank table"));
    dialog->setObjectName(QStringLiteral("saveTableDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Rank tables (*.json)"), tr("All files (*)")});
    dialog->setDefaultSuffix(QStringLiteral("json"));
    if (!m_path.isEmpty())
        dialog->setDirectory(QFileInfo(m_path).path());
    dialog->selectFile(m_proposal.fileName);
    connect(dialog, &QFileDialog::fileSelected, this, &TableDialog::save);
    dialog->open();
}

void TableDialog::save(const QString &target)
{
    m_save->setEnabled(false);
    inBackground(
        this, [text = m_proposal.text, target] { return writeRankTable(text, target); },
        [this](const Result<QString> &written) {
            m_save->setEnabled(true);
            if (!written) {
                // Its mend speaks of the command line.
                m_note->setProblem(
                    Error{written.error().what, written.error().where, tr("Choose another place.")}
                        .sentence());
                return;
            }
            Q_EMIT saved(*written);
            accept();
        });
}

} // namespace rankdeck
