import ArgumentParser
import Daybook

/// `daybook accounts numbers`: shows and changes the IBAN and other numbers by which imports find
/// an account.
struct AccountsNumbersCommand: LedgerCommand {
  static let configuration = CommandConfiguration(
    commandName: "numbers",
    abstract: "Show, add or remove an account's IBAN and other numbers.",
    discussion: """
      Imports find an account by its numbers. Importing a file with --account or --account-for \
      adds the file's number to the account.
      """)

  @OptionGroup var ledger: LedgerOptions

  @Argument(help: "The account.", completion: LedgerCompletion.accounts)
  var account: String

  @Option(help: "A number to add; repeatable.")
  var add: [String] = []

  @Option(help: "A number to remove; repeatable.")
  var remove: [String] = []

  func execute() async throws {
    var name = account
    var numbers: [String] = []
    var id = AccountID.outside
    func look(_ snapshot: borrowing Snapshot) throws -> Account {
      let found = try Lookup.account(account, in: snapshot)
      name = found.name
      id = found.id
      numbers = found.identifiers
      return found
    }
    if add.isEmpty, remove.isEmpty {
      _ = try await ledger.read { try look($0) }
    } else {
      try await ledger.record { snapshot in
        let found = try look(snapshot)
        for number in remove {
          let key = Account.identifierKey(number)
          guard let place = numbers.firstIndex(where: { Account.identifierKey($0) == key }) else {
            throw CommandFailure.usage(
              "Couldn't remove \(number): \(name) has no such number.",
              remedy: numbers.isEmpty
                ? "It has no account numbers."
                : "Its numbers are \(numbers.joined(separator: ", ")).")
          }
          numbers.remove(at: place)
        }
        numbers += add
        var change = AccountChange()
        change.identifiers = numbers
        return [.amendAccount(found.id, change)]
      }
    }
    let (changed, names) = try await ledger.read { snapshot in
      (try snapshot.account(id), try Names(snapshot))
    }
    try ledger.answer(
      JSONAnswer(["account": changed], names),
      numbers.isEmpty
        ? "\(name) has no account numbers. Add one with --add."
        : "\(name): \(numbers.joined(separator: ", "))")
  }
}
