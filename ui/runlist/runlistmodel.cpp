#include "runlist/runlistmodel.h"

#include "state/statewords.h"
#include "timewords.h"

#include <QLocale>
#include <QSet>

namespace rankdeck
{

namespace
{

QString ranksText(const RunSummary &run)
{
    return run.worldSize == 1 ? RunListModel::tr("1 rank")
                              : RunListModel::tr("%n ranks", nullptr, run.worldSize);
}

/// What matters most stands first: a narrow list cuts the rest. How long a live run takes is its age.
QString detail(const RunSummary &run)
{
    QStringList parts;
    if (run.phase == RunPhase::Failed)
        parts << RunListModel::tr("code %1", "exit code").arg(run.exitCode);
    if (!isLive(run.phase))
        parts << elapsedText(run.duration(run.ended));
    return (parts << ranksText(run) << run.launcher).join(QStringLiteral(", "));
}

QString timeText(const QDateTime &time)
{
    return QLocale().toString(time.toLocalTime(), QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

/// Plain text: a name may look like markup.
QString toolTip(const RunSummary &run)
{
    QStringList lines{run.name, RunListModel::tr("%1, started %2").arg(run.launcher, timeText(run.created))};
    if (run.phase == RunPhase::Lost)
        lines << run.remark;
    else if (!isLive(run.phase))
        lines << RunListModel::tr("%1 at %2, exit code %3", "succeeded at")
                     .arg(shownWord(run.phase), timeText(run.ended))
                     .arg(run.exitCode);
    return QStringLiteral("<qt>%1</qt>")
        .arg(lines.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>")));
}

} // namespace

RunListModel::RunListModel(QObject *parent)
    : QAbstractListModel(parent)
{
}

void RunListModel::setRuns(const QList<RunSummary> &runs, const QDateTime &now)
{
    QSet<QString> wanted;
    for (const RunSummary &run : runs)
        wanted.insert(run.directory);
    for (int row = int(m_runs.size()) - 1; row >= 0; --row) {
        if (wanted.contains(m_runs.at(row).directory))
            continue;
        beginRemoveRows({}, row, row);
        m_runs.removeAt(row);
        m_ages.removeAt(row);
        endRemoveRows();
    }
    for (int row = 0; row < runs.size(); ++row) {
        const RunSummary &run = runs.at(row);
        const QString age = ageText(run.created, now);
        const int old = rowOf(run.directory);
        if (old < 0) {
            beginInsertRows({}, row, row);
            m_runs.insert(row, run);
            m_ages.insert(row, age);
            endInsertRows();
            continue;
        }
        if (old != row) {
            beginMoveRows({}, old, old, {}, row);
            m_runs.move(old, row);
            m_ages.move(old, row);
            endMoveRows();
        }
        update(row, run, age);
    }
}

void RunListModel::setNow(const QDateTime &now)
{
    for (int row = 0; row < m_runs.size(); ++row)
        update(row, m_runs.at(row), ageText(m_runs.at(row).created, now));
}

void RunListModel::update(int row, const RunSummary &run, const QString &age)
{
    if (m_runs.at(row) == run && m_ages.at(row) == age)
        return;
    m_runs[row] = run;
    m_ages[row] = age;
    Q_EMIT dataChanged(index(row), index(row));
}

int RunListModel::rowOf(const QString &directory) const
{
    for (int row = 0; row < m_runs.size(); ++row) {
        if (m_runs.at(row).directory == directory)
            return row;
    }
    return -1;
}

int RunListModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_runs.size());
}

QVariant RunListModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunSummary &run = m_runs.at(index.row());
    const QString title = run.title.isEmpty() ? run.name : run.title;
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return title;
    case DetailRole:
        return detail(run);
    case StateRole:
        return shownWord(run.phase);
    case PhaseRole:
        return int(run.phase);
    case AgeRole:
        return m_ages.at(index.row());
    case DirectoryRole:
        return run.directory;
    case SearchRole:
        return QStringList{title, run.name, run.launcher, shownWord(run.phase)}.join(QLatin1Char('\n'));
    case Qt::AccessibleTextRole:
        return tr("%1: %2, %3, started %4", "title: state, details, age")
            .arg(title, shownWord(run.phase), detail(run), m_ages.at(index.row()));
    case Qt::ToolTipRole:
        return toolTip(run);
    default:
        return {};
    }
}

} // namespace rankdeck
