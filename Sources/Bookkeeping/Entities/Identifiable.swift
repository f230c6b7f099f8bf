// Entities in lists of a user interface: each is itself by its id, whatever else changes.

extension Account: Identifiable {}
extension Category: Identifiable {}
extension Transaction: Identifiable {}
extension Budget: Identifiable {}
extension Series: Identifiable {}
extension CategoryRule: Identifiable {}
extension BalanceAssertion: Identifiable {}
extension SavedMapping: Identifiable {}
extension ExchangeRate: Identifiable {}
extension Fingerprint: Identifiable {}
extension CurrencyDefinition: Identifiable {
  /// The currency: each is defined once.
  public var id: Currency { currency }
}
extension MissingRates: Identifiable {
  /// The two currencies: of each pair there is one.
  public var id: [Currency] { [source, target] }
}
