#pragma once

#include "device/sample/processjoin.h"

#include <nlohmann/json_fwd.hpp>

namespace rankdeck
{

struct DeviceReading;

/// An object with what the sample has: "logical_id", "physical_id", "card", "chip", "slot", "bus", "name",
/// "health" as it was printed, the numbers of forEachNumber(), "throttled" where both clocks are known,
/// "link" ("up" or "down"), "invented" (only where true), "error_codes" ("0x81AF8000") and "processes"
/// ("pid", "name", "memory_mb", "container_pid"). What is absent has no key.
nlohmann::json toJson(const DeviceSample &sample);

/// Returns nothing if it is not an object. A key with a value of another kind counts as absent.
std::optional<DeviceSample> deviceSampleFrom(const nlohmann::json &json);

/// Only the ids, under the keys above.
nlohmann::json toJson(const DeviceIds &ids);

/// {"time", "source", "driver_version", "devices"}, as jsonFrom(DeviceReading) writes it.
nlohmann::json toJson(const DeviceReading &reading);
/// Returns nothing if it is not an object with an array of devices.
std::optional<DeviceReading> deviceReadingFrom(const nlohmann::json &json);

/// The process as toJson(DeviceSample) has it, with "own_pid", "owner" and "user" where these are known.
nlohmann::json toJson(const DeviceUser &user);
/// Returns nothing if it is not an object.
std::optional<DeviceUser> deviceUserFrom(const nlohmann::json &json);

} // namespace rankdeck
