#include "ranktable/dialogs/tabledialog.h"

#include "ranktable/table/ranktablewriter.h"
#include "ranktable/table/unifieddiff.h"
#include "widgets/labels.h"
#include "widgets/tone.h"

namespace rankdeck
{

void DiffHighlighter::setColors(const QPalette &palette)
{
    m_added.setBackground(toneBackground(Tone::Good, palette));
    m_added.setForeground(toneColor(Tone::Good, palette));
    m_removed.setBackground(toneBackground(Tone::Bad, palette));
    m_removed.setForeground(toneColor(Tone::Bad, palette));
    m_place.setForeground(quietColor(palette));
    rehighlight();
}

void DiffHighlighter::highlightBlock(const QString &text)
{
    const bool isFileName = text.startsWith("--- "_L1) || text.startsWith("+++ "_L1);
    if (isFileName || text.startsWith("@@"_L1))
        setFormat(0, int(text.size()), m_place);
    else if (text.startsWith('+'_L1))
        setFormat(0, int(text.size()), m_added);
    else if (text.startsWith('-'_L1))
        setFormat(0, int(text.size()), m_removed);
}

DiffView::DiffView()
    : m_highlighter(new DiffHighlighter(document()))
{
    setReadOnly(true);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    useFixedFont(this);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setAccessibleName(tr("Preview of the changes"));
    adaptToPalette(this, [this] { m_highlighter->setColors(palette()); });
}

void DiffView::setDiff(const QString &diff)
{
    if (diff != toPlainText())
        setPlainText(diff);
}

Proposal makeProposal(const QByteArray &before, const QString &beforeName, const RankTable &after,
                      const QString &fileName, const QString &remark)
{
    const QByteArray text = toJson(after);
    return {text, unifiedDiff(before, text, beforeName, fileName), fileName, remark};
}

TableDialog::TableDialog(const QString &path, QWidget *parent)
    : QDialog(parent)
    , m_path(path)
    , m_inputs(new QVBoxLayout)
    , m_title(lineLabel("previewTitle"))
    , m_diff(named(new DiffView, "tableDiff"))
    , m_note(new NoteLabel(u"tableDialogNote"_s))
    , m_making(this, [this](const Result<Proposal> &made) { showProposal(made); })
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_title->setBuddy(m_diff);
    m_note->hide();

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    m_save = named(buttons->addButton(tr("&Save as…"), QDialogButtonBox::ActionRole), "saveTableButton");
    m_save->setEnabled(false);
    connect(m_save, &QPushButton::clicked, this, &TableDialog::askWhere);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    for (QAbstractButton *button : buttons->buttons())
        static_cast<QPushButton *>(button)->setAutoDefault(button == m_save);

    auto *layout = new QVBoxLayout(this);
    layout->setSpacing(8);
    addParts(layout, {m_inputs, m_title, {m_diff, 1}, m_note, buttons});
    resizeInText(this, 95, 42);

    connect(&m_debounce, &QTimer::timeout, this, [this] { m_making.ask(maker()); });
}

void TableDialog::setFocusOrder(const QList<QWidget *> &inputs)
{
    const QList<QWidget *> order = inputs + QList<QWidget *>{m_diff, m_save};
    chainTabOrder(order);
    order.constFirst()->setFocus();
}

void TableDialog::edited()
{
    m_title->setText(tr("Making the preview…"));
    m_save->setEnabled(false);
    m_debounce.start();
}

void TableDialog::showProposal(const Result<Proposal> &made)
{
    if (m_debounce.isActive())
        return;
    m_proposal = made ? *made : Proposal();
    m_save->setEnabled(bool(made));
    m_note->setProblem(made ? QString() : upperFirst(made.error().sentence()));
    m_note->setHelp(m_proposal.remark);
    m_diff->setDiff(QString::fromUtf8(m_proposal.diff));
    m_title->setText(!made                       ? tr("No preview")
                     : m_proposal.diff.isEmpty() ? tr("Preview: nothing changes")
                                                 : tr("&Preview of the changes"));
}

void TableDialog::askWhere()
{
    auto *dialog = named(saveFileDialog(this, tr("Save the rank table"), {},
                                        {tr("Rank tables (*.json)"), tr("All files (*)")}, u"json"_s),
                         "saveTableDialog");
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
                // The advice of the error is for the command line.
                m_note->setProblem(
                    Error{written.error().what, written.error().where, tr("Select another location.")}
                        .sentence());
                return;
            }
            Q_EMIT saved(*written);
            accept();
        });
}

} // namespace rankdeck
