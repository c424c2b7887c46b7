#include "devicegrid/orderline.h"

#include "state/notelabel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

constexpr int waitMs = 300; ///< After a key; who writes is not done.
// The wider a line edit, the more pixels each of its repaints sends.
constexpr int editWidth = 260;

} // namespace

OrderLine::OrderLine(QWidget *parent)
    : QWidget(parent)
    , m_by(new QComboBox(this))
    , m_descending(new QCheckBox(tr("&Descending"), this))
    , m_edit(new QLineEdit(this))
    , m_result(new QLabel(this))
    , m_problem(new NoteLabel(QStringLiteral("rankFilterProblem"), this))
{
    auto *const label = new QLabel(tr("S&ort:"), this);
    label->setBuddy(m_by);
    m_by->setObjectName(QStringLiteral("rankOrder"));
    m_by->setAccessibleName(tr("Sort ranks by"));
    const auto add = [this](const QString &text, RankValue value) {
        m_by->addItem(text, int(value));
    };
    add(tr("rank"), RankValue::Place);
    add(tr("state"), RankValue::State);
    add(tr("AICore"), RankValue::AiCore);
    add(tr("HBM"), RankValue::Hbm);
    add(tr("temperature"), RankValue::Temperature);
    add(tr("power"), RankValue::Power);
    add(tr("health"), RankValue::Health);
    add(tr("clock"), RankValue::Clock);
    add(tr("foreign processes"), RankValue::Foreign);
    add(tr("CPU"), RankValue::Cpu);
    add(tr("memory"), RankValue::Memory);
    add(tr("read"), RankValue::Read);
    add(tr("written"), RankValue::Written);
    m_descending->setObjectName(QStringLiteral("rankOrderDescending"));
    m_edit->setObjectName(QStringLiteral("rankFilter"));
    m_edit->setMaximumWidth(editWidth);
    m_edit->setClearButtonEnabled(true);
    m_edit->setPlaceholderText(tr("Only ranks with, such as ai<10"));
    m_edit->setAccessibleName(tr("Only ranks with"));
    m_edit->setToolTip(
        tr("Words of a cell, and terms, all of which must hold: ai<10 hbm>90% hbm>50GB temp>=80 "
           "power>300 clock<1500 health!=ok foreign throttled alarm cpu>800 mem>10GB read>5MB "
           "written>5MB rank<8 state=failed. Quotes keep what looks like a term a word."));
    m_result->setObjectName(QStringLiteral("rankFilterResult"));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto *const close = new QToolButton(this);
    close->setObjectName(QStringLiteral("rankFilterClose"));
    close->setText(tr("Close"));
    close->setToolTip(tr("Show all ranks as in the rank table (Esc)"));
    close->setAutoRaise(true);
    close->setFocusPolicy(Qt::TabFocus);

    auto *const row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(label);
    row->addWidget(m_by);
    row->addWidget(m_descending);
    row->addWidget(m_edit, 3);
    row->addWidget(m_result, 2);
    row->addWidget(close);
    auto *const layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 4, 2);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(m_problem);
    m_problem->hide();

    m_soon.setSingleShot(true);
    m_soon.setInterval(waitMs);
    connect(&m_soon, &QTimer::timeout, this, &OrderLine::tellFilter);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_edit, &QLineEdit::returnPressed, this, &OrderLine::tellFilter);
    connect(m_by, &QComboBox::currentIndexChanged, this, &OrderLine::tellOrder);
    connect(m_descending, &QCheckBox::toggled, this, &OrderLine::tellOrder);
    connect(close, &QToolButton::clicked, this, &OrderLine::closed);
}

void OrderLine::focusFilter()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void OrderLine::clear()
{
    m_by->setCurrentIndex(0);
    m_descending->setChecked(false);
    m_edit->clear();
    tellFilter();
}

void OrderLine::setResult(const QString &result)
{
    if (result == m_result->text())
        return;
    m_result->setText(result);
    m_result->setToolTip(result);
}

void OrderLine::tellOrder()
{
    Q_EMIT orderChanged({RankValue(m_by->currentData().toInt()), m_descending->isChecked()});
}

void OrderLine::tellFilter()
{
    m_soon.stop();
    const auto filter = SampleFilter::from(m_edit->text());
    const QString problem = filter ? QString() : filter.error().sentence();
    m_problem->setProblem(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_edit->setAccessibleDescription(problem);
    if (filter)
        Q_EMIT filterChanged(*filter);
}

void OrderLine::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        Q_EMIT closed();
    else
        QWidget::keyPressEvent(event);
}

} // namespace rankdeck
