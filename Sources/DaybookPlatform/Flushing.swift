/// Flushes a file or folder to stable storage.
///
/// On Apple platforms, `fsync` only reaches the drive's cache, so `F_FULLFSYNC` is used. File systems
/// that don't support it, such as those of some network drives, get an `fsync` instead.
///
/// - Returns: 0, or the system's error number.
package func flushToDrive(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return repeatedly { fsync(descriptor) }
}

/// Flushes a file's contents and only the metadata needed to read them; see ``flushToDrive(_:)``.
///
/// - Returns: 0, or the system's error number.
package func flushContentToDrive(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    return flushToDrive(descriptor)
  #else
    return repeatedly { fdatasync(descriptor) }
  #endif
}

/// Whether `fsync` reaches stable storage, so that a file flushed with it needs no
/// ``flushToDrive(_:)``.
package var fsyncReachesDrive: Bool {
  #if canImport(Darwin)
    false
  #else
    true
  #endif
}

private func repeatedly(_ flush: () -> Int32) -> Int32 {
  while flush() != 0 {
    if errno != EINTR { return errno }
  }
  return 0
}
