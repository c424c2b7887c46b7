#include "ranktable/mergedialog.h"

#include "ranktable/ranktablemerge.h"
#include "ranktable/ranktablereader.h"
#include "ranktable/ranktablewriter.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString orderRemark(const MergedTable &merged)
{
    const QString used = merged.order == MergeOrder::ServerId
                             ? MergeDialog::tr("Ranks are numbered by server_id.")
                             : MergeDialog::tr("Ranks are numbered in the order of the list.");
    const QString other =
        merged.ordersDiffer ? MergeDialog::tr("The other order would number them differently: every program "
                                              "of the job must use the same table.")
                            : MergeDialog::tr("Both orders number them alike.");
    return used + QLatin1Char(' ') + other;
}

} // namespace

MergeDialog::MergeDialog(const QString &path, SharedTable table, QWidget *parent)
    : TableDialog(path, parent)
    , m_table(std::move(table))
    , m_list(new QListWidget)
    , m_add(new QPushButton(tr("&Add…")))
    , m_up(new QPushButton(tr("&Up")))
    , m_down(new QPushButton(tr("&Down")))
    , m_remove(new QPushButton(tr("&Remove")))
    , m_byServer(new QRadioButton(tr("by server_&id")))
    , m_asGiven(new QRadioButton(tr("in the order of the &list")))
{
    setObjectName(QStringLiteral("mergeDialog"));
    setWindowTitle(tr("Merge %1 with others").arg(fileName()));
    m_list->setObjectName(QStringLiteral("mergeList"));
    m_list->setAccessibleName(tr("Rank tables to merge"));
    m_list->setFixedHeight(fontMetrics().height() * 8);
    m_list->setTextElideMode(Qt::ElideMiddle);
    connect(m_list, &QListWidget::currentRowChanged, this, &MergeDialog::enableButtons);

    auto *row = new QHBoxLayout;
    row->addWidget(m_list, 1);
    row->addLayout(makeFileButtons());
    inputs()->addLayout(row);
    inputs()->addLayout(makeOrder());
    setFocusOrder({m_add, m_list, m_remove, m_up, m_down, m_byServer, m_asGiven});
    addFiles({path});
}

QLayout *MergeDialog::makeFileButtons()
{
    m_add->setObjectName(QStringLiteral("mergeAddButton"));
    m_up->setObjectName(QStringLiteral("mergeUpButton"));
    m_down->setObjectName(QStringLiteral("mergeDownButton"));
    m_remove->setObjectName(QStringLiteral("mergeRemoveButton"));
    connect(m_add, &QPushButton::clicked, this, &MergeDialog::browse);
    connect(m_up, &QPushButton::clicked, this, [this] { move(-1); });
    connect(m_down, &QPushButton::clicked, this, [this] { move(1); });
    connect(m_remove, &QPushButton::clicked, this, &MergeDialog::removeCurrent);
    auto *layout = new QVBoxLayout;
    for (QPushButton *button : {m_add, m_remove, m_up, m_down}) {
        button->setAutoDefault(false);
        layout->addWidget(button);
    }
    layout->addStretch(1);
    return layout;
}

QLayout *MergeDialog::makeOrder()
{
    m_byServer->setObjectName(QStringLiteral("mergeByServer"));
    m_asGiven->setObjectName(QStringLiteral("mergeAsGiven"));
    m_byServer->setChecked(true);
    connect(m_byServer, &QRadioButton::toggled, this, &MergeDialog::edited);
    auto *layout = new QHBoxLayout;
    layout->addWidget(new QLabel(tr("Number the ranks")));
    layout->addWidget(m_byServer);
    layout->addWidget(m_asGiven);
    layout->addStretch(1);
    return layout;
}

void MergeDialog::addFiles(const QStringList &files)
{
    m_list->addItems(files);
    enableButtons();
    edited();
}

QStringList MergeDialog::files() const
{
    QStringList files;
    for (int row = 0; row < m_list->count(); ++row)
        files += m_list->item(row)->text();
    return files;
}

void MergeDialog::browse()
{
    auto *dialog = new QFileDialog(this, tr("Choose rank tables to merge"));
    dialog->setObjectName(QStringLiteral("mergeAddDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Rank tables (*.json)"), tr("All files (*)")});
    dialog->setDirectory(QFileInfo(path()).path());
    connect(dialog, &QFileDialog::filesSelected, this, &MergeDialog::addFiles);
    dialog->open();
}

void MergeDialog::move(int by)
{
    const int row = m_list->currentRow();
    if (row < 0 || row + by < 0 || row + by >= m_list->count())
        return;
    m_list->insertItem(row + by, m_list->takeItem(row));
    m_list->setCurrentRow(row + by);
    edited();
}

void MergeDialog::removeCurrent()
{
    delete m_list->takeItem(m_list->currentRow());
    enableButtons();
    edited();
}

void MergeDialog::enableButtons()
{
    const int row = m_list->currentRow();
    m_remove->setEnabled(row >= 0);
    m_up->setEnabled(row > 0);
    m_down->setEnabled(row >= 0 && row + 1 < m_list->count());
}

TableDialog::Maker MergeDialog::maker() const
{
    const MergeOrder order = m_byServer->isChecked() ? MergeOrder::ServerId : MergeOrder::AsGiven;
    return [table = m_table, name = fileName(), files = files(),
            order](const auto &isCancelled) -> Result<Proposal> {
        if (files.size() < 2)
            return Error{tr("A merge needs two rank tables or more"), {}, tr("Add another.")};
        std::vector<RankTable> tables;
        for (const QString &file : files) {
            if (isCancelled())
                return Error{};
            const Result<RankTable> read = readRankTable(file);
            if (!read)
                return read.error();
            tables.push_back(*read);
        }
        const Result<MergedTable> merged = mergeRankTables(tables, files, order);
        if (!merged)
            return merged.error();
        return makeProposal(toJson(table->table()), name, merged->table, mergedFileName(merged->table),
                            orderRemark(*merged));
    };
}

} // namespace rankdeck
