// Goal: an array's elements are read and changed in place on every system, as Swift's own spans do it from macOS 26 on.
// Method: what a span shows and what it leaves behind is compared with the array, also where two arrays share
// their elements and where a closure throws.

import DaybookLMDB
import Testing

struct ArraySpanTests {
  @Test(arguments: [0, 1, 7, 1_000]) func aSpanShowsTheElements(count: Int) {
    let array = (0..<count).map { UInt64($0) &* 0x0101_0101_0101_0101 }
    let span = array.span
    #expect(span.count == count)
    for index in 0..<count where span[index] != array[index] { Issue.record("\(index)") }
    let bytes = span.bytes
    #expect(bytes.byteCount == 8 * count)
    let isEqual = array.withUnsafeBytes { own in
      bytes.withUnsafeBytes { other in own.elementsEqual(other) }
    }
    #expect(isEqual)
  }

  @Test func changesStayInTheArray() {
    var array = [UInt32](repeating: 1, count: 100)
    let sum = array.withMutableSpan { span in
      for index in 0..<span.count { span[index] += UInt32(index) }
      return span.count
    }
    #expect(sum == 100)
    #expect(array == (0..<100).map { UInt32($0) + 1 })
    // What is read before, within and after is what is there then.
    array[3] = 7
    array.withMutableSpan { $0[3] += 1 }
    #expect(array[3] == 8 && array.span[3] == 8)
  }

  @Test func whoSharesTheElementsKeepsThem() {
    let kept = [1, 2, 3]
    var changed = kept
    changed.withMutableSpan { $0.update(repeating: 0) }
    #expect(kept == [1, 2, 3] && changed == [0, 0, 0])
  }

  @Test func whatTheClosureThrowsComesOut() {
    struct Fault: Error {}
    var array = [1, 2]
    #expect(throws: Fault.self) {
      try array.withMutableSpan { span throws(Fault) in
        span[0] = 5
        throw Fault()
      }
    }
    #expect(array == [5, 2])
  }
}
