/// Goal: wherever a purge, a compaction, a rebuild, an erasure or a migration runs out of room, it says so,
/// loses nothing and leaves nothing behind, work goes on, and it succeeds once there is room.
/// Method: a limit on the size of files stands in for a full disk, in a process of its own (`FullTrial`). It
/// is moved up page by page from none at all, so that the first write beyond it is another one each time,
/// until the work succeeds under it. A full map is tried the same way, with some pages more of address space
/// each time.
import Testing

@Suite(.serialized) struct StepwiseFullTests {
  @Test(arguments: ["purge", "compact", "rebuild", "erase", "migrate"])
  func aFullDiskAtEveryPage(work: String) async throws {
    let place = try Place()
    try await MaintenanceTrials.run(["full", work, place.path, "files"], telling: true)
  }

  @Test(arguments: ["compact", "rebuild", "erase"])
  func aFullMapAtEveryStep(work: String) async throws {
    let place = try Place()
    try await MaintenanceTrials.run(["full", work, place.path, "map"], telling: true)
  }
}
