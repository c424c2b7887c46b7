#pragma once

#include "base/oneshottimer.h"
#include "device/sampling/chipturns.h"
#include "device/sampling/devicetool.h"

#include <QDeadlineTimer>
#include <QHash>

namespace rankdeck
{

/// `rankdeckctl devices` with this option alone prints readDcmi()'s result, as jsonTextOf() writes it.
inline constexpr char readDcmiOption[] = "--read-dcmi";

struct DeviceSamplerSettings {
    std::chrono::milliseconds interval{2000}; ///< From the start of a call to that of the next, at least.
    /// Calls run a fifth of the time at most: the next call starts 25 s after the start of one that took 5 s.
    int restFactor = 5;
    /// Calls of npu-smi for all cards that take this long are complemented by a stream, see DeviceStream.
    std::chrono::milliseconds slowCall{1000};
    std::chrono::milliseconds limit{15000};        ///< Tools that take longer are killed.
    std::chrono::milliseconds afterFailure{15000}; ///< Until the next try; doubled each time, to 2 min.
    QString helper; ///< The program that asks DCMI: rankdeckctl. Empty: DCMI cannot be used.
    /// hccn_tool, which is asked for the link of one chip at a time. Empty: links are not looked at.
    QString hccnTool;
    /// How long the answer of a single chip is used; then the chip is asked again.
    std::chrono::milliseconds errorCodesAge{60000}; ///< While its health stays.
    std::chrono::milliseconds linkAge{60000};
    std::chrono::milliseconds bitErrorsAge{600000};
    /// The pause after a question about a link or bit errors that hung or had no answer.
    std::chrono::milliseconds besidesRest{300000};
};

/// Answers of single chips to questions of their own; each kind of question takes turns over the chips.
struct ChipAnswers {
    struct ErrorCodes {
        QString healthWord; ///< The chip's health at the time of the question.
        std::optional<QList<quint32>> codes;
    };

    ChipTurns<ErrorCodes> errorCodes;
    ChipTurns<std::optional<bool>> links;
    ChipTurns<BitErrors> bitErrors;

    using Age = std::chrono::milliseconds;

    // These return the chip that is to be asked next; null if all have an answer that is younger than `age`.
    const DeviceSample *dueForErrorCodes(const QList<DeviceSample> &samples, Age age) const;
    const DeviceSample *dueForLink(const QList<DeviceSample> &samples, Age age) const;
    const DeviceSample *dueForBitErrors(const QList<DeviceSample> &samples, Age age) const;

    void addTo(QList<DeviceSample> &samples) const;
};

/// Samples the NPUs while a caller wants samples. Other processes do all of the work, one at a time: npu-smi,
/// or for DCMI `rankdeckctl devices`, because a call that hangs in the driver can be ended only with its
/// process. A tool that does not answer is killed; one that cannot even be killed (it hangs in the kernel) is
/// left alone, and no other tool is started until it has exited. npu-smi is first asked `info -m`, for the
/// logical ids, and again when the chips differ from those before; then `info` alone, for all cards at once.
/// Further values take at most one more question before a reading is reported: the error codes of a chip
/// whose health is not OK (`-t health`, when that word is new, and once a minute), or the clocks and more of
/// the card shown in detail. After the report, at most one question is about slowly changing values, which
/// later readings include: the link of a chip (hccn_tool, once a minute each) or its bit errors (`-t ecc`,
/// once in ten minutes each). Kinds of questions take turns, and so do chips, however seldom they are asked.
/// If `info` is so slow that it is seldom asked, `info watch` reports utilisation, temperature and power in
/// between; the other values of these readings come from the last `info`. An npu-smi that cannot stream is
/// not asked to stream again. Nothing here blocks.
class DeviceSampler : public QObject
{
    Q_OBJECT

public:
    explicit DeviceSampler(DeviceSource source, DeviceSamplerSettings settings = {},
                           QObject *parent = nullptr);
    ~DeviceSampler() override;

    /// Registers or removes `who` as a receiver of samples; deleting `who` removes it too. Removing the last
    /// one kills the running tool. The number of receivers does not change how often is sampled.
    void setWanted(QObject *who, bool isWanted);
    bool isWanted() const { return !m_wanting.isEmpty(); }

    /// Sets DeviceSamplerSettings::interval; it holds from the next call on.
    void setInterval(std::chrono::milliseconds interval);
    /// Sets the card whose `-t common` npu-smi is asked for at each reading. DCMI reports all of every card.
    void setDetailedCard(std::optional<CardId> card) { m_detailedCard = card; }

    const DeviceSource &source() const { return m_source; }
    /// Returns the last reading; it stays when later calls fail, so check its time.
    const std::optional<DeviceReading> &last() const { return m_last; }
    /// Returns the error that prevented a newer reading; nothing after a successful call.
    const std::optional<Error> &error() const { return m_error; }
    /// Returns how long the last call took, until its reading was emitted.
    std::chrono::milliseconds lastDuration() const { return m_lastDuration; }
    /// Returns the time from the start of a call that took this long to the start of the next one.
    std::chrono::milliseconds intervalAfter(std::chrono::milliseconds duration) const;

Q_SIGNALS:
    void sampled(const rankdeck::DeviceReading &reading);
    void failed(const rankdeck::Error &error);
    /// A tool began to run as a child of this process, in a group of its own, or has exited.
    void toolStarted(qint64 pid);
    void toolEnded(qint64 pid);

private:
    /// The questions of a round, in order; an answer decides on the next. The last two follow the reading.
    enum class Question { Map, All, Errors, Details, Link, BitErrors };

    void beginRound();
    void ask(Question question, const QStringList &arguments);
    void askAll();
    /// Asks one more question. Returns false if there is nothing more to ask.
    bool askMore();
    bool askForErrors();
    bool askForDetails();
    bool askBesides();
    bool askForLink();
    bool askForBitErrors();
    bool isBesides() const { return m_question == Question::Link || m_question == Question::BitErrors; }
    void read(const QByteArray &output, int exitCode);
    void readAll(const QByteArray &output, int exitCode);
    void readMore(const QByteArray &output);
    void readBitErrors(const QByteArray &output);
    void failQuestion(const Error &error);
    void fail(const Error &error);
    void endQuestion();
    /// Continues the round. Returns false if the round is complete.
    bool goOn();
    void scheduleNext();
    void publish();
    /// The interval of a stream, where one would help.
    std::optional<std::chrono::seconds> streamInterval() const;
    void addStreamed(const QList<DeviceSample> &samples);

    const DeviceSource m_source;
    DeviceSamplerSettings m_settings;
    QHash<QObject *, QMetaObject::Connection> m_wanting; ///< With the connection to destroyed().
    std::optional<CardId> m_detailedCard;
    OneShotTimer m_next;
    QElapsedTimer m_clock;                                  ///< Since the round began.
    std::unique_ptr<DeviceQuestion, DeleteLater> m_process; ///< Under way.
    Question m_question = Question::All;                    ///< The question of m_process.
    StreamKeeper m_stream;
    DeviceIds m_chip;                             ///< The chip asked by Errors, Link or BitErrors.
    Question m_lastMore = Question::Details;      ///< Errors or Details; the other one is next.
    Question m_lastBesides = Question::BitErrors; ///< Link or BitErrors; the other one is next.
    QElapsedTimer m_detailsFailed;                ///< Since Details failed last.
    QDeadlineTimer m_linkRest;                    ///< Until then no Link is asked.
    QDeadlineTimer m_bitErrorsRest;               ///< Until then no BitErrors are asked.
    QElapsedTimer m_besidesClock;                 ///< Since the last question began.
    bool m_isUnanswered = false;                  ///< The last question had no usable answer.
    QDateTime m_askedAt;
    std::optional<DeviceReading> m_pending; ///< A reading to which more answers are added.
    std::optional<DeviceMap> m_map;         ///< Nothing: ask for it first.
    ChipAnswers m_answers;
    std::optional<DeviceReading> m_last;
    std::optional<Error> m_error;
    std::chrono::milliseconds m_lastDuration{0};
    int m_failures = 0;         ///< Failed rounds in a row.
    bool m_hasFailed = false;   ///< This round has failed.
    bool m_hasReading = false;  ///< This round has emitted a reading.
    bool m_isCancelled = false; ///< The running question is cancelled.
};

} // namespace rankdeck
