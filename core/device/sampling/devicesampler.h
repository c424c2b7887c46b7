#pragma once

#include "device/chipturns.h"
#include "device/devicemap.h"
#include "device/devicequestion.h"
#include "device/devicesource.h"
#include "device/devicestream.h"
#include "result.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>

namespace rankdeck
{

/// `rankdeckctl devices` with this option alone: what readDcmi() says, as jsonFrom() writes it.
inline constexpr char readDcmiOption[] = "--read-dcmi";

struct DeviceSamplerSettings {
    std::chrono::milliseconds interval{2000}; ///< From the start of a call to that of the next, at least.
    /// Calls are under way a fifth of the time at most: one that takes 5 s is followed by one 25 s later.
    int restFactor = 5;
    /// Where npu-smi takes so long for all cards it is also asked to stream what it can, see DeviceStream.
    std::chrono::milliseconds slowCall{1000};
    std::chrono::milliseconds limit{15000}; ///< What takes longer is killed.
    std::chrono::milliseconds afterFailure{
        15000}; ///< Until it is tried again; twice as long each time, to 2 min.
    /// The program that asks DCMI: rankdeckctl. Empty: DCMI cannot be used.
    QString helper;
    /// hccn_tool, which is asked for the link of one chip at a time. Empty: links are not looked at.
    QString hccnTool;
    /// What a chip said besides is believed for so long; then it is its turn again.
    std::chrono::milliseconds errorCodesAge{60000}; ///< While its health stays.
    std::chrono::milliseconds linkAge{60000};
    std::chrono::milliseconds bitErrorsAge{600000};
    /// After a question about a link or bit errors that hung or cannot be answered.
    std::chrono::milliseconds besidesRest{300000};
};

/// Samples the NPUs while somebody wants that. All of it happens in other processes, one at a time: npu-smi,
/// or for DCMI `rankdeckctl devices`, because a call that hangs in the driver can be ended only with its
/// process. One that does not answer is killed; one that cannot even be killed (it hangs in the kernel) is
/// left alone, and nothing else is started until it has ended. Of npu-smi, `info -m` is asked first, for the
/// logical ids, and again when there are other chips than before; then `info` alone, for all cards at once.
/// What that does not tell takes one more question at most before a reading is told: the error codes of a
/// chip whose health is not OK (`-t health`, when that word is new, and once a minute), or the clocks and
/// more of the card that is looked at closely. Once it is told there is one at most for what changes seldom,
/// which later readings have: the link of a chip (hccn_tool, once a minute each) or its bit errors (`-t ecc`,
/// once in ten minutes each). Kinds of questions take turns, and so do chips, however seldom they are asked.
/// Where `info` is so slow that it is seldom asked, `info watch` tells in between how busy and warm chips are
/// and what power they draw; the rest of these readings is that of the last `info`. One that cannot stream is
/// not asked for that again. Nothing here blocks.
class DeviceSampler : public QObject
{
    Q_OBJECT

public:
    explicit DeviceSampler(DeviceSource source, DeviceSamplerSettings settings = {},
                           QObject *parent = nullptr);
    ~DeviceSampler() override;

    /// From now on, until setWanted() says that nobody wants samples any more or `who` is deleted. What is
    /// under way when the last one goes is killed. Coming and going does not make it sample more often.
    void setWanted(QObject *who, bool isWanted);
    bool isWanted() const { return !m_wanting.isEmpty(); }

    /// As DeviceSamplerSettings has it; the next call comes by it.
    void setInterval(std::chrono::milliseconds interval);
    /// The card whose details are shown: with npu-smi, `-t common` is asked of it for each reading. DCMI
    /// tells all of every card.
    void setDetailedCard(std::optional<CardId> card) { m_detailedCard = card; }

    const DeviceSource &source() const { return m_source; }
    /// The last reading; it stays when later calls fail, and is as old as its time says.
    const std::optional<DeviceReading> &last() const { return m_last; }
    /// Why there is no newer reading; nothing after a successful call.
    const std::optional<Error> &error() const { return m_error; }
    /// How long the last call took, until its reading was told.
    std::chrono::milliseconds lastDuration() const { return m_lastDuration; }
    /// From the start of a call that took this long to that of the next one.
    std::chrono::milliseconds intervalAfter(std::chrono::milliseconds duration) const;

Q_SIGNALS:
    void sampled(const rankdeck::DeviceReading &reading);
    void failed(const rankdeck::Error &error);
    /// What is asked runs as a child of this process, in a group of its own, and does so no more.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    /// Deleted from within its own signals.
    struct DeleteLater {
        void operator()(QObject *object) const
        {
            object->disconnect();
            object->deleteLater();
        }
    };

    /// What a round of questions asks, in this order; an answer decides on the next one. The reading is told
    /// before the last two.
    enum class Question { Map, All, Errors, Details, Link, BitErrors };

    /// What `-t health` said of a chip.
    struct ErrorCodes {
        QString healthWord; ///< That it had then.
        std::optional<QList<quint32>> codes;
    };

    void beginRound();
    void ask(Question question, const QStringList &arguments);
    void askAll();
    /// False when there is nothing more to ask.
    bool askMore();
    bool askForErrors();
    bool askForDetails();
    bool askBesides();
    bool askForLink();
    bool askForBitErrors();
    bool isBesides() const { return m_question == Question::Link || m_question == Question::BitErrors; }
    QDeadlineTimer &restOf(Question question);
    void read(const QByteArray &output, int exitCode);
    /// What npu-smi says of m_chip, or of all of a card.
    QList<DeviceSample> samplesFrom(const QByteArray &output) const;
    void readMore(const QByteArray &output);
    void readBitErrors(const QByteArray &output);
    Result<DeviceReading> readingFrom(const QByteArray &output, int exitCode) const;
    void failQuestion(const Error &error);
    void fail(const Error &error);
    void endQuestion();
    /// False when the round is over.
    bool goOn();
    void scheduleNext();
    void publish();
    /// Adds what was said besides.
    void addKnown(QList<DeviceSample> &samples) const;
    void updateStream();
    void takeStreamed(const QList<DeviceSample> &samples);
    void endStream();

    const DeviceSource m_source;
    DeviceSamplerSettings m_settings;
    QHash<QObject *, QMetaObject::Connection> m_wanting; ///< With what tells of their end.
    std::optional<CardId> m_detailedCard;
    QTimer m_next;
    QElapsedTimer m_clock;                                  ///< Since the round began.
    std::unique_ptr<DeviceQuestion, DeleteLater> m_process; ///< Under way.
    Question m_question = Question::All;                    ///< That one.
    std::unique_ptr<DeviceStream, DeleteLater> m_stream;    ///< Until it has ended.
    bool m_cannotStream = false;
    DeviceIds m_chip;                             ///< Of Errors, Link and BitErrors: the one that was asked.
    Question m_lastMore = Question::Details;      ///< Errors or Details: the other one is next.
    Question m_lastBesides = Question::BitErrors; ///< Link or BitErrors, likewise.
    QElapsedTimer m_detailsFailed;                ///< Since those were asked for last without success.
    QDeadlineTimer m_linkRest;                    ///< Until then no link is asked for.
    QDeadlineTimer m_bitErrorsRest;               ///< Nor are bit errors.
    QElapsedTimer m_besidesClock;                 ///< Since the last of either.
    bool m_isUnanswered = false;                  ///< That one.
    QDateTime m_askedAt;
    std::optional<DeviceReading> m_pending; ///< Answered, but more is asked.
    std::optional<DeviceMap> m_map;         ///< Nothing: it is to be asked for.
    ChipTurns<ErrorCodes> m_errorCodes;
    ChipTurns<std::optional<bool>> m_links;
    ChipTurns<BitErrors> m_bitErrors;
    std::optional<DeviceReading> m_last;
    std::optional<Error> m_error;
    std::chrono::milliseconds m_lastDuration{0};
    int m_failures = 0;         ///< Rounds in a row.
    bool m_hasFailed = false;   ///< This round.
    bool m_hasReading = false;  ///< This round has told one.
    bool m_isCancelled = false; ///< What is under way.
};

} // namespace rankdeck
