import Foundation

/// A relay's settings, which come from the environment and from a configuration file.
///
/// Command-line flags take precedence over the environment, and the environment over the file.
public struct RelaySettings: Sendable {
  /// The name of a setting.
  public enum Name: String, CaseIterable, Sendable {
    /// The folder of an embedded relay.
    case folder
    /// The connection string for PostgreSQL, in libpq's syntax.
    case postgres
    /// A connection string that bypasses a pooler, for notifications between processes.
    case postgresDirect = "postgres-direct"
    /// The maximum number of connections to PostgreSQL per process.
    case connections
    /// The maximum number of open connections of devices per process.
    case connectionsOpen = "connections-open"
    /// The maximum number of requests per second from one device.
    case requestsPerSecond = "requests-per-second"
    /// The address and the port to listen on.
    case host, port
    /// The certificate chain and its private key.
    case certificate, key

    /// The name of the environment variable.
    public var variable: String {
      if self == .folder { return "DAYBOOK_RELAY" }
      return "DAYBOOK_RELAY_" + rawValue.uppercased().replacing("-", with: "_")
    }
  }

  private let file: [Name: String]
  private let environment: [String: String]

  /// An error that means that a setting is invalid or unreadable; it includes the file's line if
  /// known.
  public struct Fault: Error, Hashable, CustomStringConvertible {
    /// The problem, in one sentence.
    public let description: String
  }

  /// Reads the settings from an environment and a file.
  ///
  /// - Parameter path: The file, or `nil` for the file that `DAYBOOK_RELAY_CONFIG` names, if any.
  /// - Throws: ``Fault``.
  public init(path: String?, environment: [String: String]) throws {
    self.environment = environment
    guard let path = path ?? environment["DAYBOOK_RELAY_CONFIG"] else {
      file = [:]
      return
    }
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw Fault(
        description: "Couldn't read the settings file \(path): \(error.localizedDescription)")
    }
    file = try Self.parse(String(decoding: bytes, as: UTF8.self), path)
  }

  /// Parses lines of `name = value`; empty lines and lines that begin with `#` are ignored.
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
            "\(path), line \(index + 1): expected name = value, each name once. Names: \(names)."
        )
      }
      found[name] = parts[1]
    }
    return found
  }

  /// The value of a setting; the environment takes precedence over the file.
  public subscript(name: Name) -> String? { environment[name.variable] ?? file[name] }

  /// Returns the value of a setting as a number.
  ///
  /// - Throws: ``Fault`` if the value is not a number within the bounds.
  public func number(_ name: Name, in bounds: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), bounds.contains(number) else {
      throw Fault(
        description: "\(name.rawValue) must be a number from \(bounds.lowerBound) to "
          + "\(bounds.upperBound), not “\(text)”.")
    }
    return number
  }

  /// The location of the logs: a folder or PostgreSQL.
  public enum Place: Hashable, Sendable {
    /// The logs are in a folder on this machine.
    case folder(String)
    /// The logs are in a PostgreSQL cluster.
    case postgres(String)

    /// The folder's path, or the connection string without its password.
    public var name: String {
      switch self {
      case .folder(let path): path
      case .postgres(let url):
        url.replacing(/password\s*=\s*('[^']*'|[^\s&]+)/.ignoresCase(), with: "password=…")
          .replacing(/(:\/\/[^\/@:]*):[^\/@]+@/) { "\($0.1):…@" }
      }
    }
  }

  /// Returns the location of the logs from the flags, the environment or the file, in this order.
  ///
  /// The default is the folder `relay`.
  ///
  /// - Throws: ``Fault`` if the same source names both a folder and PostgreSQL.
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
      default: throw Fault(description: "Use only one of \(names).")
      }
    }
    return .folder("relay")
  }

  /// Returns whether a connection string contains a password.
  ///
  /// Such a string must not be on the command line, where other users could read the password.
  public static func hasPassword(_ url: String) -> Bool {
    url.contains(/password\s*=/.ignoresCase()) || url.contains(/:\/\/[^\/@]*:[^\/@]+@/)
  }
}
