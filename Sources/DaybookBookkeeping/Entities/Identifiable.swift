// Identity for lists in user interfaces: the id, which other changes don't affect.

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
  /// The currency, which can be defined only once.
  public var id: Currency { currency }
}
extension MissingRates: Identifiable {
  /// The two currencies, which occur as a pair only once.
  public var id: [Currency] { [source, target] }
}
