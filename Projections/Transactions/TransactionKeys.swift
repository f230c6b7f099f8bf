import Bookkeeping
import Projecting
import ProjectionSupport

/// What the keys of `buckets` begin with.
enum BucketKey {
  static var all: TableKey { index(0) }

  static func type(_ type: TransactionType, _ currency: Currency) -> TableKey {
    var key = inCurrencies(type)
    key.append(currency: currency)
    return key
  }

  /// What the keys of a type in any currency begin with.
  static func inCurrencies(_ type: TransactionType) -> TableKey {
    var key = index(1)
    key.append(u8: type.rawValue)
    return key
  }

  private static func index(_ index: UInt8) -> TableKey {
    var key = TableKey()
    key.append(u8: index)
    return key
  }
}

/// What the keys of the lists begin with.
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
