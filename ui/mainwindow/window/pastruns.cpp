#include "mainwindow/window/pastruns.h"

#include "mainwindow/runpage/runpage.h"
#include "progressplot/progressplot.h"
#include "run/record/runcatalog.h"

#include <QDesktopServices>
#include <QFileInfo>
#include <QInputDialog>
#include <QRadioButton>
#include <QSpinBox>

namespace rankdeck
{

namespace
{

/// The files of runs that are to be deleted, and why some runs cannot be.
struct Deletable {
    QList<RunFiles> runs;
    QStringList refused;
};

Deletable filesOf(const QStringList &directories)
{
    Deletable found;
    for (const QString &directory : directories) {
        if (const auto files = runFiles(directory))
            found.runs << *files;
        else
            found.refused << files.error().sentence();
    }
    return found;
}

} // namespace

DeleteQuestion::DeleteQuestion(const QList<RunFiles> &runs, const QStringList &refused, QWidget *parent)
    : QMessageBox(parent)
    , m_outside(named(new QCheckBox(this), "deleteLogsBox"))
{
    qint64 bytes = 0;
    qint64 outsideBytes = 0;
    int outside = 0;
    QStringList folders;
    for (const RunFiles &run : runs) {
        bytes += run.bytes;
        outsideBytes += run.outsideBytes;
        outside += int(run.outsideLogs.size());
        for (const QString &path : run.outsideLogs)
            folders << QFileInfo(path).path();
    }
    folders.removeDuplicates();

    const int count = int(runs.size());
    QStringList lines{count > 1 ? tr("Delete %n runs?", "Delete %n run?", count)
                                : tr("Delete %1?").arg(runs.constFirst().name),
                      QString(),
                      tr("This deletes the run directories and the logs in them (%1). It cannot be undone.",
                         "This deletes the run directory and the logs in it (%1). It cannot be undone.",
                         count)
                          .arg(QLocale().formattedDataSize(bytes))};
    if (!refused.isEmpty())
        lines << QString() << refused;
    setUpBox(this, "deleteQuestion", QMessageBox::Warning, tr("Delete runs", "Delete the run", count),
             lines.join('\n'_L1));

    m_outside->setText(
        tr("Also delete &the %n logs in %1 (%2)", "Also delete &the log in %1 (%2)", outside)
            .arg(folders.value(0).replace('&'_L1, "&&"_L1) + (folders.size() > 1 ? u", …"_s : QString()),
                 QLocale().formattedDataSize(outsideBytes)));
    m_outside->setToolTip(folders.join('\n'_L1).toHtmlEscaped());
    if (outside > 0)
        setCheckBox(m_outside);
    else
        m_outside->hide();

    QPushButton *yes = named(addButton(tr("&Delete"), QMessageBox::DestructiveRole), "confirmDeleteButton");
    setDefaultButton(addButton(QMessageBox::Cancel));
    connect(yes, &QPushButton::clicked, this, [this] { Q_EMIT confirmed(m_outside->isChecked()); });
}

KeepDialog::KeepDialog(const KeepSetting &setting, const QList<RunSummary> &runs, QWidget *parent)
    : QDialog(parent)
    , m_runs(runs)
    , m_forever(named(new QRadioButton(tr("Keep runs for &ever"), this), "keepForever"))
    , m_limited(named(new QRadioButton(tr("Delete runs this long after their end:"), this), "keepLimited"))
    , m_days(named(new QSpinBox(this), "keepDays", tr("Days")))
    , m_effect(plainLabel("keepEffect"))
{
    setManualPage(this, "runs.md");
    setObjectName(u"keepDialog"_s);
    setWindowTitle(tr("Keep runs"));
    constexpr int suggestedDays = 30;
    m_days->setRange(1, KeepSetting::mostDays);

    m_days->setValue(setting.days.value_or(suggestedDays));
    m_effect->setMinimumWidth(fontMetrics().averageCharWidth() * 60);
    (setting.days ? m_limited : m_forever)->setChecked(true);

    auto *limited = rowOf({m_limited, m_days, Stretch{}});
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    addParts(new QVBoxLayout(this), {m_forever, limited, Gap{6}, m_effect, Stretch{}, buttons});

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_limited, &QRadioButton::toggled, this, &KeepDialog::showEffect);
    connect(m_days, &QSpinBox::valueChanged, this, &KeepDialog::showEffect);
    showEffect();
}

KeepSetting KeepDialog::setting() const
{
    return m_limited->isChecked() ? KeepSetting{m_days->value()} : KeepSetting();
}

void KeepDialog::showEffect()
{
    m_days->setEnabled(m_limited->isChecked());
    m_days->setSuffix(tr(" days", " day", m_days->value()));
    if (!m_limited->isChecked()) {
        m_effect->setText(tr("Runs are kept until you delete them."));
        return;
    }
    const auto count = int(expiredRuns(m_runs, setting(), QDateTime::currentDateTimeUtc()).size());
    const QString now =
        count == 0 ? tr("No run is that old yet.")
                   : tr("%n older runs will be deleted now.", "One older run will be deleted now.", count);
    m_effect->setText(now + ' '_L1 +
                      tr("Old runs are then deleted whenever a run ends or Rankdeck starts. Logs in your "
                         "own log directories are kept."));
}

void PastRuns::rename()
{
    const QList<RunSummary> runs = m_list->runs();
    const auto current = std::ranges::find(runs, m_list->currentRun(), &RunSummary::directory);
    if (current == runs.cend())
        return;
    const RunSummary &run = *current;
    auto *dialog = named(new QInputDialog(m_window), "renameDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename %1").arg(run.name));
    dialog->setLabelText(tr("Title in the list of runs; empty: the usual one."));
    dialog->setTextValue(run.title);
    connect(dialog, &QInputDialog::textValueSelected, this, [this, run](const QString &title) {
        inBackground(
            this, [run, title] { return giveTitle(run.directory, title); },
            [this](const std::optional<Error> &error) {
                if (error)
                    showProblem(m_window, tr("The run was not renamed"), error->sentence());
                Q_EMIT renamed();
            });
    });
    dialog->open();
}

void PastRuns::openDirectory()
{
    if (const QString run = m_list->currentRun(); !run.isEmpty())
        QDesktopServices::openUrl(QUrl::fromLocalFile(run));
}

void PastRuns::compareSelected()
{
    const QStringList selected = m_list->selectedRuns();
    if (selected.size() < 2)
        Q_EMIT message(tr("Select two or more runs in the list: hold Ctrl and press each."));
    else
        (new ComparisonDialog(selected, m_window))->open();
}

void PastRuns::deleteSelected()
{
    const QStringList selected = m_list->selectedRuns();
    const QStringList directories = selected.isEmpty() ? QStringList{m_page->directory()} : selected;
    inBackground(
        this, [directories] { return filesOf(directories); },
        [this](const Deletable &deletable) {
            if (deletable.runs.isEmpty()) {
                showProblem(m_window, tr("Nothing can be deleted"), deletable.refused.join('\n'_L1));
                return;
            }
            const QStringList found = listOf(deletable.runs, &RunFiles::directory);
            auto *question = new DeleteQuestion(deletable.runs, deletable.refused, m_window);
            question->setAttribute(Qt::WA_DeleteOnClose);
            connect(question, &DeleteQuestion::confirmed, this,
                    [this, found](bool withOutsideLogs) { remove(found, withOutsideLogs); });
            question->open();
        });
}

void PastRuns::remove(const QStringList &directories, bool withOutsideLogs)
{
    inBackground(
        this,
        [directories, withOutsideLogs] {
            QStringList problems;
            for (const QString &directory : directories) {
                if (const auto error = deleteRun(directory, withOutsideLogs))
                    problems << error->sentence();
            }
            return problems;
        },
        [this, directories](const QStringList &problems) {
            Q_EMIT deleted(directories);
            if (!problems.isEmpty())
                showProblem(m_window, tr("Not everything was deleted"), problems.join('\n'_L1));
        });
}

void PastRuns::askHowLongToKeep()
{
    inBackground(this, loadKeepSetting, [this](const Result<KeepSetting> &setting) {
        if (!setting)
            showProblem(m_window, tr("The setting cannot be used"), setting.error().sentence());
        auto *dialog = new KeepDialog(setting ? *setting : KeepSetting(), m_list->runs(), m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this, dialog] {
            inBackground(
                this, [chosen = dialog->setting()] { return saveKeepSetting(chosen); },
                [this](const std::optional<Error> &error) {
                    if (error)
                        showProblem(m_window, tr("The setting was not saved"), error->sentence());
                    else
                        deleteExpired();
                });
        });
        dialog->open();
    });
}

void PastRuns::deleteExpired()
{
    inBackground(this, deleteExpiredRuns, [this](const Result<QStringList> &names) {
        if (!names)
            Q_EMIT message(names.error().sentence());
        else if (!names->isEmpty())
            Q_EMIT message(names->size() > 1
                               ? tr("Deleted %n old runs.", "Deleted %n old run.", int(names->size()))
                               : tr("Deleted old run %1.").arg(names->first()));
        Q_EMIT deleted({});
    });
}

} // namespace rankdeck
