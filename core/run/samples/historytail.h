#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace rankdeck
{

/// Reads the file of a history piece by piece, and what is appended to it later. Each piece is the text of a
/// history for itself: it begins with the heading, the subjects and the last moment of the piece before. A
/// file that was replaced by another is begun anew. Blocks for a read.
class HistoryTail
{
public:
    static constexpr qint64 pieceBytes = 256 * 1024;

    explicit HistoryTail(QString path)
        : m_path(std::move(path))
    {
    }

    struct Piece {
        QByteArray text;
        bool isAnew = false;       ///< What was read before is in it, or is no more.
        bool repeatsFirst = false; ///< Its first moment was the last one of the piece before.
    };
    /// What has come, at most pieceBytes; nothing: no more for now, or there is no such file.
    std::optional<Piece> readOn();

private:
    void begin(quint64 file);
    void keepLast(const QByteArray &lines);
    QByteArray withoutRepeats(const QByteArray &moment) const;

    QString m_path;
    quint64 m_file = 0; ///< Its inode.
    qint64 m_offset = 0;
    QByteArray m_rest;     ///< Of a line that has no end yet.
    QByteArray m_heading;  ///< With their ends, as the next two.
    QByteArray m_subjects; ///< Of the file's last ones.
    QByteArray m_last;     ///< The last moment, all of its values spelled out.
};

} // namespace rankdeck
