#pragma once

#include <QByteArray>
#include <QFile>
#include <QObject>
#include <QString>
#include <QTimer>

namespace rankdeck
{

/// Reads what a terminal's log has and gets, for one who shows it; in the thread it lives in (never the GUI
/// thread), with pread on a timer. The next part comes only when the last was taken, and where too much has
/// come by then only the last of it: who shows it stays quick however much is printed.
class TerminalFollower : public QObject
{
    Q_OBJECT

public:
    /// Of a log that is there already so much is read, from the beginning of a line.
    static constexpr qint64 shownBefore = 256 * 1024;
    /// Behind by more than this it skips.
    static constexpr qint64 mostBehind = 1024 * 1024;
    /// What comes after that is left out.
    static constexpr qint64 shownAfterSkip = 64 * 1024;
    static constexpr qint64 partBytes = 64 * 1024;
    /// ms between looks: while something was typed or printed within quickPeriod, else.
    static constexpr int quickInterval = 10;
    static constexpr int quickPeriod = 2000;
    static constexpr int idleInterval = 100;
    /// ms after it skipped.
    static constexpr int floodInterval = 200;

    struct Part {
        QByteArray bytes;
        qint64 skipped = 0;   ///< Bytes before it that are not shown, since the part before.
        bool isOld = false;   ///< It was there before anybody looked.
        bool isFirst = false; ///< Of this log: what was shown before is of another.
    };

    explicit TerminalFollower(const QString &path, QObject *parent = nullptr);

    /// The first part comes, or nothing while there is no log yet.
    Q_INVOKABLE void start();
    /// The last part was taken.
    Q_INVOKABLE void taken();
    /// Something was typed: an echo may come soon.
    Q_INVOKABLE void expectNews();

Q_SIGNALS:
    void part(const rankdeck::TerminalFollower::Part &part);

private:
    bool openLog();
    void look();
    void skipTo(qint64 offset, qint64 size);
    void lookAgain();

    QFile m_file;
    QTimer m_timer;
    int m_quickLooks = 0; ///< Still to come.
    qint64 m_offset = 0;
    qint64 m_sizeAtOpening = 0;
    qint64 m_skipped = 0;
    bool m_isFirst = true;
    bool m_isWaiting = false; ///< For taken().
    bool m_isFlooded = false;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::TerminalFollower::Part)
