public import Entities

extension Series {
  /// Reads a packed record.
  public init(_ bytes: RawSpan, id: EntityID, number: UInt64) throws(DecodingFault) {
    var amount: Money?
    var schedule: Schedule?
    var anchor: Day?
    self.init(
      id: SeriesID(id), number: number, name: "",
      template: SeriesTemplate(type: .expense, amount: Money(0, Currency(packed: 0))),
      schedule: Schedule(.month), anchor: Day(rawValue: 0))
    var reader = RecordReader(bytes)
    while let property = try reader.next() {
      var value = ByteReader(property.value)
      switch property.tag {
      case Tag.Series.name: name = try property.text()
      case Tag.Series.amount: amount = try property.money()
      case Tag.Series.schedule: schedule = try Schedule(&value)
      case Tag.Series.anchor: anchor = try property.day()
      case Tag.Series.end: end = try property.day()
      case Tag.Series.countMax: countMax = try property.signed()
      case Tag.Series.pausedFrom: pausedFrom = try property.day()
      case Tag.Series.skipped:
        for _ in 0..<(try value.count()) {
          let (first, end) = (try value.day(), try value.day())
          guard first <= end else { throw .invalidValue("skipped days") }
          skipped.append(first..<end)
        }
      case Tag.Series.ahead: ahead = try property.signed()
      default: try template.read(property)
      }
    }
    guard let amount, let schedule, let anchor else {
      throw .invalidValue("series without amount, schedule or anchor")
    }
    template.amount = amount
    self.schedule = schedule
    self.anchor = anchor
  }

  /// The properties packed.
  public func record() -> Record {
    var writer = RecordWriter(reserving: 160)
    writer.put(Tag.Series.name, text: name)
    writer.put(Tag.Series.type, code: template.type.rawValue)
    writer.put(Tag.Series.amount, money: template.amount)
    writer.put(Tag.Series.account, id: template.account?.rawValue)
    writer.put(Tag.Series.category, id: template.category?.rawValue)
    writer.put(Tag.Series.otherAccount, id: template.otherAccount?.rawValue)
    if let units = template.accountUnits {
      writer.put(Tag.Series.accountUnits) { $0.zigzag(units) }
    }
    writer.put(Tag.Series.description, text: template.description)
    writer.put(Tag.Series.payee, text: template.payee)
    writer.put(Tag.Series.note, text: template.note)
    writer.put(Tag.Series.tags, list: template.tags) { $0.string($1) }
    writer.put(Tag.Series.schedule) { schedule.write(to: &$0) }
    writer.put(Tag.Series.anchor, day: anchor)
    writer.put(Tag.Series.end, day: end)
    writer.put(Tag.Series.countMax, signed: countMax)
    writer.put(Tag.Series.pausedFrom, day: pausedFrom)
    writer.put(Tag.Series.skipped, list: skipped) {
      $0.u32be($1.lowerBound.biased)
      $0.u32be($1.upperBound.biased)
    }
    if ahead != 1 { writer.put(Tag.Series.ahead) { $0.zigzag(ahead) } }
    writer.put(Tag.Series.isPending, flag: template.isPending)
    return writer.record
  }
}

extension SeriesTemplate {
  fileprivate mutating func read(_ property: borrowing Property) throws(DecodingFault) {
    switch property.tag {
    case Tag.Series.type: type = try property.code()
    case Tag.Series.account: account = AccountID(try property.id())
    case Tag.Series.category: category = CategoryID(try property.id())
    case Tag.Series.otherAccount: otherAccount = AccountID(try property.id())
    case Tag.Series.accountUnits: accountUnits = try property.signed()
    case Tag.Series.description: description = try property.text()
    case Tag.Series.payee: payee = try property.text()
    case Tag.Series.note: note = try property.text()
    case Tag.Series.tags:
      var value = ByteReader(property.value)
      for _ in 0..<(try value.count()) { tags.append(try value.string()) }
    case Tag.Series.isPending: isPending = try property.flag()
    default: throw property.unknown
    }
  }
}

extension Schedule {
  fileprivate init(_ reader: inout ByteReader) throws(DecodingFault) {
    let unit: ScheduleUnit = try reader.code()
    let count = try reader.varint()
    guard let count = Int(exactly: count), count > 0 else { throw .invalidValue("schedule") }
    self.init(every: count, unit, monthEnd: try reader.code())
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.u8(unit.rawValue)
    writer.varint(UInt64(clamping: count))
    writer.u8(monthEnd.rawValue)
  }
}
