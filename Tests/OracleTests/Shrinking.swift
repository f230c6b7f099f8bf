/// Goal: a failure that can be read. Method: steps, then commands, are left out as long as the rest
/// still fails.
import Daybook

extension Script {
  /// A shorter script that fails as well, and how.
  func shrunk(onDisk: Bool, from difference: any Error) async -> (Script, any Error) {
    var best = self
    var last = difference
    var attempts = 0
    func fails(_ script: Script) async -> (any Error)? {
      attempts += 1
      do {
        try await Player.play(script, onDisk: onDisk)
        return nil
      } catch { return error }
    }
    var index = best.steps.count - 1
    while index >= 0, attempts < 200 {
      var shorter = best
      shorter.steps.remove(at: index)
      if let error = await fails(shorter) { (best, last) = (shorter, error) }
      index -= 1
    }
    for index in best.steps.indices {
      guard case .append(let commands) = best.steps[index], commands.count > 1 else { continue }
      var kept = commands
      for position in commands.indices.reversed() where attempts < 300 && kept.count > 1 {
        var fewer = kept
        fewer.remove(at: position)
        var shorter = best
        shorter.steps[index] = .append(fewer)
        if let error = await fails(shorter) {
          kept = fewer
          (best, last) = (shorter, error)
        }
      }
    }
    return (best, last)
  }
}
