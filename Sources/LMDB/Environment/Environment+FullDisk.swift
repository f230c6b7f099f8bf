internal import CLMDB

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Environment {
  /// What a failed commit really suffers from.
  ///
  /// A disk that becomes full in the middle of a write makes the write short, and LMDB calls every
  /// short write an I/O error. So an I/O error on a disk without space, or on a file that is as
  /// large as this process may make it, is reported as what it is.
  func meaning(ofCommit code: Int32) -> Int32 {
    guard code == EIO else { return code }
    let margin: UInt64 = 1 << 20
    var descriptor: Int32 = -1
    mdb_env_get_fd(raw, &descriptor)
    var volume = statvfs()
    if fstatvfs(descriptor, &volume) == 0,
      UInt64(volume.f_bavail) * UInt64(volume.f_frsize) < margin
    {
      return ENOSPC
    }
    var file = stat()
    if fstat(descriptor, &file) == 0,
      fileByteCountLimit().map({ UInt64(file.st_size) + margin > $0 }) ?? false
    {
      return EFBIG
    }
    return code
  }

  /// How large this process may make a file, where there is a limit.
  func fileByteCountLimit() -> UInt64? {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < UInt64(Int64.max) else { return nil }
    return UInt64(limit.rlim_cur)
  }
}
