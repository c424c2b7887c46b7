#pragma once

#include "log/loglines.h"
#include "log/mergedindex.h"

#include <memory>

namespace rankdeck
{

/// Lines of several growing logs as one, ordered by time, or some lines of one log. What is shown is read
/// again from the files when it is asked for.
class MergedLines : public LogLines
{
    Q_OBJECT

public:
    explicit MergedLines(MergedSpec spec, QObject *parent = nullptr);
    ~MergedLines() override;

    QStringList paths() const override;

    void start() override;
    void finish() override;
    void request(LineNumber first, int count) override;
    /// Without its label, as far as LineBlock reads it.
    void requestWhole(LineNumber line) override;
    void followTail(int count) override;
    /// In the first 256 KiB of each line, its label not included.
    void find(const LogPattern &pattern, LineNumber from, bool backward) override;
    void findError(LineNumber from, bool backward) override;
    /// By the lines' own stamps.
    void findTime(LogTime time) override;
    /// Say active() once more, to one that has come after the first.
    void tellActivity();

Q_SIGNALS:
    /// When the logs printed, those lines included that are not shown. At most once a second.
    void active(const rankdeck::LogActivity &activity);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace rankdeck
