/// What an idempotency key stands for: a digest of the commands as they were given.
///
/// The digest is SHA-256 over a canonical text of the commands: for each value its type's name,
/// then its stored properties by name and value, in order of declaration, nested. Equal commands
/// have equal digests, in every process and on every platform. (The text is made by reflection: it
/// changes when a property of a command is renamed, so such a change needs an entry in the
/// changelog.)
enum RequestDigest {
  static func digest(of commands: [Command]) -> Hash256 {
    var text = ""
    dump(commands, to: &text, maxDepth: 32)
    return Hash256(hashing: Array(text.utf8))
  }
}
