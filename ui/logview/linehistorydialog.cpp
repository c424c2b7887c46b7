#include "logview/linehistorydialog.h"

#include "log/ansidecoder.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QVBoxLayout>

namespace rankdeck
{

LineHistoryDialog::LineHistoryDialog(const QByteArray &bytes, bool isWhole, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("History of the line"));
    QStringList pieces;
    for (const QByteArray &piece : bytes.split('\r')) {
        const QString text = AnsiDecoder::plainText(piece);
        if (!text.trimmed().isEmpty())
            pieces.append(text);
    }
    auto *const label =
        new QLabel(isWhole ? tr("What the line showed, one after the other: %L1").arg(pieces.size())
                           : tr("What the line showed last, one after the other: %L1").arg(pieces.size()));
    label->setTextFormat(Qt::PlainText);
    auto *const text = new QPlainTextEdit(pieces.join(QLatin1Char('\n')));
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text->setAccessibleName(windowTitle());
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *const column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(700, 400);
}

} // namespace rankdeck
