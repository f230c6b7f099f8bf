#if canImport(Glibc)
  import Glibc
#endif

/// Memory that was freed and that the process still holds.
enum FreedMemory {
  /// Gives it back to the system, where the system's allocator has to be told.
  ///
  /// glibc keeps what a thread has freed for that thread. A file is read on one thread and recorded on others,
  /// so that without this the rows of both would count. It takes some milliseconds.
  static func giveBack() {
    #if canImport(Glibc)
      // Swift's module of glibc does not have malloc.h.
      guard let symbol = dlsym(nil, "malloc_trim") else { return }
      typealias Trim = @convention(c) (Int) -> Int32
      _ = unsafeBitCast(symbol, to: Trim.self)(0)
    #endif
  }
}
