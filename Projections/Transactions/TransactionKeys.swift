import DaybookBookkeeping
import DaybookEngine

/// Prefixes of the keys of `buckets` and `settled`.
enum BucketKey {
  static var all: TableKey { index(0) }

  static func type(_ type: TransactionType, _ currency: Currency) -> TableKey {
    var key = inCurrencies(type)
    key.append(currency: currency)
    return key
  }

  /// Returns the prefix of the keys for a type in any currency.
  static func inCurrencies(_ type: TransactionType) -> TableKey {
    var key = index(1)
    key.append(u8: type.rawValue)
    return key
  }

  /// Returns the prefix of the keys of `settled` for a type and a pair of currencies.
  static func settled(
    _ type: TransactionType, _ original: Currency, _ currency: Currency
  ) -> TableKey {
    var key = TableKey()
    key.append(u8: type.rawValue)
    key.append(currency: original)
    key.append(currency: currency)
    return key
  }

  private static func index(_ index: UInt8) -> TableKey {
    var key = TableKey()
    key.append(u8: index)
    return key
  }
}

/// Prefixes of the keys of the lists.
enum IndexKey {
  static func number(_ number: UInt32) -> TableKey {
    var key = TableKey()
    key.append(u32: number)
    return key
  }

  static func type(_ type: TransactionType, _ currency: Currency) -> TableKey {
    var key = TableKey()
    key.append(u8: type.rawValue)
    key.append(currency: currency)
    return key
  }
}
