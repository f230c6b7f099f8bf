import DaybookEntities

extension ByteWriter {
  mutating func span(_ value: RawSpan) {
    unsafe value.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  mutating func span(_ value: RawSpan, _ range: Range<Int>) {
    span(value.extracting(range))
  }
}
