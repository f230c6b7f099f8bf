import DaybookPlatform

/// Memory that was freed but not returned to the operating system.
enum FreedMemory {
  /// Returns freed memory to the operating system, if the allocator requires an explicit call for
  /// this.
  ///
  /// glibc keeps freed memory for the thread that freed it. Files are read on one thread and
  /// recorded on other threads, so without this call, the freed memory of all threads would add up.
  /// The call takes some milliseconds.
  static func giveBack() {
    #if canImport(Glibc)
      // Look the function up, because Swift's glibc module doesn't include malloc.h.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      typealias Trim = @convention(c) (Int) -> Int32
      _ = unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
  }
}
