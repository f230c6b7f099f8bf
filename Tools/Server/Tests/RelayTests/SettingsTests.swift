// Goal: what a relay is told by flags, environment and file is taken in that order, and nothing half right is.
// Method: settings of an environment and of a file that the test writes.

import Foundation
import RelayServer
import Testing

@Suite struct SettingsTests {
  private func settings(
    _ file: String?, _ environment: [String: String] = [:]
  ) throws -> RelaySettings {
    guard let file else { return try RelaySettings(path: nil, environment: environment) }
    let scratch = Scratch()
    try Data(file.utf8).write(to: URL(fileURLWithPath: scratch.path))
    return try RelaySettings(path: scratch.path, environment: environment)
  }

  @Test func theFirstThatSaysItIsTaken() throws {
    let found = try settings(
      "# A comment\n\n host = 0.0.0.0\nport=8482\npostgres = host=a,b dbname=relay\n",
      ["DAYBOOK_RELAY_PORT": "9"])
    #expect(
      try settings("requests-per-second = 9").number(.requestsPerSecond, in: 1...10) == 9)
    #expect(found[.host] == "0.0.0.0" && found[.port] == "9" && found[.key] == nil)
    #expect(
      try found.place(folder: nil, postgres: nil) == .postgres("host=a,b dbname=relay"))
    #expect(try found.place(folder: "x", postgres: nil) == .folder("x"))
    let other = try settings("postgres = a", ["DAYBOOK_RELAY": "/srv/relay"])
    #expect(try other.place(folder: nil, postgres: nil) == .folder("/srv/relay"))
    #expect(try other.place(folder: nil, postgres: "b") == .postgres("b"))
    #expect(try settings(nil).place(folder: nil, postgres: nil) == .folder("relay"))
  }

  @Test func theEnvironmentNamesAFile() throws {
    let scratch = Scratch()
    try Data("port = 7".utf8).write(to: URL(fileURLWithPath: scratch.path))
    #expect(try settings(nil, ["DAYBOOK_RELAY_CONFIG": scratch.path])[.port] == "7")
    let missing = scratch.path + "x"
    let fault = #expect(throws: RelaySettings.Fault.self) {
      try settings(nil, ["DAYBOOK_RELAY_CONFIG": missing])
    }
    #expect(fault?.description.contains("Couldn't read the settings file \(missing)") == true)
  }

  @Test(arguments: ["port", "prot = 1", "port = 1\nport = 2"]) func aWrongLineIsNamed(
    _ line: String
  ) throws {
    let fault = #expect(throws: RelaySettings.Fault.self) { try settings("host = a\n" + line) }
    #expect(fault?.description.contains("line \(line.contains("\n") ? 3 : 2)") == true)
  }

  @Test func whatContradictsIsRefused() throws {
    for found in [try settings("folder = a\npostgres = b"), try settings("port = 0")] {
      #expect(throws: RelaySettings.Fault.self) {
        _ = try found.place(folder: nil, postgres: nil)
        _ = try found.number(.port, in: 1...9)
      }
    }
    #expect(throws: RelaySettings.Fault.self) {
      try settings(nil).place(folder: "a", postgres: "b")
    }
  }

  @Test func aPasswordIsSeen() {
    for url in [
      "postgresql://relay:secret@db/relay", "host=a password=b", "host=a PASSWORD = 'b'",
      "postgresql://db/relay?user=a&password=b",
    ] {
      #expect(RelaySettings.hasPassword(url), "\(url)")
    }
    for url in ["postgresql://relay@db:5432/relay", "host=a passfile=/x", "postgresql://a,b/relay"]
    {
      #expect(!RelaySettings.hasPassword(url), "\(url)")
    }
  }
}
