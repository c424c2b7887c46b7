#pragma once

#include "run/record/runevent.h"

#include <QFile>
#include <QTest>

namespace rankdeck
{

/// Verifies that each sentence for users in a run's journal says how it was made, so that readers get it in
/// their language. Why a process was not started is what the system says.
inline void verifySaid(const QString &runDirectory)
{
    QFile journal(runDirectory + u"/journal.jsonl"_s);
    QVERIFY(journal.open(QIODevice::ReadOnly));
    int sentences = 0;
    while (!journal.atEnd()) {
        const auto event = RunEvent::fromLine(journal.readLine());
        QVERIFY(event);
        const Sentence text = event->text();
        if (text.isEmpty() || event->is<events::ProcessNotStarted>())
            continue;
        ++sentences;
        QVERIFY2(!text.isPlain(), event->toLine().constData());
    }
    QVERIFY(sentences > 0);
}

} // namespace rankdeck
