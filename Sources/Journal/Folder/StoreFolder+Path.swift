#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension StoreFolder {
  /// One name for a folder, whether it is there yet or not: absolute, without links where they can be followed.
  package static func canonicalPath(_ path: String) -> String {
    var (head, tail) = (path, [String]())
    while true {
      while head.count > 1, head.hasSuffix("/") { head.removeLast() }
      if let real = resolved(head.isEmpty ? "." : head) {
        return ([real == "/" ? "" : real] + tail.reversed()).joined(separator: "/")
      }
      guard !head.isEmpty else { return path }
      let slash = head.lastIndex(of: "/")
      tail.append(String(slash.map { head[head.index(after: $0)...] } ?? head[...]))
      head = slash.map { $0 == head.startIndex ? "/" : String(head[..<$0]) } ?? ""
    }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }
}
