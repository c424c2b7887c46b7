#include "run/record/runreader.h"

#include "base/regularfile.h"
#include "run/record/rundirectory.h"

namespace rankdeck
{

RunReader::RunReader(QString directory)
    : m_directory(std::move(directory))
{
}

Result<RunState> RunReader::open()
{
    const auto record = readRunRecord(m_directory);
    if (!record)
        return record.error();
    m_record = *record;
    m_state = {};
    m_state.name = m_record.name;
    m_state.directory = m_directory;
    m_state.spec = std::make_shared<const LaunchSpec>(m_record.spec);
    m_state.setPlan(m_record.plan);
    m_state.created = m_record.created;
    m_state.failure = m_record.failure;
    m_offset = 0;
    m_partial.clear();
    m_recordIsStale = false;
    readJournal();
    if (m_recordIsStale)
        readRecord();
    concludeIfUnwatched();
    return m_state;
}

bool RunReader::update()
{
    bool changed = readJournal();
    if (m_recordIsStale || !m_record.supervisor)
        changed = readRecord() || changed;
    return concludeIfUnwatched() || changed;
}

bool RunReader::concludeIfUnwatched()
{
    if (!isLive(m_state.phase) || isWatched(m_record))
        return false;
    // The supervisor may have finished the run since the journal was read.
    readJournal();
    bool changed = readRecord();
    if (!isWatched(m_record) && isLive(m_state.phase)) {
        concludeWithoutJournal();
        changed = true;
    }
    return changed || !isLive(m_state.phase);
}

/// The journal's last line is missing and will not come: the record says how the run ended, or that it is
/// lost.
void RunReader::concludeWithoutJournal()
{
    if (!isLive(m_record.phase)) {
        m_state.conclude(m_record.phase, m_record.ended, m_record.exitCode);
        return;
    }
    m_state.conclude(RunPhase::Lost, m_lastEventTime.isValid() ? m_lastEventTime : m_state.created, 1);
    const Sentence loss = lossText(m_state.ended, false);
    m_state.notes << loss;
    if (!m_state.failure)
        m_state.failure = failureOfLoss(m_record, loss);
}

bool RunReader::readRecord()
{
    const auto record = readRunRecord(m_directory);
    if (!record)
        return false;
    m_recordIsStale = false;
    const bool changed = record->failure != m_record.failure || record->supervisor != m_record.supervisor ||
                         record->guardian != m_record.guardian || m_state.failure != record->failure;
    m_record.failure = record->failure;
    m_record.supervisor = record->supervisor;
    m_record.guardian = record->guardian;
    m_record.starter = record->starter;
    m_record.isGivenUp = record->isGivenUp;
    m_record.phase = record->phase;
    m_record.ended = record->ended;
    m_record.exitCode = record->exitCode;
    m_state.failure = record->failure;
    return changed;
}

void RunReader::readPlan()
{
    const auto record = readRunRecord(m_directory);
    if (!record || record->plan == m_record.plan)
        return;
    m_record.plan = record->plan;
    m_state.replacePlan(m_record.plan);
}

bool RunReader::readJournal()
{
    RegularFile journal(journalPath(m_directory));
    if (!journal.open(QIODevice::ReadOnly) || !journal.seek(m_offset))
        return false;
    const QByteArray added = journal.readAll();
    if (added.isEmpty())
        return false;
    m_offset += added.size();
    m_partial += added;

    qsizetype begin = 0;
    for (qsizetype end; (end = m_partial.indexOf('\n', begin)) >= 0; begin = end + 1) {
        const auto event = RunEvent::fromLine(m_partial.mid(begin, end - begin));
        if (!event)
            continue;
        m_state.apply(*event);
        if (event->is<events::Planned>())
            readPlan();
        m_lastEventTime = event->wall;
        if (event->is<events::FailureRecorded, events::Finished>())
            m_recordIsStale = true;
    }
    m_partial.remove(0, begin);
    return true;
}

} // namespace rankdeck
