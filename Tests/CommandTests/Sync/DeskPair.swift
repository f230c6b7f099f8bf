import Testing

/// Two desks and the relay by which they share a ledger, which has a row.
struct DeskPair {
  let relay: RelayDouble
  let phone: Desk
  let laptop: Desk

  init() throws {
    relay = try RelayDouble()
    phone = try Desk()
    laptop = try Desk()
    try phone.done("init --base EUR")
    try phone.done("accounts create Cash --currency EUR --opening 100")
    try phone.done("categories create Food")
    try phone.done("add expense 23.50 --account Cash --category Food --payee Rewe --on 2026-02-14")
  }

  /// Has the laptop join the phone's ledger.
  func share() async throws {
    let token = await relay.token()
    let started = try phone.done(
      "sync start --relay \(relay.address) --token \(token) --device phone --json")
    let code = try started.json()["code"].string ?? ""
    let joined = try laptop.done("sync join \(code) --relay \(relay.address) --device laptop")
    #expect(joined.output.contains("laptop, phone"))
  }
}
