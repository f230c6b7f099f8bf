import Interchange
import PackedFormats

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The files that `daybook import` was given: by name, as a folder of them, or `-` for standard input.
struct ImportFiles {
  /// Where a file's bytes come from.
  enum Place: Hashable {
    case path(String)
    case standardInput
  }

  /// What is imported, in the order given; a folder's files by their names.
  private(set) var places: [Place] = []
  /// Files in folders that are no statements, by their names.
  private(set) var leftOut: [String] = []
  /// How the names of files end that may be imported.
  static let endings: [String] = {
    let others = PackedFormats.all.flatMap { $0.endings } + [".gz"]
    var endings = [".csv", ".tsv", ".txt"]
    for ending in others where !endings.contains(ending) { endings.append(ending) }
    return endings
  }()

  /// - Throws: `CommandFailure` where a folder cannot be read or has no such file.
  init(_ arguments: [String]) throws {
    for argument in arguments {
      if argument == "-" {
        places.append(.standardInput)
      } else if FileSystem.isFolder(argument) {
        try addFolder(argument)
      } else {
        places.append(.path(argument))
      }
    }
    guard Set(places).count == places.count else {
      throw CommandFailure.usage(
        "Couldn't import: a file is named twice.",
        remedy: "Name each file, or its folder, only once.")
    }
  }

  private mutating func addFolder(_ folder: String) throws {
    var found: [String] = []
    for name in try FileSystem.names(in: folder).sorted() where !name.hasPrefix(".") {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      let isStatement = Self.endings.contains { name.lowercased().hasSuffix($0) }
      if isStatement, !FileSystem.isFolder(path) {
        found.append(path)
      } else {
        leftOut.append(name)
      }
    }
    guard !found.isEmpty else {
      throw CommandFailure(
        .noInput, code: "file", "Couldn't find a file to import in the folder \(folder).",
        remedy: "File names must end in \(Self.endings.joined(separator: ", ")).")
    }
    places += found.map(Place.path)
  }
}

extension ImportFiles.Place {
  /// What the file is called in messages.
  var name: String {
    switch self {
    case .path(let path): path
    case .standardInput: "standard input"
    }
  }

  /// The file's bytes, for whoever takes them.
  func given() throws -> Handover<RawFile> {
    try Handover(read(), rest: RawFile([], name: name))
  }

  /// The file's bytes.
  func read() throws -> RawFile {
    switch self {
    case .path(let path):
      guard FileSystem.exists(path) else {
        throw CommandFailure(
          .noInput, code: "file", "Couldn't find the file \(path).", remedy: "Check the path.")
      }
      return try PackedFile.unpacked(RawFile(path: path))
    case .standardInput:
      return try PackedFile.unpacked(RawFile(try FileSystem.standardInput(), name: name))
    }
  }
}
