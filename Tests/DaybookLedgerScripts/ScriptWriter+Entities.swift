/// Goal: what happens to accounts, categories, rates and settings. Method: see `Script`.
package import Daybook
import DaybookRandom
import DaybookTesting

extension ScriptWriter {
  package mutating func accountCommand() -> Command {
    let id = accountID()
    switch random.number(0...9) {
    case 0, 1:
      var new = NewAccount(
        id: random.chance(10) ? nil : fresh(), name: name("Account"),
        kind: random.chance(70) ? .asset : random.pick(AccountKind.allCases), currency: currency())
      new.opening = random.chance(50) ? Money(units(), new.currency) : nil
      new.openingDay = random.chance(40) ? day() : nil
      new.isHidden = random.chance(10)
      if rare.chance(10) { new.identifiers = identifiers() }
      return .openAccount(new)
    case 2:
      var change = AccountChange(
        name: random.chance(60) ? name("Account") : nil,
        kind: random.chance(30) ? random.pick(AccountKind.allCases) : nil,
        note: random.chance(30) ? "noted" : nil, order: random.chance(20) ? 3 : nil,
        isHidden: random.chance(20) ? true : nil)
      if rare.chance(20) { change.identifiers = identifiers() }
      change.seen = outdated(oracle.accounts.first { $0.id == id })
      return .amendAccount(id, change)
    case 3: return .closeAccount(id)
    case 4: return .reopenAccount(id)
    case 5: return .setOpening(id, held(by: id), random.chance(50) ? day() : nil)
    case 6:
      return .correctBalance(
        id, held(by: id), on: day(),
        by: random.chance(40)
          ? .opening
          : .transaction(
            category: random.chance(50) ? categoryID() : nil,
            description: random.chance(30) ? "corrected" : ""))
    case 7 where random.chance(50): return .mergeAccounts(id, into: accountID())
    default:
      return .deleteAccount(id, random.pick([.keepRows, .withRows, .move(to: accountID())]))
    }
  }

  package mutating func categoryCommand() -> Command {
    let id = categoryID()
    let kind = oracle.categories.first { $0.id == id }?.kind
    switch random.number(0...9) {
    case 0..<3:
      var new = NewCategory(
        id: random.chance(10) ? nil : fresh(), name: name("Category"),
        kind: random.chance(90) ? kind ?? .expense : random.pick(CategoryKind.allCases),
        parent: random.chance(60) ? id : nil)
      if rare.chance(20) { new.origins = origins() }
      return .createCategory(new)
    case 3..<7:
      let parent: CategoryID?? =
        random.chance(60) ? .some(random.chance(25) ? nil : categoryID(kind)) : nil
      var change = CategoryChange(
        name: random.chance(40) ? name("Category") : nil, parent: parent,
        note: random.chance(20) ? "noted" : nil, isHidden: random.chance(10) ? true : nil)
      if rare.chance(20) { change.origins = origins() }
      change.seen = outdated(oracle.categories.first { $0.id == id })
      return .amendCategory(id, change)
    case 7 where random.chance(50): return .mergeCategories(id, into: categoryID(kind))
    default:
      return .deleteCategory(
        id, random.pick([nil, .keepRows, .withRows, .move(to: categoryID(kind))]))
    }
  }

  /// The account as a caller may have seen it: with an older note or numbers, or unchanged.
  private mutating func outdated(_ account: Account?) -> Account? {
    guard var account, rare.chance(20) else { return nil }
    if rare.chance(50) { account.note = "older" }
    if rare.chance(50) { account.identifiers = ["DE1"] }
    return account
  }

  /// The category as a caller may have seen it: with an older note or parent, or unchanged.
  private mutating func outdated(_ category: Category?) -> Category? {
    guard var category, rare.chance(20) else { return nil }
    if rare.chance(50) { category.note = "older" }
    if rare.chance(50) { category.parent = nil }
    return category
  }

  private mutating func origins() -> [String] {
    (0..<rare.number(0...2)).map { _ in
      rare.pick([
        "actual:1:Food", "gnucash:2:Food", "journal:3", rare.chance(5) ? "" : "actual:4:a",
      ])
    }
  }

  private mutating func identifiers() -> [String] {
    (0..<rare.number(0...2)).map { _ in
      rare.pick(["DE 1", "de1", "DE2", "77", "7-7", "078", "8", rare.chance(5) ? " - " : "9"])
    }
  }

  private mutating func name(_ what: String) -> String {
    switch random.number(0...19) {
    case 0: "  "
    case 1: "bad\u{7}name"
    case 2: String(repeating: "n", count: 201)
    case 3: "uncategorised"
    default: "\(random.chance(20) ? what.uppercased() + " " : what) \(random.number(0...30))"
    }
  }

  package mutating func rate() -> Command {
    let base = random.pick(Self.currencies.dropLast().map { $0 })
    let quoted =
      random.chance(70) ? Self.currencies[0] : random.pick(Self.currencies.dropLast().map { $0 })
    let on = random.chance(40) ? Day(year: 2000, month: 1, day: 1) ?? .min : day()
    if random.chance(12), let rate = random.some(oracle.rates) {
      return .removeRate(base: rate.base, quoted: rate.quoted, on: rate.day)
    }
    if random.chance(3) { return .removeRate(base: base, quoted: quoted, on: on) }
    let quote = Quote(
      mantissa: Int64(random.number(1...999_999)), scale: UInt8(random.number(0...4)))
    guard let quote else { preconditionFailure("a quote above zero") }
    return .setRate(ExchangeRate(base: base, quoted: quoted, day: on, quote: quote))
  }

  private mutating func mapping() -> Command {
    let known = random.some(oracle.mappings.map(\.id))
    if random.chance(20) { return .removeMapping(known ?? fresh()) }
    let look = ImportLook(
      delimiter: random.pick([",", ";", "tab"]), header: random.pick([[], ["Day", "Sum"]]),
      columnCount: random.number(0...2))
    return .putMapping(
      SavedMapping(
        id: random.chance(40) ? known ?? fresh() : fresh(),
        name: random.chance(3) ? " " : " Bank \(random.number(0...4))",
        contents: random.chance(3) ? "" : "{}", look: look,
        account: random.chance(60) ? accountID() : nil))
  }

  package mutating func rarer() -> Command {
    switch random.number(0...7) {
    case 6, 7: return mapping()
    case 0, 1:
      let added = random.chance(50) ? [day(around: 2026), day(around: 2026)] : []
      let old = random.chance(30) ? random.some(oracle.settings?.holidays ?? []) : nil
      let removed = old.map { [$0] } ?? []
      return .setSettings(
        SettingsChange(
          baseCurrency: random.chance(70)
            ? .some(random.chance(15) ? nil : random.pick(Self.currencies)) : nil,
          firstWeekday: random.chance(30) ? random.number(0...8) : nil,
          mergePolicy: random.chance(40) ? random.pick(MergePolicy.allCases) : nil,
          addedHolidays: added, removedHolidays: removed))
    case 2:
      let digits = random.chance(80) ? 1 : 2
      return .defineCurrency(
        CurrencyDefinition(
          currency: Currency(code: "GEMS", digits: digits) ?? Self.own,
          name: random.pick(["", "Gems"])))
    case 3:
      if let id = random.some(oracle.assertions.map(\.id)), random.chance(70) {
        return .removeAssertion(id)
      }
      return .removeAssertion(fresh())
    default:
      let id = random.some(oracle.assertions.map(\.id))
      let stated: AssertionID = random.chance(20) ? id ?? fresh() : fresh()
      let account = accountID()
      return .assertBalance(account, held(by: account), on: day(), id: stated)
    }
  }

  /// An amount in an account's currency, mostly.
  private mutating func held(by id: AccountID) -> Money {
    let known = oracle.accounts.first { $0.id == id }?.currency
    return Money(units(), random.chance(95) ? known ?? currency() : currency())
  }
}
