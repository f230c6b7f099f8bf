import DaybookInterchange
import DaybookPackedFormats
import DaybookPlatform

/// The arguments of `daybook import`: file names, folders, or `-` for standard input.
struct ImportFiles {
  /// The source of a file's bytes.
  enum Place: Hashable {
    case path(String)
    case standardInput
  }

  /// The files to import in the given order.
  ///
  /// The files of a folder are sorted by name.
  private(set) var places: [Place] = []
  /// The names of files in folders that are skipped because of their extension.
  private(set) var leftOut: [String] = []
  /// The file name extensions that an import accepts.
  static let endings: [String] = {
    let others = PackedFormats.all.flatMap { $0.endings } + [".gz"]
    var endings = [".csv", ".tsv", ".txt"]
    for ending in others where !endings.contains(ending) { endings.append(ending) }
    return endings
  }()

  /// Expands folders to their files.
  ///
  /// - Throws: `CommandFailure` if a folder can't be read or has no file to import, or if a file is
  ///   named twice.
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
  /// The file's name in messages.
  var name: String {
    switch self {
    case .path(let path): path
    case .standardInput: RawFile.standardInputName
    }
  }

  /// The file's bytes, for passing them on without a second reference.
  func given() throws -> Handover<RawFile> {
    try Handover(read(), rest: RawFile([], name: name))
  }

  /// The file's bytes, unpacked.
  ///
  /// - Throws: `CommandFailure` if the file doesn't exist.
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
