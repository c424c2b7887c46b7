#include "logview/find/filterbar.h"

#include <QLocale>

namespace rankdeck
{

constexpr int waitMs = 300; ///< After a key: the user may go on typing.
constexpr int mostContext = 50;
// The wider a line edit, the more pixels each of its repaints sends.
constexpr int filterWidth = 220;

std::vector<std::vector<LogPattern>> patternsIn(const QString &text, bool isRegex, bool caseSensitive)
{
    std::vector<std::vector<LogPattern>> all;
    for (const QString &part : text.split(QStringLiteral(" && "), Qt::SkipEmptyParts)) {
        std::vector<LogPattern> any;
        for (QString pattern : part.split(QStringLiteral(" || "), Qt::SkipEmptyParts)) {
            const bool isNegated = pattern.size() > 1 && pattern.startsWith(QLatin1Char('!'));
            if (isNegated)
                pattern.remove(0, 1);
            any.push_back({pattern, isRegex, caseSensitive, isNegated});
        }
        if (!any.empty())
            all.push_back(std::move(any));
    }
    return all;
}

FilterBar::FilterBar(QWidget *parent)
    : QWidget(parent)
    , m_edit(filterEdit(this, "filterText", tr("Filter lines")))
    , m_regex(named(new QCheckBox(tr("Rege&x"), this), "filterRegex"))
    , m_case(named(new QCheckBox(tr("Match &case"), this), "filterCase"))
    , m_severity(named(new QComboBox(this), "filterSeverity", tr("Severity")))
    , m_context(named(new QSpinBox(this), "filterContext", tr("Lines of context")))
    , m_result(resultLabel("filterResult"))
{
    m_edit->setMaximumWidth(filterWidth);
    m_edit->setToolTip(tr("Join patterns by \" && \" (all match) or \" || \" (one matches); \"!\" before a "
                          "pattern excludes its lines. For example: loss || error && !warmup"));
    m_regex->setToolTip(tr("Each pattern is a regular expression (RE2)"));
    m_severity->addItem(tr("Any severity"), static_cast<int>(LogSeverity::None));
    m_severity->addItem(tr("Info and worse"), static_cast<int>(LogSeverity::Info));
    m_severity->addItem(tr("Warnings and worse"), static_cast<int>(LogSeverity::Warning));
    m_severity->addItem(tr("Errors"), static_cast<int>(LogSeverity::Error));
    m_context->setRange(0, mostContext);
    m_context->setPrefix(tr("\u00b1 "));
    const auto showUnit = [this](int count) {
        m_context->setSuffix(tr(" lines", " line", count));
    };
    showUnit(0);
    m_context->setToolTip(m_context->accessibleName());

    auto *const row = new QHBoxLayout(this);
    row->setContentsMargins(4, 2, 4, 2);
    row->setSpacing(6);
    row->addWidget(m_edit, 3);
    addWidgets(row, {m_regex, m_case, m_severity, m_context});
    row->addWidget(m_result, 2);

    m_soon.setSingleShot(true);
    m_soon.setInterval(waitMs);
    connect(&m_soon, &QTimer::timeout, this, &FilterBar::change);
    connect(m_edit, &QLineEdit::textChanged, this, [this] { m_soon.start(); });
    connect(m_edit, &QLineEdit::returnPressed, this, &FilterBar::change);
    connect(m_regex, &QCheckBox::toggled, this, &FilterBar::change);
    connect(m_case, &QCheckBox::toggled, this, &FilterBar::change);
    connect(m_severity, &QComboBox::currentIndexChanged, this, &FilterBar::change);
    connect(m_context, &QSpinBox::valueChanged, this, showUnit);
    connect(m_context, &QSpinBox::valueChanged, this, [this] { m_soon.start(); });
}

void FilterBar::setLineCount(qint64 count)
{
    m_resultText = tr("%Ln lines", "%Ln line", int(count));
    showResult();
}

void FilterBar::showResult()
{
    rankdeck::showResult(m_result, m_problem.isEmpty() ? m_resultText : m_problem);
}

void FilterBar::focusText()
{
    m_edit->setFocus(Qt::ShortcutFocusReason);
    m_edit->selectAll();
}

void FilterBar::change()
{
    m_soon.stop();
    LogFilterSpec spec;
    spec.patterns = patternsIn(m_edit->text(), m_regex->isChecked(), m_case->isChecked());
    spec.leastSeverity = static_cast<LogSeverity>(m_severity->currentData().toInt());
    const auto filter = LogFilter::create(spec);
    m_problem = filter ? QString() : filter.error().sentence();
    showResult();
    if (!filter)
        return;
    m_filter = *filter;
    Q_EMIT changed();
}

} // namespace rankdeck
