internal import Journal

extension EventStore {
  /// A view of everything as of one commit, to be kept inside of a closure's scope.
  ///
  /// Views that are about to be replaced say so, and `CURRENT` is looked at then; else only now and
  /// then, for the case that somebody removed the views while they were open.
  ///
  /// - Parameter tracker: hears of what the view is asked for.
  package func view(tracking tracker: ReadTracker? = nil) throws -> View {
    while true {
      if !options.isEphemeral, published.isLookDue() { try adoptCurrentGenerations() }
      guard let open = published.open else { throw closed }
      let view = try View(open, tracker: tracker)
      if !view.head.isRetiring || options.isEphemeral { return view }
      if try folder.currentStamp() == open.stamp { return view }
      try adoptCurrentGenerations()
    }
  }

  /// What readers read now, reopened where another process replaced a generation.
  func openStore() throws -> OpenStore {
    try adoptCurrentGenerations()
    guard let open = published.open else { throw closed }
    return open
  }

  /// Opens the generations that `CURRENT` names, where it has changed since it was read.
  private func adoptCurrentGenerations() throws {
    if options.isEphemeral { return }
    guard let open = published.open else { throw closed }
    if try folder.currentStamp() == open.stamp { return }
    try published.whileFlipping {
      guard let open = published.open, try folder.currentStamp() != open.stamp else { return }
      published.open = try EventStore.openStore(
        folder, schema: schema, types: types, options: options, replacing: open)
    }
  }

  var closed: ProjectingError {
    ProjectingError(.closed, "The ledger at \(path) is closed. Open it again.")
  }
}
