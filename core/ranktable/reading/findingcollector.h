#pragma once

#include "base/result.h"
#include "ranktable/reading/jsondocument.h"
#include "ranktable/table/finding.h"

#include <QHash>

// The rules of a rank table check. A rule's name never changes: programs know it.

namespace rankdeck
{

struct Rule {
    const char *name;
    Severity severity;
    const char *code; ///< The communication library's error code; empty when it shows none.
    const char *source;
};

namespace rules
{

// Where rules come from. "HCCL" alone is the parser's source code, rank table parts of its repository.
inline constexpr char json[] = "RFC 8259; HCCL reads plain JSON";
inline constexpr char hccl[] = "HCCL, rank table parser";
inline constexpr char hcclDocs[] = "HCCL user guide, rank table configuration";
inline constexpr char hcclTemplate1[] = "HCCL, rank table parser (version 1.0)";
inline constexpr char hcclTemplate2[] = "HCCL, rank table parser (template 2)";
inline constexpr char hcclSuperPod[] = "HCCL, rank table parser (version 1.2, super pods)";
inline constexpr char hcclHeterogeneous[] = "HCCL, rank table parser (version 1.1, heterogeneous)";
inline constexpr char hcclRankGraph[] = "HCCL, rank graph (version 2.0)";
inline constexpr char mindSporeDocs[] = "MindSpore documentation, rank table startup";
inline constexpr char torchNpuDocs[] = "torch_npu documentation, RANK_TABLE_FILE";
inline constexpr char davincirun[] = "davincirun, conversion of template 2";

// The file and its text.
inline constexpr Rule fileName{"file-name", Severity::Error, "EI0004", hccl};
inline constexpr Rule symbolicLink{"symbolic-link", Severity::Warning, "", torchNpuDocs};
inline constexpr Rule syntax{"json-syntax", Severity::Error, "EI0004", json};
inline constexpr Rule truncated{"json-truncated", Severity::Error, "EI0004", json};
inline constexpr Rule hostile{"json-limits", Severity::Error, "EI0004", "Rankdeck's limits"};
inline constexpr Rule elision{"json-elision", Severity::Error, "EI0004", json};
inline constexpr Rule comment{"json-comment", Severity::Warning, "EI0004", json};
inline constexpr Rule trailingComma{"json-trailing-comma", Severity::Warning, "EI0004", json};
inline constexpr Rule byteOrderMark{"json-byte-order-mark", Severity::Warning, "", json};
inline constexpr Rule duplicateKey{"duplicate-key", Severity::Warning, "", "RFC 8259, section 4"};

// Shape: what every object must hold.
inline constexpr Rule unknownForm{"unknown-form", Severity::Error, "EI0004", hccl};
inline constexpr Rule missingKey{"missing-key", Severity::Error, "EI0017", hccl};
inline constexpr Rule missingDocumentedKey{"missing-documented-key", Severity::Warning, "", hcclDocs};
inline constexpr Rule missingStatus{"missing-status", Severity::Note, "", hcclRankGraph};
inline constexpr Rule wrongType{"wrong-type", Severity::Error, "EI0014", hccl};
inline constexpr Rule notANumber{"not-a-number", Severity::Error, "EI0014", hccl};
inline constexpr Rule outOfRange{"out-of-range", Severity::Error, "EI0014", hcclDocs};
inline constexpr Rule emptyList{"empty-list", Severity::Error, "EI0014", hccl};
inline constexpr Rule longList{"list-too-long", Severity::Error, "EI0014", hcclRankGraph};
inline constexpr Rule unknownKey{"unknown-key", Severity::Note, "", hcclDocs};
inline constexpr Rule ignoredKey{"ignored-key", Severity::Note, "", hccl};
inline constexpr Rule count{"count", Severity::Error, "EI0014", hccl};
inline constexpr Rule status{"status", Severity::Error, "EI0014", hccl};
inline constexpr Rule initializing{"initializing", Severity::Warning, "", hccl};
inline constexpr Rule version{"version", Severity::Error, "EI0014", hccl};
inline constexpr Rule versionOfChip{"version-of-chip", Severity::Error, "EI0014", hccl};

// Servers.
inline constexpr Rule emptyServerId{"empty-server-id", Severity::Error, "EI0014", hccl};
inline constexpr Rule longServerId{"long-server-id", Severity::Warning, "", hcclDocs};
inline constexpr Rule maskedServerId{"masked-server-id", Severity::Warning, "", hcclDocs};
inline constexpr Rule serverIdNoAddress{"server-id-no-address", Severity::Note, "", hcclDocs};
inline constexpr Rule nodeAddress{"node-address", Severity::Error, "EI0014", hcclHeterogeneous};
inline constexpr Rule duplicateServerId{"duplicate-server-id", Severity::Error, "EI0014", hccl};
inline constexpr Rule hostIp{"host-ip", Severity::Error, "EI0014", hcclTemplate1};
inline constexpr Rule deviceCount{"device-count", Severity::Error, "EI0014", "HCCL, rank table parser (A1)"};

// Devices.
inline constexpr Rule duplicateDeviceId{"duplicate-device-id", Severity::Error, "EI0014", hccl};
inline constexpr Rule deviceIdRange{"device-id-range", Severity::Error, "EI0014", hcclDocs};
inline constexpr Rule maskedDeviceIp{"masked-device-ip", Severity::Error, "EI0014", hccl};
inline constexpr Rule invalidDeviceIp{"invalid-device-ip", Severity::Error, "EI0014", hccl};
inline constexpr Rule duplicateDeviceIp{"duplicate-device-ip", Severity::Error, "EI0014", hccl};
inline constexpr Rule missingDeviceIp{"missing-device-ip", Severity::Error, "EI0014", hcclDocs};
inline constexpr Rule noDeviceIp{"no-device-ip", Severity::Note, "", hcclDocs};
inline constexpr Rule deviceIpCount{"device-ip-count", Severity::Error, "EI0014", hccl};
inline constexpr Rule deviceIpFamily{"device-ip-family", Severity::Error, "EI0014", hccl};
inline constexpr Rule reservedPort{"reserved-port", Severity::Warning, "", hcclDocs};

// Ranks.
inline constexpr Rule duplicateRank{"duplicate-rank", Severity::Error, "EI0014", hccl};
inline constexpr Rule rankRange{"rank-range", Severity::Error, "EI0014", hccl};
inline constexpr Rule interleavedRanks{"interleaved-ranks", Severity::Error, "EI0014", hcclDocs};
inline constexpr Rule unsortedRanks{"unsorted-ranks", Severity::Note, "", hcclDocs};
inline constexpr Rule serverOrder{"server-order", Severity::Warning, "", mindSporeDocs};

// Template 2.
inline constexpr Rule duplicatePod{"duplicate-pod-name", Severity::Error, "EI0014", hcclTemplate2};
inline constexpr Rule podNumber{"pod-number", Severity::Warning, "", rules::davincirun};
inline constexpr Rule nicLocation{"nic-location", Severity::Error, "EI0014", hcclTemplate2};
inline constexpr Rule labDevices{"lab-devices-per-server", Severity::Error, "EI0014", hcclTemplate2};

// Version 1.1.
inline constexpr Rule collectiveId{"collective-id", Severity::Error, "EI0014", hcclHeterogeneous};
inline constexpr Rule nodeMode{"node-mode", Severity::Error, "EI0014", hcclHeterogeneous};

// Super pods.
inline constexpr Rule superDeviceId{"super-device-id", Severity::Error, "EI0014", hcclSuperPod};
inline constexpr Rule duplicateSuperDeviceId{"duplicate-super-device-id", Severity::Error, "EI0014",
                                             hcclSuperPod};
inline constexpr Rule noSuperPods{"no-super-pods", Severity::Warning, "", hcclSuperPod};
inline constexpr Rule superPodId{"super-pod-id", Severity::Error, "EI0014", hcclSuperPod};
inline constexpr Rule superPodServer{"super-pod-server", Severity::Error, "EI0014", hcclSuperPod};
inline constexpr Rule superPodOrder{"super-pod-order", Severity::Error, "EI0014", hcclSuperPod};

// Version 2.0.
inline constexpr Rule networkLayer{"network-layer", Severity::Error, "EI0014", hcclRankGraph};
inline constexpr Rule networkAddress{"network-address", Severity::Error, "EI0014", hcclRankGraph};
inline constexpr Rule backupDevice{"backup-device", Severity::Error, "EI0014", hcclRankGraph};

} // namespace rules

/// Collects findings: the first hundred of each rule, the number of others, and the first that is unusable.
class FindingCollector
{
public:
    static constexpr int keptOfARule = 100;

    /// Whether Rankdeck can launch with the table in spite of the finding.
    enum class Effect { Usable, Unusable };

    void add(const Rule &rule, JsonValue at, const QString &what, const QString &mend = {},
             Effect effect = Effect::Usable);
    void add(const Rule &rule, const JsonDocument &document, qsizetype offset, const QString &what,
             const QString &mend, Effect effect = Effect::Usable);
    /// Adds a finding about the whole file.
    void add(const Rule &rule, const QString &what, const QString &mend);

    /// The finding for which the table cannot be used.
    const std::optional<Finding> &unusable() const { return m_unusable; }
    /// Returns the kept findings by place; the last of a rule says how many more there were. Call it once.
    Findings take();

private:
    /// Counts the finding; returns true if it is to be kept.
    bool isKept(const Rule &rule, Effect effect);
    void keep(const Rule &rule, TextPlace at, const QString &pointer, const QString &what,
              const QString &mend, Effect effect);

    Findings m_findings;
    QHash<const Rule *, int> m_counts;
    std::optional<Finding> m_unusable;
};

} // namespace rankdeck
