internal import DaybookCLMDB
import DaybookPlatform

extension Environment {
  /// Returns the actual cause of a failed commit.
  ///
  /// If the disk fills up during a write, the write is short, and LMDB reports every short write as
  /// an I/O error. This method therefore replaces an I/O error with ENOSPC if the disk is full, or
  /// with EFBIG if the file has reached the process's size limit.
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

  /// Returns the maximum size of a file for this process, or `nil` if there is no limit.
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
