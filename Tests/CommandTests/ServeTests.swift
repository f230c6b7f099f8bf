// Goal: `daybook serve` hands everything on to daybook-serve, and says how to build it where it is not there.
// Method: a script of that name on PATH writes down what it was given.
import Foundation
import Testing

@Suite struct ServeTests {
  @Test func withoutTheServerItSaysHowToBuildIt() throws {
    let desk = try Desk()
    let run = try desk.run("serve", environment: ["PATH": "/nowhere"])
    #expect(run.status == 66 && run.output.isEmpty)
    #expect(run.errors.contains("make serve") && run.errors.contains("--package-path Tools/Server"))
    let json = try desk.run("serve --json", environment: ["PATH": "/nowhere"])
    #expect(try json.error()["code"].string == "notInstalled")
  }

  @Test func everythingIsHandedOn() throws {
    let desk = try Desk()
    let script = try desk.write("daybook-serve", "#!/bin/sh\necho \"$@\"\nexit 7\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let run = try desk.run(
      "serve --port 9000 --ledger x.daybook --help", environment: ["PATH": desk.folder])
    #expect(run.status == 7)
    #expect(run.output == "--port 9000 --ledger x.daybook --help\n")
  }
}
