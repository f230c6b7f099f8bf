// Goal: shells complete commands, flags and the ledger's names; every command has a page of the manual with
// all of its flags; and `make install` puts all of it in place and takes it away. Method: the scripts are
// made and, where the shell is there, read by it; pages are compared with what the command says of itself,
// and read by groff where it is there; make is run with the built command into a temporary folder.
import Foundation
import Testing

@Suite struct ShellTests {
  private static func program(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  private func run(
    _ program: String, _ arguments: [String], in folder: String
  ) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  // MARK: Completions

  @Test(arguments: ["bash", "zsh", "fish"]) func aShellReadsItsScript(shell: String) throws {
    let desk = try Desk()
    let script = try desk.done("completions \(shell)").output
    for word in ["register", "redo", "uncategorised", "whole-payee", "completions"] {
      #expect(script.contains(word), "\(word)")
    }
    let path = try desk.write("script", script)
    guard let program = Self.program(shell) else { return }
    let read = try run(program, ["-n", path], in: desk.folder)
    #expect(read.status == 0, "\(read.text)")
  }

  @Test func anUnknownShellIsRefused() throws {
    let run = try Desk().run("completions tcsh")
    #expect(run.status == 64 && run.errors.contains("bash"), "\(run.errors)")
  }

  /// What bash proposes for a line whose last word is being typed.
  private func proposals(_ desk: Desk, _ words: [String]) throws -> [String] {
    let bash = try #require(Self.program("bash"))
    let binary = try #require(Desk.binary)
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      PATH="\(URL(fileURLWithPath: binary).deletingLastPathComponent().path):$PATH"
      source <(daybook completions bash)
      COMP_WORDS=(daybook \(line)); COMP_CWORD=\(words.count)
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
      _daybook_with_colons daybook "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let answer = try run(bash, ["--norc", "-c", script], in: desk.folder)
    return answer.text.split(separator: "\n").map(String.init).sorted()
  }

  @Test(.enabled(if: ShellTests.program("bash") != nil)) func namesOfTheLedgerAreCompleted() throws
  {
    let desk = try Desk()
    try desk.done("init --base EUR")
    try desk.done("accounts create Checking")
    try desk.run(["accounts", "create", "Joint account"])
    try desk.done("categories create Food")
    try desk.done("categories create Groceries --parent Food")
    try desk.done("budget add Food 100")
    try desk.done("rules add Bakery --contains bread --category Food")
    try desk.done("add expense 5 --account Checking --payee Rewe --tag trip")
    for (words, expected) in [
      (["list", "--account", ""], ["Checking", "Joint account"]),
      (["register", "J"], ["Joint account"]),
      (["list", "--category", "F"], ["Food", "Food:Groceries"]),
      // Bash gives the parts of a path by themselves.
      (["list", "--category", "Food", ":", "Gr"], ["Groceries"]),
      (["list", "--category", "Food", ":"], ["Groceries"]),
      (["list", "--tag", "t"], ["trip"]), (["list", "--payee", "R"], ["Rewe"]),
      (["rules", "disable", "B"], ["Bakery"]), (["budget", "show", "F"], ["Food"]),
      (["list", "--status", "p"], ["pending"]),
      (["list", "--ledger", "elsewhere", "--account", ""], []),
    ] {
      #expect(try proposals(desk, words) == expected, "\(words)")
    }
    #expect(!FileManager.default.fileExists(atPath: desk.folder + "/elsewhere"))
  }

  // MARK: The manual

  @Test func everyCommandHasAPageWithAllOfItsFlags() throws {
    let desk = try Desk()
    let written = try desk.done("manual --folder pages")
    let tree = try desk.done("--experimental-dump-help").json()["command"]
    let commands = tree["subcommands"].array.filter { $0["commandName"].string != "help" }
    #expect(written.output == "Wrote \(commands.count + 1) pages to pages.\n")
    let whole = try String(contentsOfFile: desk.folder + "/pages/daybook.1", encoding: .utf8)
    let groff = Self.program("groff")
    for command in commands {
      let name = command["commandName"].string ?? ""
      let path = desk.folder + "/pages/daybook-\(name).1"
      let page = try String(contentsOfFile: path, encoding: .utf8)
      #expect(whole.contains("daybook\\-\(name)"), "\(name)")
      func check(_ node: Node) {
        for argument in node["arguments"].array where argument["shouldDisplay"].bool == true {
          for flag in argument["names"].array where flag["kind"].string == "long" {
            let text = "--\(flag["name"].string ?? "")".replacing("-", with: "\\-")
            #expect(page.contains("\\fB\(text)\\fR"), "\(name) \(text)")
          }
        }
        for below in node["subcommands"].array { check(below) }
      }
      check(command)
      // No line begins a request by accident.
      for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
        let known = [".TH", ".nh", ".ad", ".SH", ".SS", ".PP", ".TP", ".nf", ".fi", ".RS", ".RE"]
        #expect(known.contains { line.hasPrefix($0) }, "\(name): \(line)")
      }
      guard let groff else { continue }
      let shown = try run(groff, ["-man", "-Tutf8", "-ww", "-z", path], in: desk.folder)
      #expect(shown.status == 0 && shown.text.isEmpty, "\(name): \(shown.text)")
    }
  }

  @Test func aPageIsPrinted() throws {
    let desk = try Desk()
    #expect(try desk.done("manual list").output.hasPrefix(".TH \"DAYBOOK\\-LIST\" 1"))
    #expect(try desk.done("manual").output.contains("EXIT STATUS"))
    let unknown = try desk.run("manual lsit")
    #expect(unknown.status == 64 && unknown.errors.contains("lsit"))
    let both = try desk.run("manual list --folder x")
    #expect(both.status == 64 && !FileManager.default.fileExists(atPath: desk.folder + "/x"))
  }

  @Test(.enabled(if: ShellTests.program("make") != nil)) func makeInstallsAndTakesAway() throws {
    let desk = try Desk()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let binary = try #require(Desk.binary)
    let make = try #require(Self.program("make"))
    let places = ["PREFIX=/opt/books", "DESTDIR=\(desk.folder)/root", "BINARY=\(binary)"]
    let done = try run(make, ["-s", "-C", root, "install"] + places, in: desk.folder)
    #expect(done.status == 0, "\(done.text)")
    let prefix = "\(desk.folder)/root/opt/books"
    for file in [
      "bin/daybook", "share/man/man1/daybook.1", "share/man/man1/daybook-list.1",
      "share/bash-completion/completions/daybook", "share/zsh/site-functions/_daybook",
      "share/fish/vendor_completions.d/daybook.fish",
    ] {
      #expect(FileManager.default.fileExists(atPath: "\(prefix)/\(file)"), "\(file)")
    }
    let gone = try run(make, ["-s", "-C", root, "uninstall"] + places, in: desk.folder)
    #expect(gone.status == 0, "\(gone.text)")
    let left = FileManager.default.subpaths(atPath: prefix) ?? []
    #expect(left.allSatisfy { !$0.contains("daybook") }, "\(left)")
  }
}
