import Foundation
import Synchronization

/// The anonymous memory of this process in kilobytes (Linux; 0 on other systems).
func anonymousKilobytes() -> Int {
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else {
    return 0
  }
  for line in text.split(separator: "\n") where line.hasPrefix("RssAnon:") {
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
  return 0
}

/// Samples the anonymous memory of this process in a separate task.
private final class MemoryWatch: Sendable {
  private let peak = Atomic(0)
  private let isDone = Atomic(false)

  func look() -> Int {
    let now = anonymousKilobytes()
    if now > peak.load(ordering: .relaxed) { peak.store(now, ordering: .relaxed) }
    return peak.load(ordering: .relaxed)
  }

  @concurrent func watch() async {
    while !isDone.load(ordering: .relaxed) {
      _ = look()
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  func stop() { isDone.store(true, ordering: .relaxed) }
}

/// Runs `body` and returns the peak of the anonymous memory, sampled every 5 ms.
func peakAnonymousKilobytes(during body: () async throws -> Void) async throws -> Int {
  let watch = MemoryWatch()
  let task = Task { await watch.watch() }
  defer { watch.stop() }
  try await body()
  watch.stop()
  await task.value
  return watch.look()
}

/// The sum of the lengths of all files in a folder, in bytes, without LMDB's lock files.
func folderByteCount(_ folder: String) -> Int {
  guard let paths = FileManager.default.enumerator(atPath: folder) else { return 0 }
  var bytes = 0
  for case let path as String in paths where !path.hasSuffix("lock.mdb") {
    bytes += (try? fileByteCount(folder + "/" + path)) ?? 0
  }
  return bytes
}
