// Goal: the other files run the built command as a person or a script would. Method: each test gets a
// temporary folder of its own; the binary is the one built beside the test bundle.
import ChildPrograms
import Foundation
import Testing

/// What a run of the command gave.
struct Run {
  var status: Int32
  var output: String
  var errors: String

  /// The lines of the output.
  var lines: [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The output as JSON.
  func json(_ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation) throws -> Node {
    try Node(parsing: output, comment ?? "\(output)\(errors)", at: place)
  }

  /// The output as JSON, with names in place of the ids that `names` has.
  func named(at place: SourceLocation = #_sourceLocation) throws -> Node {
    let node = try json(at: place)
    let names = node["names"].value as? [String: String] ?? [:]
    func name(_ value: Any?) -> Any? {
      switch value {
      case let text as String: names[text] ?? text
      case let values as [Any]: values.compactMap { name($0) }
      case let members as [String: Any]: members.compactMapValues { name($0) }
      default: value
      }
    }
    return Node(value: name(node.value))
  }

  /// The error as JSON.
  func error(at place: SourceLocation = #_sourceLocation) throws -> Node {
    try Node(parsing: errors, "\(errors)", at: place)["error"]
  }
}

/// A value in JSON, walked by names and places; what is not there is nil at the end.
struct Node {
  var value: Any?

  init(value: Any?) { self.value = value }

  init(parsing text: String, _ comment: Comment, at place: SourceLocation) throws {
    value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    try #require(value != nil, comment, sourceLocation: place)
  }

  subscript(name: String) -> Node { Node(value: (value as? [String: Any])?[name]) }
  subscript(place: Int) -> Node {
    let values = value as? [Any] ?? []
    return Node(value: values.indices.contains(place) ? values[place] : nil)
  }
  /// The value as JSON, its members in order.
  var text: String {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed]
    let data = try? JSONSerialization.data(withJSONObject: value ?? NSNull(), options: options)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
  /// The value as one of the library's types.
  func decoded<Value: Decodable>(
    as type: Value.Type = Value.self, at place: SourceLocation = #_sourceLocation
  ) throws -> Value {
    try #require(value != nil, "there is no such member", sourceLocation: place)
    return try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  /// A transaction's place in lists: `2026-02-14#123`.
  var place: String? {
    guard let day = self["day"].string, let number = self["number"].int else { return nil }
    return "\(day)#\(number)"
  }
  var string: String? { value as? String }
  var int: Int? { (value as? NSNumber)?.intValue }
  var bool: Bool? { value as? Bool }
  var array: [Node] { (value as? [Any] ?? []).map { Node(value: $0) } }
  var strings: [String] { value as? [String] ?? [] }
  /// The names of an object's members.
  var names: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }
}

/// A folder in which a ledger lives for one test.
final class Desk {
  let folder: String
  /// The ledger that commands of this desk use.
  var ledger: String { "\(folder)/Household.daybook" }

  init() throws {
    folder = NSTemporaryDirectory() + "daybook-command-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The built command, beside the test bundle.
  static let binary: String? = {
    for argument in CommandLine.arguments {
      guard let bundle = argument.range(of: ".xctest") else { continue }
      let folder = URL(fileURLWithPath: String(argument[..<bundle.upperBound]))
        .deletingLastPathComponent()
      let path = folder.appendingPathComponent("daybook").path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    return nil
  }()

  /// Runs the command; arguments with spaces are given as an array.
  @discardableResult
  func run(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil,
    at place: SourceLocation = #_sourceLocation
  ) throws -> Run {
    let binary = try #require(Self.binary, "daybook was not built", sourceLocation: place)
    return try run(
      program: [binary] + arguments, environment: environment, input: input, at: place)
  }

  /// Runs any program, which comes first, with its arguments.
  func run(
    program: [String], environment: [String: String] = [:], input: String? = nil,
    at place: SourceLocation = #_sourceLocation
  ) throws -> Run {
    var variables = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "NO_COLOR", "DAYBOOK_LEDGER"] { variables[name] = nil }
    for (name, value) in environment { variables[name] = value }
    // Files rather than pipes: a pipe that no one empties would hold the command up.
    let stem = "\(folder)/run-\(UUID().uuidString)"
    for ending in [".out", ".err"] {
      try Data().write(to: URL(fileURLWithPath: stem + ending))
    }
    if let input { try Data(input.utf8).write(to: URL(fileURLWithPath: stem + ".in")) }
    let status = ChildProgram.run(
      program[0], Array(program.dropFirst()), in: folder, variables: variables,
      input: input == nil ? "/dev/null" : stem + ".in", output: stem + ".out",
      errors: stem + ".err")
    let run = Run(
      status: status,
      output: String(
        decoding: try Data(contentsOf: .init(fileURLWithPath: stem + ".out")), as: UTF8.self),
      errors: String(
        decoding: try Data(contentsOf: .init(fileURLWithPath: stem + ".err")), as: UTF8.self))
    for ending in [".out", ".err"] + (input == nil ? [] : [".in"]) {
      try FileManager.default.removeItem(atPath: stem + ending)
    }
    // No message is ever a dump of the stack.
    #expect(
      !run.errors.contains("Fatal error") && !run.errors.contains("Stack dump"), "\(run.errors)",
      sourceLocation: place)
    return run
  }

  /// Runs a command written as one line, split at spaces.
  @discardableResult
  func run(
    _ line: String, environment: [String: String] = [:],
    at place: SourceLocation = #_sourceLocation
  ) throws -> Run {
    try run(
      line.split(separator: " ").map(String.init), environment: environment, at: place)
  }

  /// Runs a command that has to succeed.
  @discardableResult
  func done(_ line: String, at place: SourceLocation = #_sourceLocation) throws -> Run {
    let run = try run(line, at: place)
    try #require(run.status == 0, "\(line): \(run.errors)", sourceLocation: place)
    return run
  }

  /// Writes a file next to the ledger and says where.
  func write(_ name: String, _ text: String) throws -> String {
    let path = "\(folder)/\(name)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    return path
  }
}
