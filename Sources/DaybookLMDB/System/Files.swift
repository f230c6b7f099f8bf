import DaybookPlatform

/// An open file or folder.
struct OpenFile: ~Copyable {
  let path: String
  let descriptor: Int32

  init(path: String, writing: Bool = false) throws(LMDBError) {
    self.path = path
    descriptor = open(path, (writing ? O_RDWR : O_RDONLY) | O_CLOEXEC)
    guard descriptor >= 0 else { throw LMDBError(code: errno, operation: "open", path: path) }
  }

  deinit {
    close(descriptor)
  }

  func byteCount() throws(LMDBError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw LMDBError(code: errno, operation: "fstat", path: path)
    }
    return Int(status.st_size)
  }

  /// Reads from an offset until the buffer is full or the file ends, and returns the number of
  /// bytes.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(LMDBError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let got = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      if got == 0 { break }
      if got > 0 {
        count += got
      } else if errno != EINTR {
        throw LMDBError(code: errno, operation: "pread", path: path)
      }
    }
    return count
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int) throws(LMDBError) {
    var count = 0
    while count < bytes.count {
      let put = bytes.withUnsafeBytes { buffer in
        let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
        return pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      }
      if put >= 0 {
        count += put
      } else if errno != EINTR {
        throw LMDBError(code: errno, operation: "pwrite", path: path)
      }
    }
  }

  /// Flushes the file to stable storage.
  func flush() throws(LMDBError) {
    #if canImport(Darwin)
      let code = fcntl(descriptor, F_FULLFSYNC)
    #else
      let code = fsync(descriptor)
    #endif
    guard code == 0 else { throw LMDBError(code: errno, operation: "fsync", path: path) }
  }
}
