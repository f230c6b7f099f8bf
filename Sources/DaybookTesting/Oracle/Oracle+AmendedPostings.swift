/// Goal: reimplement what an amendment makes of a transaction's postings. Method: follow the
/// documentation of `Amendment`.
import Daybook

extension Oracle {
  /// Returns the postings after an amendment and whether an amount was converted, or `nil` if nothing
  /// changes.
  func amendedPostings(_ wish: Amendment, _ old: Transaction, on day: Day) throws
    -> (postings: [Posting], isConverted: Bool)?
  {
    let touches = wish.touchesFigures
    if !touches, wish.shape == nil, day == old.day { return nil }
    let before = form(of: old)
    var after = wish.shape ?? before
    var wish = wish
    if wish.type != nil { (after, wish) = try turned(before, wish, old, day) }
    if touches { after = try changed(after, wish) }
    let existing = Array(old.postings)
    let isStated = wish.accountAmount != nil || wish.targetAmount != nil
    if wish.shape != nil {
      if !old.isConverted { after = try keepingStated(before, in: after, old, day) }
    } else if !isStated {
      let isKept =
        old.isConverted || wish.isOfSeries
        ? day == old.day && (basis(before) == basis(after) || isTurned(before, after, wish))
        : try fits(stated(after), after)
      if !isKept { after = stating(nil, after) }
    }
    if before == after {
      return isStated ? (existing, false) : nil
    }
    let made = try postings(after, day, existing)
    let wasConverted = wish.shape == nil && !isStated && old.isConverted
    return (made, exchanges(made) && (wasConverted || converts(after, wish.isConverted)))
  }

  /// Returns whether money goes through the exchange account.
  func exchanges(_ postings: [Posting]) -> Bool {
    postings.contains { $0.account == .account(.exchange) }
  }

  /// Returns whether a shape needs a rate, or postings needed one.
  func converts(_ shape: Draft.Shape, _ didConvert: Bool) -> Bool {
    if case .postings = shape { didConvert } else { stated(shape) == nil }
  }

  private func stated(_ shape: Draft.Shape) -> Money? {
    switch shape {
    case .entry(let entry): entry.accountAmount
    case .transfer(let transfer): transfer.targetAmount
    case .split(let split): split.accountAmount
    case .postings: nil
    }
  }

  private func stating(_ money: Money?, _ shape: Draft.Shape) -> Draft.Shape {
    switch shape {
    case .entry(var entry):
      entry.accountAmount = money
      return .entry(entry)
    case .transfer(var transfer):
      transfer.targetAmount = money
      return .transfer(transfer)
    case .split(var split):
      split.accountAmount = money
      return .split(split)
    case .postings: return shape
    }
  }

  /// Returns a shape without what an amendment can change without affecting a conversion.
  private func basis(_ shape: Draft.Shape) -> Draft.Shape {
    switch stating(nil, shape) {
    case .entry(var entry):
      entry.category = nil
      return .entry(entry)
    case let other: return other
    }
  }

  /// Returns whether a stated amount can be the amount on the shape's account.
  private func fits(_ stated: Money?, _ shape: Draft.Shape) throws -> Bool {
    guard let stated else { return true }
    func isOwn(_ account: AccountID?) throws -> Bool {
      guard let account, !account.isBuiltin else { return false }
      return accounts[try accountIndex(account)].currency == stated.currency
    }
    switch shape {
    case .entry(let entry):
      return try isOwn(entry.account) && entry.amount.currency != stated.currency
    case .transfer(let transfer):
      let isOutside = transfer.target?.isBuiltin ?? true
      return try (isOutside || isOwn(transfer.target))
        && transfer.amount.currency != stated.currency
    case .split(let split):
      return try isOwn(split.account)
        && split.parts.contains { $0.amount.currency != stated.currency }
    case .postings: return true
    }
  }

  /// Returns the new shape with the old one's stated amount if the categories' sums stay the same.
  private func keepingStated(
    _ before: Draft.Shape, in after: Draft.Shape, _ old: Transaction, _ day: Day
  ) throws -> Draft.Shape {
    func side(_ shape: Draft.Shape) -> (account: AccountID, sign: Bool)? {
      switch shape {
      case .entry(let entry):
        entry.account.map {
          ($0, entry.direction == .expense || entry.direction == .incomeReversal)
        }
      case .split(let split): split.account.map { ($0, false) }
      default: nil
      }
    }
    guard stated(after) == nil, let money = stated(before), let was = side(before),
      let now = side(after), was.account == now.account
    else { return after }
    func sums(_ postings: [Posting]) -> [Currency: Int128] {
      var sums: [Currency: Int128] = [:]
      for posting in postings
      where posting.account != .account(was.account) && posting.account != .account(.exchange) {
        sums[posting.amount.currency, default: 0] += Int128(posting.amount.minorUnits)
      }
      return sums
    }
    guard let kept = was.sign == now.sign ? money : try? money.negated() else { return after }
    if case .entry = after, kept.minorUnits < 0 { return after }
    let candidate = stating(kept, after)
    guard try fits(kept, candidate) else { return after }
    let made = try postings(candidate, day, Array(old.postings))
    return sums(made) == sums(Array(old.postings)) ? candidate : after
  }

  private func changed(_ shape: Draft.Shape, _ wish: Amendment) throws -> Draft.Shape {
    switch shape {
    case .entry(var entry):
      try check(wish.otherAccount == nil && wish.targetAmount == nil, .shape)
      entry.amount = wish.amount ?? entry.amount
      entry.account = wish.account ?? entry.account
      if let category = wish.category {
        let isExpense = entry.direction == .expense || entry.direction == .refund
        try check(try known(category).kind == (isExpense ? .expense : .income), .kind)
        entry.category = category
      }
      entry.accountAmount = wish.accountAmount ?? entry.accountAmount
      return .entry(entry)
    case .transfer(var transfer):
      try check(wish.category == nil && wish.accountAmount == nil, .shape)
      transfer.amount = wish.amount ?? transfer.amount
      transfer.source = wish.account ?? transfer.source
      transfer.target = wish.otherAccount ?? transfer.target
      transfer.targetAmount = wish.targetAmount ?? transfer.targetAmount
      return .transfer(transfer)
    case .split(var split):
      try check(wish.targetAmount == nil && wish.amount == nil, .shape)
      for (index, part) in split.parts.enumerated() {
        if let category = wish.category, part.account == nil {
          try check(split.parts.filter { $0.account == nil }.count == 1, .shape)
          let kind = try known(part.category ?? .uncategorizedExpense).kind
          try check(try known(category).kind == kind, .kind)
          split.parts[index].category = category
        }
        if let account = wish.otherAccount, part.account != nil {
          try check(split.parts.filter { $0.account != nil }.count == 1, .shape)
          split.parts[index].account = account
        }
      }
      let hasCategory = split.parts.contains { $0.account == nil }
      try check(wish.category == nil || hasCategory, .shape)
      let hasAccount = split.parts.contains { $0.account != nil }
      try check(wish.otherAccount == nil || hasAccount, .shape)
      split.account = wish.account ?? split.account
      split.accountAmount = wish.accountAmount ?? split.accountAmount
      return .split(split)
    case .postings: throw OracleRefusal(.shape)
    }
  }

  /// Returns the postings, in which a posting without a note keeps the note of the old posting at
  /// the same index.
  ///
  /// If the number of postings differs, the note of the old posting to the same account is kept
  /// instead.
  func keepingNotes(_ postings: [Posting], of old: [Posting]) -> [Posting] {
    var noted = postings
    for index in noted.indices where noted[index].note.isEmpty {
      noted[index].note =
        old.count == noted.count
        ? old[index].note : old.first { $0.account == noted[index].account }?.note ?? ""
    }
    return noted
  }
}
