#include "launchform/options/tablecheckline.h"

#include "ranktable/findings/severityicon.h"
#include "widgets/widgetparts.h"

#include <QStyle>

namespace rankdeck
{

static QString words(const TableCheck &check)
{
    // The field already shows why an unusable table cannot be launched.
    if (check.firstErrors.isEmpty() || !check.isUsable)
        return check.counts();
    return TableCheckLine::tr("%1 · first error: %2").arg(check.counts(), check.firstErrors.constFirst());
}

TableCheckLine::TableCheckLine()
    : m_sign(new QLabel)
    , m_text(plainLabel("tableCheckText"))
    , m_show(plainButton(tr("Show"), "showTableButton"))
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.9);
    m_text->setFont(small);
    m_show->setFont(small);
    m_show->setAccessibleName(tr("Show the rank table and its findings"));
    connect(m_show, &QPushButton::clicked, this, &TableCheckLine::showRequested);

    auto *layout = withoutMargins(new QHBoxLayout(this));
    layout->setSpacing(4);
    layout->addWidget(m_sign, 0, Qt::AlignTop);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_show, 0, Qt::AlignTop);
    hide();
    onPaletteChange(this, [this] { refresh(); });
}

void TableCheckLine::setCheck(const std::optional<TableCheck> &check)
{
    if (check == m_check)
        return;
    m_check = check;
    refresh();
}

void TableCheckLine::refresh()
{
    setVisible(m_check.has_value());
    if (!m_check)
        return;
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize) * 3 / 4;
    const qreal ratio = devicePixelRatioF();
    const bool isClean = m_check->errors + m_check->warnings + m_check->notes == 0;
    const Severity worst = m_check->errors > 0     ? Severity::Error
                           : m_check->warnings > 0 ? Severity::Warning
                                                   : Severity::Note;
    const QIcon icon =
        isClean ? noFindingIcon(palette(), side, ratio) : severityIcon(worst, palette(), side, ratio);
    m_sign->setPixmap(icon.pixmap(QSize(side, side), ratio));
    m_text->setText(words(*m_check));
    setTextColor(m_text, toneColor(isClean ? Tone::Good : toneOf(worst), palette()));
}

} // namespace rankdeck
