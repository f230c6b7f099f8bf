// System calls under names of their own, for types with methods that have the calls' names.

/// Opens a file, as `open(2)`.
package func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  open(path, flags, mode)
}

/// Reads bytes, as `read(2)`.
package func readFile(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int
) -> Int { read(descriptor, buffer, count) }

/// Writes bytes, as `write(2)`.
package func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Returns the time at which a file's contents were last changed.
package func modificationTime(_ status: stat) -> timespec {
  #if canImport(Darwin)
    status.st_mtimespec
  #else
    status.st_mtim
  #endif
}
