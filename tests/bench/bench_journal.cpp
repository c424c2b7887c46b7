// How long a run whose journal has 100,000 events takes to open. Prints the wall time of five openings, ms.

#include "run/record/journal.h"
#include "run/record/runreader.h"
#include "support/recordedrun.h"
#include "support/testhome.h"

#include <QElapsedTimer>

#include <cstdio>

using namespace rankdeck;

int main()
{
    const TestHome home;
    RecordedRun run(1, 8);
    run.startAll();
    Journal journal(run.directory());
    for (int index = 0; index < 100000; ++index) {
        const events::ProcessExited exited{index % 8, 1000 + index,
                                           ExitStatus{ExitStatus::Kind::Signalled, 15}};
        journal.append(RunEvent::now(exited, u"10.0.0.1"_s));
    }
    for (int turn = 0; turn < 5; ++turn) {
        QElapsedTimer clock;
        clock.start();
        const auto state = RunReader(run.directory()).open();
        std::printf("%lld\n", static_cast<long long>(state ? clock.elapsed() : -1));
    }
    return 0;
}
