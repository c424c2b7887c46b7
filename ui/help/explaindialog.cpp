#include "help/explaindialog.h"

#include "diagnosis/catalogue/errorcatalogue.h"
#include "widgets/widgetparts.h"

#include <QBuffer>

namespace rankdeck
{

static QString textOf(const ErrorEntry &entry)
{
    const QLocale locale;
    QStringList lines{entry.title.in(locale), QString(), entry.meaning.in(locale), QString(),
                      entry.mend.in(locale)};
    for (const QString &command : entry.commands)
        lines << QStringLiteral("    ") + command;
    if (!entry.source.isEmpty())
        lines << QString() << tr("Source: %1").arg(entry.source);
    return lines.join(QLatin1Char('\n'));
}

static QString explain(const QString &asked)
{
    const ErrorCatalogue catalogue = ErrorCatalogue::load();
    QStringList texts;
    if (const ErrorEntry *entry = catalogue.find(asked))
        texts << textOf(*entry);
    QByteArray line = asked.toUtf8();
    QBuffer buffer(&line);
    buffer.open(QIODevice::ReadOnly);
    if (texts.isEmpty() && !asked.isEmpty())
        (void)scanForErrors(buffer, catalogue, [&](const KnownLine &known) { texts << textOf(known.entry); });
    if (const auto &error = catalogue.userFileError())
        texts << error->sentence();
    if (texts.isEmpty() && !asked.isEmpty())
        return tr("Unknown. Paste the code alone, e.g. EI0006 or 507035, or a whole line of a log.");
    return texts.join(QStringLiteral("\n\n"));
}

ExplainDialog::ExplainDialog(QWidget *parent)
    : QDialog(parent)
    , m_asked(filterEdit(this, "explainCode", tr("Error code or line of a log, e.g. EI0006")))
    , m_answer(readOnlyText("explainAnswer", tr("Explanation")))
    , m_search(this, [this](const QString &text) { m_answer->setPlainText(text); })
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Explain an error code"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_asked, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_search.ask([asked = text.trimmed()](const auto &) { return explain(asked); });
    });
    auto *layout = new QVBoxLayout(this);
    addWidgets(layout, {m_asked, m_answer, buttons});
    resizeInText(this, 80, 20);
}

} // namespace rankdeck
