#include "logview/placedialog.h"

#include "log/logfilter.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// When a time without a day is: on that of the log, but what is said to be long ago counts from now.
QDateTime presentFor(const QString &text, const std::optional<LogTime> &timeHere)
{
    const QDateTime now = QDateTime::currentDateTime();
    if (!timeHere || text.back().isLetter())
        return now;
    return {QDateTime::fromMSecsSinceEpoch(timeHere->value / 1000, Qt::UTC).date(), QTime(12, 0)};
}

} // namespace

PlaceDialog::PlaceDialog(qint64 here, qint64 lines, const std::optional<LogTime> &timeHere, QWidget *parent)
    : QDialog(parent)
    , m_lines(lines)
    , m_timeHere(timeHere)
{
    setObjectName(QStringLiteral("placeDialog"));
    setWindowTitle(tr("Go to line or time"));
    auto *const label =
        new QLabel(tr("&Line, 1 to %L1, or time, such as 14:22:26, or 10m for ten minutes ago:")
                       .arg(std::max<qint64>(1, lines)));
    label->setTextFormat(Qt::PlainText);
    m_place = new QLineEdit(QString::number(here + 1));
    m_place->selectAll();
    label->setBuddy(m_place);
    m_trouble = new QLabel;
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->setWordWrap(true);
    auto *const buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);

    auto *const column = new QVBoxLayout(this);
    column->addWidget(label);
    column->addWidget(m_place);
    column->addWidget(m_trouble);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &PlaceDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PlaceDialog::reject);
    connect(m_place, &QLineEdit::textChanged, m_trouble, &QLabel::clear);
}

void PlaceDialog::accept()
{
    const QString text = m_place->text().trimmed();
    if (text.isEmpty())
        return;
    bool isNumber = false;
    const qint64 line = text.toLongLong(&isNumber);
    if (isNumber && line >= 1 && line <= m_lines) {
        Q_EMIT lineChosen(line - 1);
        QDialog::accept();
    } else if (isNumber) {
        m_trouble->setText(tr("There is no line %1.").arg(text));
    } else if (const Result<LogTime> time = timeGiven(text, presentFor(text, m_timeHere))) {
        Q_EMIT timeChosen(*time);
        QDialog::accept();
    } else {
        m_trouble->setText(time.error().sentence());
    }
}

} // namespace rankdeck
