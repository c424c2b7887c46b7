#pragma once

#include "ranktable/reading/tablereading.h"
#include "ranktable/rules/ranktablecheck.h"

namespace rankdeck
{

/// Checks version and status of the table, the version against the chip, and every count against its list.
void checkHeader(const ReadTable &read, const CheckOptions &options, FindingCollector &findings);

/// Checks server_id (node_addr): unique, of allowed length, an address; host_ip; devices per server.
void checkServers(const ReadTable &read, const CheckOptions &options, FindingCollector &findings);

/// device_id: unique in a server, in the range of the chip. Ports that the system reserves.
void checkDevices(const ReadTable &read, const CheckOptions &options, FindingCollector &findings);

/// device_ip: there when needed, an address, unique, as many and of the same family for all.
void checkDeviceIps(const ReadTable &read, const CheckOptions &options, FindingCollector &findings);

/// rank_id: 0 to n - 1, each once, servers not interleaved, in the order of file and server_id.
void checkRanks(const ReadTable &read, FindingCollector &findings);

/// Template 2: pod names, the lab's keys.
void checkGroups(const ReadTable &read, FindingCollector &findings);

/// Version 1.1: collective_id, mode, rank_ip.
void checkNodeList(const ReadTable &read, FindingCollector &findings);

/// Version 1.2: super_device_id, super pods and their servers.
void checkSuperPods(const ReadTable &read, FindingCollector &findings);

/// Version 2.0: network layers and addresses of each rank.
void checkRankList(const ReadTable &read, FindingCollector &findings);

/// The kind of address in a text. Masked: a place to fill in, such as "xx.xx.xx.xx".
enum class AddressKind { IPv4, IPv6, Masked, None };
AddressKind addressKindOf(const QString &text);

} // namespace rankdeck
