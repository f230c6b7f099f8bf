import Foundation

/// What a relay is told beside its command line: by the environment, or by one file.
///
/// A flag goes before the environment, and the environment before the file.
public struct RelaySettings: Sendable {
  /// What can be set.
  public enum Name: String, CaseIterable, Sendable {
    /// The folder of an embedded relay.
    case folder
    /// How to reach PostgreSQL, as libpq takes it.
    case postgres
    /// How to reach it past a pooler, for what is told between processes.
    case postgresDirect = "postgres-direct"
    /// How many connections to PostgreSQL a process has at most.
    case connections
    /// How many connections of devices a process has open at most.
    case connectionsOpen = "connections-open"
    /// How many requests a device may make in a second.
    case requestsPerSecond = "requests-per-second"
    /// The address and the port to listen at.
    case host, port
    /// The certificate's chain and its private key.
    case certificate, key

    /// The variable of the environment.
    public var variable: String {
      if self == .folder { return "DAYBOOK_RELAY" }
      return "DAYBOOK_RELAY_" + rawValue.uppercased().replacing("-", with: "_")
    }
  }

  private let file: [Name: String]
  private let environment: [String: String]

  /// What cannot be read of a file, and in which line.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    /// What is wrong.
    public let description: String
  }

  /// Settings of an environment, and of a file where it names one.
  ///
  /// - Parameter path: The file; where it is `nil`, the one that `DAYBOOK_RELAY_CONFIG` names.
  /// - Throws: ``Fault``.
  public init(path: String?, environment: [String: String]) throws {
    self.environment = environment
    guard let path = path ?? environment["DAYBOOK_RELAY_CONFIG"] else {
      file = [:]
      return
    }
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw Fault(description: "\(path) cannot be read: \(error.localizedDescription)")
    }
    file = try Self.parse(String(decoding: bytes, as: UTF8.self), path)
  }

  /// Lines of `name = value`; an empty one, or one that begins with `#`, says nothing.
  private static func parse(_ text: String, _ path: String) throws -> [Name: String] {
    var found: [Name: String] = [:]
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard parts.count == 2, let name = Name(rawValue: parts[0]), found[name] == nil else {
        let names = Name.allCases.map(\.rawValue).joined(separator: ", ")
        throw Fault(
          description:
            "\(path), line \(index + 1): a line is name = value, each name once: \(names)."
        )
      }
      found[name] = parts[1]
    }
    return found
  }

  /// What a setting is, the environment first.
  public subscript(name: Name) -> String? { environment[name.variable] ?? file[name] }

  /// What a setting is as a number.
  ///
  /// - Throws: ``Fault`` where it is none, or not within the bounds.
  public func number(_ name: Name, in bounds: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), bounds.contains(number) else {
      throw Fault(
        description: "\(name.rawValue) is a number from \(bounds.lowerBound) to "
          + "\(bounds.upperBound), not “\(text)”.")
    }
    return number
  }

  /// Where logs are kept: a folder, or PostgreSQL.
  public enum Place: Hashable, Sendable {
    /// In a folder on this machine.
    case folder(String)
    /// In a PostgreSQL cluster.
    case postgres(String)

    /// The path or the connection string, without a password.
    public var name: String {
      switch self {
      case .folder(let path): path
      case .postgres(let url):
        url.replacing(/password\s*=\s*('[^']*'|[^\s&]+)/.ignoresCase(), with: "password=…")
          .replacing(/(:\/\/[^\/@:]*):[^\/@]+@/) { "\($0.1):…@" }
      }
    }
  }

  /// Where logs are kept, by the first of flags, environment and file that says it; else in `relay`.
  ///
  /// - Throws: ``Fault`` where one of them names both.
  public func place(folder: String?, postgres: String?) throws -> Place {
    let said = [
      (folder, postgres, "--folder and --postgres"),
      (
        environment[Name.folder.variable], environment[Name.postgres.variable],
        "\(Name.folder.variable) and \(Name.postgres.variable)"
      ),
      (file[.folder], file[.postgres], "folder and postgres"),
    ]
    for (folder, postgres, names) in said {
      switch (folder, postgres) {
      case (let folder?, nil): return .folder(folder)
      case (nil, let postgres?): return .postgres(postgres)
      case (nil, nil): continue
      default: throw Fault(description: "Either of \(names), not both.")
      }
    }
    return .folder("relay")
  }

  /// Whether a connection string has a password in it, which whoever sees the command line would read.
  public static func hasPassword(_ url: String) -> Bool {
    url.contains(/password\s*=/.ignoresCase()) || url.contains(/:\/\/[^\/@]*:[^\/@]+@/)
  }
}
