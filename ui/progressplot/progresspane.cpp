#include "progressplot/progresspane.h"

#include "background/inbackground.h"
#include "diagnosis/progress/progresscsv.h"
#include "progressplot/progressplot.h"
#include "result.h"

#include <QBuffer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

std::optional<Error> writeWhole(const QString &path, const QByteArray &content)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size() && file.commit())
        return {};
    return Error{ProgressPane::tr("cannot be written: %1").arg(file.errorString()), path,
                 ProgressPane::tr("Choose another place.")};
}

} // namespace

ProgressPane::ProgressPane(QWidget *parent)
    : QWidget(parent)
    , m_plot(new ProgressPlot(this))
    , m_csv(new QPushButton(tr("Save &values…"), this))
    , m_picture(new QPushButton(tr("Save &picture…"), this))
{
    setObjectName(QStringLiteral("progressPane"));
    m_csv->setObjectName(QStringLiteral("saveValuesButton"));
    m_picture->setObjectName(QStringLiteral("savePictureButton"));
    m_csv->setToolTip(tr("As comma-separated values: all that is kept of the ranks that are shown."));
    m_picture->setToolTip(tr("As PNG."));
    connect(m_csv, &QPushButton::clicked, this,
            [this] { ask(tr("Save values"), QStringLiteral("csv"), &ProgressPane::saveCsv); });
    connect(m_picture, &QPushButton::clicked, this,
            [this] { ask(tr("Save picture"), QStringLiteral("png"), &ProgressPane::savePicture); });

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 4, 8, 4);
    bar->setSpacing(8);
    auto *title = new QLabel(tr("Training progress of the ranks that are chosen"), this);
    title->setTextFormat(Qt::PlainText);
    bar->addWidget(title, 1);
    bar->addWidget(m_csv);
    bar->addWidget(m_picture);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(m_plot, 1);
    setFocusProxy(m_plot);
    clear();
}

void ProgressPane::clear()
{
    setCurves(nullptr, {});
}

void ProgressPane::setCurves(std::shared_ptr<const LaunchPlan> plan, const ProgressCurves &curves)
{
    m_plan = std::move(plan);
    m_curves = curves;
    QList<PlotCurve> shown;
    for (const ProgressCurves::Curve &curve : curves.curves) {
        const ProcessPlan &process = m_plan->processes.at(static_cast<std::size_t>(curve.process));
        if (process.role == Role::Worker)
            shown.append({process.rank.value, curve.loss, curve.stepTime});
    }
    m_plot->setCurves(shown);
    m_csv->setEnabled(!m_plot->isEmpty());
    m_picture->setEnabled(!m_plot->isEmpty());
}

void ProgressPane::ask(const QString &title, const QString &suffix,
                       void (ProgressPane::*save)(const QString &))
{
    auto *dialog = new QFileDialog(this, title, {}, QStringLiteral("*.") + suffix);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(QStringLiteral("progress.") + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, save);
    dialog->open();
}

void ProgressPane::saveCsv(const QString &path)
{
    if (m_plan)
        write(path, progressCsv(*m_plan, m_curves));
}

void ProgressPane::savePicture(const QString &path)
{
    QByteArray content;
    QBuffer buffer(&content);
    buffer.open(QIODevice::WriteOnly);
    m_plot->picture().save(&buffer, "PNG");
    write(path, content);
}

void ProgressPane::write(const QString &path, const QByteArray &content)
{
    inBackground(
        this, [path, content] { return writeWhole(path, content); },
        [this](const std::optional<Error> &error) {
            if (!error)
                return;
            auto *box = new QMessageBox(QMessageBox::Warning, tr("Progress"), {}, QMessageBox::Close, this);
            box->setAttribute(Qt::WA_DeleteOnClose);
            box->setTextFormat(Qt::PlainText);
            box->setText(error->sentence());
            box->open();
        });
}

} // namespace rankdeck
