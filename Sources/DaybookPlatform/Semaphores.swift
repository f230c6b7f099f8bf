/// Whether LMDB's locks are named POSIX semaphores, as on Apple platforms.
///
/// Creating one fails with `EPERM` or `EINVAL` if the sandbox refuses the name, and with `ENOSPC` or
/// `EMFILE` at a limit of the system, although the disk has space. Elsewhere, the locks are mutexes
/// in the lock file.
package var hasNamedSemaphores: Bool {
  #if canImport(Darwin)
    true
  #else
    false
  #endif
}
