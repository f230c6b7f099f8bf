import DaybookPlatform

extension LMDBError {
  /// Sentences for the system's codes that occur when files are opened, read or written.
  static func systemSentences(_ code: Int32) -> (cause: String, remedy: String)? {
    switch code {
    case ENOSPC:
      ("The disk is full.", "Free some space and repeat the transaction; nothing was lost.")
    case EDQUOT:
      ("The user's quota is used up.", "Free some space or raise the quota, and try again.")
    case EFBIG:
      (
        "The file would exceed the largest size that this process or file system allows.",
        "Raise the limit (ulimit -f) or move the folder to another file system."
      )
    case EIO:
      (
        "The device failed to read or write.",
        "Copy what can still be read to another device, and replace this one."
      )
    case ENOENT:
      ("The file or folder does not exist.", "Check the path, or create it.")
    case ENOTDIR:
      ("Part of the path is not a folder.", "Check the path.")
    case EISDIR:
      ("A folder is where a file should be.", "Check the path.")
    case EACCES, EPERM:
      (
        "The permissions of the file or folder do not allow it, or it was opened read-only.",
        "Change the permissions, or open the environment for writing."
      )
    case EROFS:
      ("The file system is mounted read-only.", "Open the environment read-only, or remount it.")
    case EINVAL:
      (
        "An argument is invalid, usually a database opened after this transaction began.",
        "Open databases before the transactions that use them."
      )
    case EBUSY, EAGAIN:
      ("Another transaction or process is using it.", "Wait until it has finished and try again.")
    case ENOMEM:
      (
        "There is not enough memory, or address space for a map of this size.",
        "Open with a smaller mapByteCount, or raise the limit (ulimit -v)."
      )
    case EMFILE, ENFILE:
      ("Too many files are open.", "Close some, or raise the limit (ulimit -n).")
    case EINTR:
      ("A signal interrupted it.", "Try again.")
    case EEXIST:
      ("The file already exists.", "Choose another path, or remove it first.")
    case ENOTEMPTY:
      ("The folder is not empty.", "Choose an empty folder.")
    case ENAMETOOLONG:
      ("The path is too long.", "Choose a shorter path.")
    case ELOOP:
      ("The path contains a loop of symbolic links.", "Check the path.")
    case EXDEV:
      ("Source and destination are on different devices.", "Choose a folder on the same device.")
    case ENODEV, ENXIO:
      ("The file system cannot map files into memory.", "Move the folder to a local file system.")
    case ENOLCK:
      (
        "The file system has no locks left, or supports none.",
        "Move the folder to a local file system."
      )
    case EOPNOTSUPP:
      ("The file system does not support this.", "Move the folder to a local file system.")
    default: nil
    }
  }
}
