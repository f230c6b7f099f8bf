import Foundation

/// Where inputs to begin with are found: files of the tests, and of `../shared/data` where that is.
///
/// Nothing of them is copied into the project: what becomes of them lies in the build folder.
struct SeedFiles: Sendable {
  /// The folder of the project.
  let project: String
  /// The folder of outside data; it may be absent.
  let data: String

  /// Longer files only slow the fuzzer down.
  static let byteCountMax = 1 << 15

  init(project: String) {
    self.project = project
    data = URL(fileURLWithPath: project).deletingLastPathComponent().path + "/shared/data"
  }

  /// The contents of the files in a folder, and in those below it, whose names end so.
  func files(in folder: String, endings: [String]) -> [[UInt8]] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().filter { name in
      endings.contains { name.lowercased().hasSuffix($0) }
    }.compactMap { name in
      guard let file = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)),
        !file.isEmpty, file.count <= SeedFiles.byteCountMax
      else { return nil }
      return [UInt8](file)
    }
  }

  /// The exports of banks that the tests have.
  var banks: [[UInt8]] { files(in: project + "/Tests/Banks", endings: [".csv"]) }
}
