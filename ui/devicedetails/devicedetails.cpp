#include "devicedetails/devicedetails.h"

#include "base/widespaces.h"
#include "devicedetails/deviceplot.h"
#include "launch/plan/launchplan.h"
#include "run/samples/historytexts.h"
#include "widgets/labels.h"

#include <QTabWidget>
#include <QTreeWidget>

namespace rankdeck
{

namespace
{

enum Column { WhoseColumn, NameColumn, PidColumn, UserColumn, MemoryColumn };

QString nameOf(const LaunchPlan &plan, int process)
{
    if (process < 0 || std::size_t(process) >= plan.processes.size())
        return {};
    const ProcessPlan &its = plan.processes[std::size_t(process)];
    return its.role == Role::Worker ? DeviceProcesses::tr("rank %1").arg(its.rank.value)
                                    : DeviceProcesses::tr("scheduler");
}

} // namespace

DeviceProcesses::DeviceProcesses(QWidget *parent)
    : QWidget(parent)
    , m_title(plainLabel("deviceProcessesTitle"))
    , m_list(named(new QTreeWidget(this), "deviceProcesses", tr("Processes on the NPU")))
    , m_note(plainLabel("deviceProcessesNote"))
{
    m_list->setHeaderLabels({tr("Owner"), tr("Process"), tr("Pid"), tr("User"), tr("MB")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->viewport()->setAttribute(Qt::WA_Hover, false);
    m_title->setBuddy(m_list);
    addParts(withoutMargins(new QVBoxLayout(this), 4), {m_title, {m_list, 1}, m_note});
    clear();
}

void DeviceProcesses::clear()
{
    m_shown = {};
    m_list->clear();
    m_title->clear();
    m_note->hide();
}

void DeviceProcesses::setProcess(const LaunchPlan &plan, int process, const RunSamples::Sample *sample,
                                 const QDateTime &oldSince)
{
    Shown shown;
    shown.process = process;
    shown.oldSince = oldSince;
    if (!oldSince.isValid() && sample && sample->device) {
        shown.users = sample->users;
        shown.codes = sample->device->errorCodes.value_or(QList<quint32>());
        shown.untold = sample->untoldUsers();
        shown.isInvented = sample->device && sample->device->isInvented;
    }
    if (shown == m_shown)
        return;
    m_shown = shown;
    fill(plan);
}

void DeviceProcesses::fill(const LaunchPlan &plan)
{
    m_title->setText(tr("Processes on the NPU of %1").arg(nameOf(plan, m_shown.process)));
    m_list->clear();
    for (const DeviceUser &user : std::as_const(m_shown.users)) {
        auto *const item = new QTreeWidgetItem(m_list);
        item->setText(WhoseColumn,
                      user.isForeign() ? tr("⚠ not part of this run") : nameOf(plan, user.owner));
        item->setText(NameColumn, user.process.name);
        item->setText(PidColumn, QString::number(user.process.pid));
        item->setText(UserColumn, user.user);
        if (user.process.memoryMb)
            item->setText(MemoryColumn, QString::number(*user.process.memoryMb));
        for (const Column column : {PidColumn, MemoryColumn})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int column = 0; column < m_list->columnCount(); ++column)
        m_list->resizeColumnToContents(column);
    QStringList notes;
    if (m_shown.isInvented)
        notes << tr("This NPU is invented for the demo: none of its values was measured.");
    if (m_shown.oldSince.isValid())
        notes << tr("The NPU has not been read since %1.")
                     .arg(m_shown.oldSince.toLocalTime().toString(u"HH:mm:ss"_s));
    else if (!m_shown.untold && m_shown.users.isEmpty())
        notes << tr("The processes on this NPU are unknown.");
    else if (m_shown.untold.value_or(0) > 0)
        notes << (m_shown.users.isEmpty() ? tr("The owners of its processes are unknown.")
                                          : tr("The owners of the other processes are unknown."))
              << whyUsersAreUntold();
    else if (m_shown.users.isEmpty())
        notes << tr("No process uses this NPU.");
    QStringList codes;
    for (const quint32 code : std::as_const(m_shown.codes))
        codes << u"0x"_s + u"%1"_s.arg(code, 8, 16, '0'_L1).toUpper();
    if (!codes.isEmpty())
        notes << tr("The NPU reports %1.").arg(codes.join(listComma()));
    m_note->setText(joinedBySpaces(notes));
    m_note->setVisible(!notes.isEmpty());
}

DeviceDetails::DeviceDetails(QWidget *parent)
    : QWidget(parent)
    , m_filter(named(new QLineEdit(this), "deviceFilter", tr("Filter ranks")))
    , m_count(lineLabel(""))
    , m_quantity(named(new QComboBox(this), "quantityChoice", tr("Plotted quantity")))
    , m_csv(named(new QPushButton(tr("Save as &CSV…"), this), "saveSamplesButton"))
    , m_picture(named(new QPushButton(tr("Save &picture…"), this), "savePlotButton"))
    , m_tabs(named(new QTabWidget(this), "deviceTabs"))
    , m_now(new QWidget(this))
    , m_table(new DeviceTable(this))
    , m_processes(new DeviceProcesses(this))
    , m_plot(new DevicePlot(this))
{
    setManualPage(this, "npus.md");
    setObjectName(u"deviceDetails"_s);
    auto *layout = withoutMargins(new QVBoxLayout(this), 0);
    layout->addWidget(makeBar());
    withoutMargins(new QVBoxLayout(m_now))
        ->addWidget(named(splitterOf(Qt::Horizontal, {m_table, m_processes}, {3, 1}), "deviceNowSplitter"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_now, tr("&Now"));
    m_tabs->addTab(new DevicePlotPane(m_plot), tr("C&harts"));
    layout->addWidget(m_tabs, 1);
    setFocusProxy(m_table);
    connect(m_table, &DeviceTable::currentProcessChanged, this, [this](int process) {
        showCurrent();
        Q_EMIT currentProcessChanged(process);
    });
    clear();
}

QWidget *DeviceDetails::makeBar()
{
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setToolTip(tr("Shows only ranks whose row contains these words."));
    m_filter->setClearButtonEnabled(true);
    m_csv->setToolTip(tr("Saves the history of these ranks' nodes as comma-separated values."));
    m_picture->setToolTip(tr("Saves the plot as PNG, SVG or PDF."));
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &words) {
        m_table->setFilter(words);
        m_count->setText(words.trimmed().isEmpty()
                             ? QString()
                             : tr("%1 of %2 ranks").arg(m_table->shownCount()).arg(m_table->count()));
    });
    connect(m_quantity, &QComboBox::activated, this, [this] {
        const QVariant chosen = m_quantity->currentData();
        m_plot->setOnly(chosen.isValid() ? std::optional(static_cast<SampleQuantity>(chosen.toInt()))
                                         : std::nullopt);
    });
    connect(m_csv, &QPushButton::clicked, this, [this] {
        askWhereToSave(this, tr("Save history"), u"samples.csv"_s,
                       [this](const QString &path) { saveCsv(path); });
    });
    QAction *const saves =
        pictureAction(m_plot, u"samples"_s, [this] { return m_plot->picture(u"samples"_s); });
    m_plot->addAction(saves);
    m_plot->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_picture, &QPushButton::clicked, saves, &QAction::trigger);

    auto *const bar = new QWidget(this);
    auto *layout = new QHBoxLayout(bar);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(8);
    auto *const title = new ElidedLabel(Qt::ElideRight, this);
    title->setText(tr("NPUs and processes of the selected ranks"));
    addParts(layout, {{title, 1}, m_count, m_filter, m_quantity, m_csv, m_picture});
    return bar;
}

void DeviceDetails::clear()
{
    m_plan.reset();
    m_shown.clear();
    m_samples.clear();
    m_table->setProcesses({}, {});
    m_processes->clear();
    m_plot->setCurves(nullptr, {});
    m_csv->setEnabled(false);
    m_picture->setEnabled(false);
    offerQuantities();
    showWhy();
}

void DeviceDetails::setProcesses(const QString &runDirectory, std::shared_ptr<const LaunchPlan> plan,
                                 const QList<int> &processes)
{
    m_directory = runDirectory;
    m_plan = std::move(plan);
    m_shown = processes;
    m_table->setProcesses(*m_plan, processes);
    showWhy();
}

void DeviceDetails::setSamples(const RunSamples &samples, const QDateTime &now)
{
    m_samples = samples;
    m_ages.take(samples, now);
    m_sampledAt = now;
    m_table->setSamples(samples, m_ages, now);
    showCurrent();
    showWhy();
}

void DeviceDetails::setCurves(const SampleCurves &curves)
{
    m_plot->setCurves(m_plan, curves);
    m_csv->setEnabled(!m_plot->isEmpty());
    m_picture->setEnabled(!m_plot->isEmpty());
    offerQuantities();
}

void DeviceDetails::showCurrent()
{
    const int process = currentProcess();
    const RunSamples::Sample *const sample = process < 0 ? nullptr : m_samples.of(process);
    const bool hasDevice = m_plan && sample && sample->device;
    // A single curve needs no emphasis.
    m_plot->setEmphasized(m_shown.size() > 1 ? int(m_shown.indexOf(process)) : -1);
    m_processes->setVisible(hasDevice);
    if (hasDevice)
        m_processes->setProcess(*m_plan, process, sample, m_ages.deviceOldSince(process, m_sampledAt));
}

/// Shows the reason for missing samples.
void DeviceDetails::showWhy()
{
    const bool isKnown =
        std::ranges::any_of(m_shown, [this](int process) { return m_samples.of(process) != nullptr; });
    // An ended run has no current samples.
    const bool hasNow = isKnown || m_isLive;
    const bool isNew = hasNow && !m_tabs->isTabVisible(0);
    m_tabs->setTabVisible(0, hasNow);
    if (isNew)
        m_tabs->setCurrentIndex(0);
    if (!m_plan)
        m_plot->setEmptyText(tr("No rank is selected."));
    else if (m_isLive)
        m_plot->setEmptyText(tr("No samples yet. Rankdeck takes samples while a window shows them."));
    else
        m_plot->setEmptyText(tr("No history: nothing was sampled while these ranks ran."));
}

void DeviceDetails::offerQuantities()
{
    QList<SampleQuantity> offered;
    for (int item = 1; item < m_quantity->count(); ++item)
        offered << static_cast<SampleQuantity>(m_quantity->itemData(item).toInt());
    const QList<SampleQuantity> &wanted = m_plot->quantities();
    if (m_quantity->count() > 0 && std::ranges::equal(offered, wanted))
        return;
    const QVariant chosen = m_quantity->currentData();
    m_quantity->clear();
    m_quantity->addItem(tr("All curves"));
    for (const SampleQuantity quantity : wanted)
        m_quantity->addItem(DevicePlot::title(quantity), int(quantity));
    m_quantity->setCurrentIndex(std::max(0, chosen.isValid() ? m_quantity->findData(chosen) : 0));
    m_quantity->setEnabled(m_quantity->count() > 2);
}

void DeviceDetails::saveCsv(const QString &path)
{
    if (!m_plan)
        return;
    saveInBackground(this, tr("NPUs and processes"), path,
                     [directory = m_directory, plan = m_plan, shown = m_shown](QIODevice &file) {
                         return writeSampleCsv(file, directory, *plan, shown);
                     });
}

} // namespace rankdeck
