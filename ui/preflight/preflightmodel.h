#pragma once

#include "agent/preflight/preflightcheck.h"

#include <QAbstractItemModel>
#include <QPalette>

#include <vector>

namespace rankdeck
{

/// The checks of a preflight: its parts, in their order, and below each what was looked at, problems first.
class PreflightModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { StatusColumn, SubjectColumn, SentenceColumn, ColumnCount };
    static constexpr int IsProblemRole = Qt::UserRole;

    explicit PreflightModel(QObject *parent = nullptr);

    void clear();
    void add(const PreflightCheck &check);
    /// For the colours of the status.
    void setPalette(const QPalette &palette);
    /// Null for a part.
    const PreflightCheck *check(const QModelIndex &index) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &index) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Rows {
        PreflightCheck::Part part = PreflightCheck::Part::Plan;
        std::vector<PreflightCheck> checks;
    };

    QVariant partData(const Rows &rows, int column, int role) const;
    QVariant checkData(const PreflightCheck &check, int column, int role) const;

    std::vector<Rows> m_parts;
    QPalette m_palette;
};

} // namespace rankdeck
