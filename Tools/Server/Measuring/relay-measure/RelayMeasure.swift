import DaybookSyncWire
import Foundation
import Relay
import RelayPostgres

/// Asks a relay's store, or a relay over HTTP, as many devices at a time as are asked for, each in a loop.
///
/// Usage: relay-measure prepare PLACE FILE, which makes logs and writes the tokens of their devices into the file; then
/// relay-measure push|last|amid PLACE CLIENTS SECONDS FILE. The place is a folder, a cluster as libpq takes it, or
/// http://127.0.0.1:PORT. Prints how many a second there were, and p50 and p99 in milliseconds.
@main
struct RelayMeasure {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    if words.count == 3, words[0] == "prepare" {
      let tokens = try await Logs.make(on: open(words[1], 2))
      try tokens.joined(separator: "\n").write(toFile: words[2], atomically: true, encoding: .utf8)
      return
    }
    guard words.count == 5, let kind = Logs.Kind(rawValue: words[0]), let clients = Int(words[2]),
      1...Logs.deviceCount ~= clients, let seconds = Double(words[3])
    else {
      print("Usage: relay-measure prepare PLACE FILE, or push|last|amid PLACE CLIENTS SECONDS FILE")
      exit(64)
    }
    let all = try String(contentsOfFile: words[4], encoding: .utf8).split(separator: "\n")
    let tokens = all.map(String.init).dropFirst(kind == .push ? 0 : Logs.deviceCount)
    let times =
      if let port = words[1].split(separator: ":").last.flatMap({ Int($0) }),
        words[1].hasPrefix("http:")
      {
        try HTTPLoad(port: port, kind: kind, seconds: seconds).times(Array(tokens.prefix(clients)))
      } else {
        try await StoreLoad(store: open(words[1], clients), kind: kind, seconds: seconds)
          .times(Array(tokens.prefix(clients)))
      }
    let sorted = times.sorted()
    let rate = String(format: "%.1f", Double(times.count) / seconds)
    print(rate, milliseconds(sorted, 50), milliseconds(sorted, 99))
  }

  private static func open(_ place: String, _ clients: Int) async throws -> any RelayStore {
    guard place.contains("=") else { return try EmbeddedRelayStore.open(folder: place) }
    let pool = PostgresPool(place, size: max(2, clients))
    _ = try await Schema.migrate(pool)
    return try await PostgresRelayStore.open(pool)
  }

  private static func milliseconds(_ times: [Double], _ percent: Int) -> String {
    guard !times.isEmpty else { return "0" }
    return String(format: "%.3f", times[min(times.count - 1, times.count * percent / 100)] * 1_000)
  }
}

/// In seconds.
func passed(since start: ContinuousClock.Instant) -> Double {
  (ContinuousClock.now - start) / .seconds(1)
}
