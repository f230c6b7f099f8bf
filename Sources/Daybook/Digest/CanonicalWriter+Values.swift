extension CanonicalWriter {
  mutating func put(_ new: NewAccount) {
    put(1, new.id)
    put(2, text: new.name)
    put(3, new.kind)
    put(4, new.currency)
    put(5, number: new.openingBalance)
    put(6, new.openingDay)
    put(7, text: new.note)
    put(8, number: new.order)
    put(9, flag: new.isHidden)
    if !new.identifiers.isEmpty { put(10, texts: new.identifiers) }
  }

  mutating func put(_ change: AccountChange) {
    put(2, change.name)
    put(3, change.kind)
    put(4, change.note)
    put(5, change.order)
    put(6, change.isHidden)
    put(7, change.seen)
    put(8, change.identifiers)
  }

  mutating func put(_ new: NewCategory) {
    put(1, new.id)
    put(2, text: new.name)
    put(3, new.kind)
    put(4, new.parent)
    put(5, text: new.note)
    put(6, number: new.order)
    put(7, flag: new.isHidden)
  }

  mutating func put(_ change: CategoryChange) {
    put(2, change.name)
    put(3, change.parent)
    put(4, change.note)
    put(5, change.order)
    put(6, change.isHidden)
    put(7, change.seen)
  }

  mutating func put<Owner>(_ policy: DeletionPolicy<Identifier<Owner>>) {
    switch policy {
    case .keepRows: put(2, 1 as Int64?)
    case .withRows: put(2, 2 as Int64?)
    case .move(let target): put(3, target)
    }
  }

  mutating func put(_ change: SettingsChange) {
    if let base = change.baseCurrency {
      nest(1) { $0.put(1, base) }
    }
    put(2, change.firstWeekday.map(Int64.init))
    put(3, change.mergePolicy)
  }

  mutating func put(_ row: ImportRow) {
    nest(1) { $0.put(row.draft) }
    put(2, number: Int64(row.line))
    put(3, text: row.reference)
    if let choice = row.choice { nest(4) { $0.put(choice) } }
    end()
  }

  mutating func put(_ draft: Draft) {
    put(draft.shape)
    put(5, draft.day)
    put(6, draft.id)
    put(7, text: draft.description)
    put(8, text: draft.payee)
    put(9, text: draft.note)
    put(10, texts: draft.tags)
    put(11, draft.status)
    if let identity = draft.importIdentity {
      nest(12) {
        $0.put(1, identity.original.map { TransactionID($0) })
        $0.put(2, text: identity.reference)
      }
    }
    if let link = draft.series { nest(13) { $0.put(link) } }
    put(14, draft.categorizedBy)
    put(15, draft.valueDay)
    put(16, text: draft.code)
  }

  mutating func put(_ amendment: Amendment) {
    if let shape = amendment.shape { put(shape) }
    put(5, amendment.day)
    put(6, amendment.amount)
    put(7, amendment.account)
    put(8, amendment.category)
    put(9, amendment.otherAccount)
    put(10, amendment.accountAmount)
    put(11, amendment.targetAmount)
    put(12, amendment.description)
    put(13, amendment.payee)
    put(14, amendment.note)
    put(15, amendment.tags)
    put(16, amendment.status)
    if let link = amendment.series {
      nest(17) { if let link { $0.put(link) } }
    }
    put(18, amendment.categorizedBy)
    put(19, amendment.seen)
    if let day = amendment.valueDay { nest(20) { $0.put(1, day) } }
    put(21, amendment.code)
  }

  mutating func put(_ scope: SeriesScope) {
    switch scope {
    case .seriesOnly: break
    case .future(let day): put(2, day)
    case .all(let day): put(3, day)
    }
  }

  mutating func put(_ link: SeriesLink) {
    put(1, link.series)
    put(2, link.occurrence)
  }

  /// A shape takes the tags 1 to 4.
  private mutating func put(_ shape: Draft.Shape) {
    switch shape {
    case .entry(let entry):
      nest(1) {
        $0.put(1, CanonicalWriter.code(entry.direction))
        $0.put(2, entry.amount)
        $0.put(3, entry.account)
        $0.put(4, entry.category)
        $0.put(5, entry.accountAmount)
      }
    case .transfer(let transfer):
      nest(2) {
        $0.put(1, transfer.amount)
        $0.put(2, transfer.source)
        $0.put(3, transfer.target)
        $0.put(4, transfer.targetAmount)
      }
    case .split(let split):
      nest(3) {
        $0.put(1, split.account)
        $0.put(2, split.kind)
        $0.put(3, each: split.parts) { $0.put($1) }
        $0.put(4, split.accountAmount)
      }
    case .postings(let postings): put(4, each: postings) { $0.put($1) }
    }
  }

  private static func code(_ direction: Draft.Direction) -> Int64? {
    switch direction {
    case .expense: 0
    case .refund: 1
    case .income: 2
    case .incomeReversal: 3
    }
  }

  private mutating func put(_ part: Draft.Part) {
    put(1, part.amount)
    put(2, part.category)
    put(3, text: part.note)
    put(4, flag: part.isReversed)
    end()
  }

  private mutating func put(_ posting: Posting) {
    switch posting.target {
    case .account(let id): put(1, id)
    case .category(let id): put(2, id)
    }
    put(3, posting.amount)
    put(4, text: posting.note)
    end()
  }
}
