// Identity for lists in user interfaces: an id that no change affects.

extension Account: Identifiable {}
extension Category: Identifiable {}
extension Transaction: Identifiable {}
extension Budget: Identifiable {}
extension Series: Identifiable {}
extension CategoryRule: Identifiable {}
extension BalanceAssertion: Identifiable {}
extension SavedMapping: Identifiable {}
extension Allocation: Identifiable {}
extension AccountTerms: Identifiable {}
extension ExchangeRate: Identifiable {}
extension Fingerprint: Identifiable {}
extension CurrencyDefinition: Identifiable {
  /// The currency, because a currency can be defined only once.
  public var id: Currency { currency }
}
extension MissingRates: Identifiable {
  /// The two currencies, because each pair occurs only once.
  public var id: [Currency] { [source, target] }
}
