#pragma once

#include "log/loglines.h"

#include <memory>

namespace rankdeck
{

class LogFile;

/// Follows one growing log file in the thread it lives in (never the GUI thread) and hands out pages of it.
/// Reads with pread on a timer; the file may appear later than the follower.
class LogFollower : public LogLines
{
    Q_OBJECT

public:
    explicit LogFollower(QString path, QObject *parent = nullptr);
    ~LogFollower() override;

    QStringList paths() const override;

    void start() override;
    void finish() override;
    void request(LineNumber first, int count) override;
    void requestWhole(LineNumber line) override;
    void followTail(int count) override;
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    void findTime(LogTime time) override;
    /// Put remarks into every page from now on, instead of those before; in the order of their offsets. To be
    /// called in its thread.
    void setMarks(const QList<LogMark> &marks);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankdeck
