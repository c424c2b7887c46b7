#include "ranktable/page/ranktableheader.h"

#include "ranktable/findings/checkedtable.h"
#include "ranktable/findings/severityicon.h"
#include "widgets/chipchoice.h"
#include "widgets/labels.h"

#include <QFileInfo>
#include <QLocale>
#include <QStyle>

namespace rankdeck
{

FindingBadge::FindingBadge()
{
    withoutMargins(new QHBoxLayout(this), 4);
    onPaletteChange(this, [this] { refresh(); });
}

void FindingBadge::setFindings(const Findings &findings)
{
    m_counted = findings;
    m_words.clear();
    refresh();
}

void FindingBadge::setWords(const QString &words)
{
    m_counted.clear();
    m_words = words;
    refresh();
}

void FindingBadge::refresh()
{
    while (QLayoutItem *item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    setAccessibleName(text());
    if (!m_words.isEmpty()) {
        add({}, m_words, palette().color(QPalette::WindowText));
        return;
    }
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        if (const int count = countOf(m_counted, severity); count > 0)
            addButton(severity, count);
    }
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
    if (layout()->count() == 0)
        add(noFindingIcon(palette(), side, devicePixelRatioF()), tr("No findings"),
            toneColor(Tone::Good, palette()));
}

void FindingBadge::addButton(Severity severity, int count)
{
    const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
    QToolButton *const button =
        flatButton(this, countWords(severity, count), tr("Show the next of these findings"));
    button->setObjectName(severityName(severity) + u"Badge"_s);
    button->setIcon(severityIcon(severity, palette(), side, devicePixelRatioF()));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QPalette own = button->palette();
    own.setColor(QPalette::ButtonText, toneColor(toneOf(severity), palette()));
    button->setPalette(own);
    connect(button, &QToolButton::clicked, this, [this, severity] { Q_EMIT severityRequested(severity); });
    layout()->addWidget(button);
}

void FindingBadge::add(const QIcon &icon, const QString &words, const QColor &color)
{
    if (!icon.isNull()) {
        const int side = style()->pixelMetric(QStyle::PM_SmallIconSize);
        auto *sign = new QLabel(this);
        sign->setPixmap(icon.pixmap(QSize(side, side), devicePixelRatioF()));
        layout()->addWidget(sign);
    }
    auto *label = new QLabel(words, this);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(0, 0, 8, 0);
    setTextColor(label, color);
    layout()->addWidget(label);
}

RankTableHeader::RankTableHeader()
    : m_name(named(new ElidedLabel(Qt::ElideMiddle), "tableName"))
    , m_badge(named(new FindingBadge, "tableBadge"))
    , m_details(named(new ElidedLabel(Qt::ElideRight), "tableDetails"))
    , m_chip(new ChipChoice)
    , m_note(new NoteLabel(u"tableNote"_s))
    , m_launch(named(new QPushButton(tr("Launch &with this table…")), "launchTableButton"))
    , m_convert(named(new QPushButton(tr("&Convert…")), "convertButton"))
    , m_merge(named(new QPushButton(tr("&Merge…")), "mergeButton"))
    , m_subset(named(new QPushButton(tr("Su&bset…")), "subsetButton"))
    , m_generate(named(new QPushButton(tr("&Generate…")), "generateButton"))
    , m_close(named(new QPushButton(tr("Cl&ose")), "closeTableButton"))
{
    makeBold(m_name, 1.25);
    makeBold(m_badge);
    m_details->setVoice(ElidedLabel::Voice::Quiet);
    m_close->setToolTip(tr("Back to the runs"));

    connect(m_launch, &QPushButton::clicked, this, &RankTableHeader::launchRequested);
    connect(m_convert, &QPushButton::clicked, this, &RankTableHeader::convertRequested);
    connect(m_merge, &QPushButton::clicked, this, &RankTableHeader::mergeRequested);
    connect(m_subset, &QPushButton::clicked, this, &RankTableHeader::subsetRequested);
    connect(m_generate, &QPushButton::clicked, this, &RankTableHeader::generateRequested);
    connect(m_close, &QPushButton::clicked, this, &RankTableHeader::closeRequested);
    connect(m_badge, &FindingBadge::severityRequested, this, &RankTableHeader::severityRequested);

    m_chip->setAccessibleName(tr("Chip"));

    auto *top = new QHBoxLayout;
    top->setSpacing(14);
    addParts(top, {{m_name, 1}, m_badge});
    auto *middle = new QHBoxLayout;
    middle->setSpacing(6);
    addParts(middle, {{m_details, 1}, labelOf(m_chip, tr("Chi&p")), m_chip});
    auto *first = rowOf({m_launch, Stretch{}});
    auto *others = rowOf({m_convert, m_merge, m_subset, m_generate, Stretch{}, m_close});
    auto *bottom = new WrappingRow;
    bottom->setGroups(first, 0, others, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    addParts(layout, {top, middle, m_note, bottom});
    m_note->hide();
    setPath({});
}

QList<QWidget *> RankTableHeader::focusOrder() const
{
    return {m_launch, m_convert, m_merge, m_subset, m_generate, m_close, m_chip};
}

void RankTableHeader::setPath(const QString &path)
{
    m_name->setText(path.isEmpty() ? tr("Rank table") : QFileInfo(path).fileName());
    m_name->setToolTip(path.toHtmlEscaped());
    m_details->setText(path.isEmpty() ? QString() : QFileInfo(path).path());
    m_badge->setVisible(!path.isEmpty());
    m_note->setHelp({});
    m_note->setProblem({});
    setUsable(false, false, {});
}

void RankTableHeader::setReading(qint64 bytes)
{
    m_badge->setWords(bytes > 0 ? tr("Reading %1…").arg(QLocale().formattedDataSize(bytes, 0))
                                : tr("Reading…"));
}

void RankTableHeader::setLook(const RankTableLook &look)
{
    m_note->setHelp({});
    m_note->setProblem({});
    if (look.report)
        return showReport(*look.report);
    m_badge->setWords(tr("Cannot be read"));
    m_details->setText(QFileInfo(look.path).path());
    setUsable(false, false, tr("The rank table cannot be read."));
}

void RankTableHeader::showReport(const CheckReport &report)
{
    const RankTable &table = report.table;
    m_badge->setFindings(report.findings);
    if (report.unusable) {
        const QString why = report.unusable->sentence();
        m_details->setText(tr("no usable rank table"));
        m_note->setProblem(tr("It cannot be launched: %1").arg(why));
        setUsable(false, false, why);
        return;
    }
    m_details->setText(QStringList{formName(table.form),
                                   table.status.isEmpty() ? tr("no status") : table.status, sizeWords(table)}
                           .join(u" · "_s));
    if (!table.status.isEmpty() && !table.isCompleted()) {
        m_badge->setWords(tr("Still being written"));
        m_note->setHelp(tr("Its status is \"%1\": it is still being written. Rankdeck checks it every "
                           "second; a launch waits for it.")
                            .arg(table.status));
    }
    setUsable(true, table.isCompleted() || table.status.isEmpty(),
              tr("The rank table is still being written."));
}

void RankTableHeader::setUsable(bool canLaunch, bool canTransform, const QString &why)
{
    m_launch->setEnabled(canLaunch);
    m_launch->setToolTip(canLaunch ? QString() : plainToolTip(why));
    for (QPushButton *transform : {m_convert, m_merge, m_subset}) {
        transform->setEnabled(canTransform);
        transform->setToolTip(canTransform ? QString() : plainToolTip(why));
    }
}

} // namespace rankdeck
