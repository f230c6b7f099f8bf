import Foundation

/// The sources of initial inputs: files of the tests, and outside data if available.
///
/// The files aren't copied into the project. Inputs derived from them are stored in the build
/// folder.
struct SeedFiles: Sendable {
  /// The project's folder.
  let project: String
  /// The folder of outside data, which may be missing.
  let data: String

  /// The maximum size of a file.
  ///
  /// Longer files only slow down the fuzzer.
  static let byteCountMax = 1 << 15

  init(project: String) {
    self.project = project
    data = URL(fileURLWithPath: project).deletingLastPathComponent().path + "/shared/data"
  }

  /// The contents of the files with certain endings in a folder and its subfolders.
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

  /// The files embedded in the sources of the format tests.
  var tests: [[UInt8]] {
    TestTexts(project + "/Tests/FormatTests").all.map { Array($0.utf8) }.filter {
      !$0.isEmpty && $0.count <= SeedFiles.byteCountMax
    }
  }

  /// The short literals in the sources of a folder below `Sources`, which are what a decoder
  /// recognises.
  func words(of folder: String) -> [String] {
    let sources = files(in: project + "/Sources/" + folder, endings: [".swift"])
    var words: Set<String> = []
    for source in sources {
      for line in String(decoding: source, as: UTF8.self).split(separator: "\n") {
        let literals = line.split(separator: "\"", omittingEmptySubsequences: false)
        for index in stride(from: 1, to: literals.count - 1, by: 2) {
          let word = literals[index]
          let isPlain = word.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x5C }
          if isPlain, (1...24).contains(word.utf8.count) { words.insert(String(word)) }
        }
      }
    }
    return words.sorted()
  }

  /// The bank exports of the tests.
  var banks: [[UInt8]] { files(in: project + "/Tests/Banks", endings: [".csv"]) }
}
