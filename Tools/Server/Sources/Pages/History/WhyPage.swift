import Daybook

// The page with the commits that created and changed an entity.
extension LedgerSite {
  func why(_ context: PageContext, _ text: String) async throws -> Page {
    guard let id = EntityID(text) else { throw PageError.notFound }
    let commits = try timeline(of: id, context)
    guard !commits.isEmpty else { throw PageError.notFound }
    let subjects = try subjects(of: commits)
    return try await read(context) { context, snapshot in
      var names = try NameBook(snapshot)
      names.subjects = subjects
      let name = names.name(id, context)
      return Page(
        name == "\(id)" ? context[.why] : name, .history,
        body: TransactionPage.why(commits, context, names))
    }
  }
}
