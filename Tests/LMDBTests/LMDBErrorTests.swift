// Goal: every error says what caused it and what to do, and can be told apart by its kind. Method:
// all codes of LMDB by number (the range is closed in its header), all of ours, the common errnos.

import Foundation
import Testing

@testable import DaybookLMDB

@Suite struct LMDBErrorTests {
  private func error(_ code: Int32) -> LMDBError {
    LMDBError(code: code, operation: "mdb_put", path: "/there")
  }

  @Test func everyCodeOfLMDBHasCauseAndRemedy() {
    var causes: Set<String> = []
    for code in Int32(-30_799)...(-30_780) {
      let error = error(code)
      #expect(error.cause.hasSuffix("."), "\(code)")
      #expect(error.remedy.hasSuffix("."), "\(code)")
      #expect(!error.cause.hasPrefix("The system reports"), "\(code)")
      #expect(error.kind != .other, "\(code)")
      causes.insert(error.cause)
    }
    #expect(causes.count == 20)
  }

  @Test func everyCodeOfOursHasCauseAndRemedy() {
    for code in Int32(-40_010)...(-40_001) {
      #expect(!error(code).cause.hasPrefix("The system reports"), "\(code)")
      #expect(error(code).kind != .other, "\(code)")
    }
    #expect(error(-40_011).kind == .other)
  }

  @Test(arguments: [
    ENOSPC, EDQUOT, EFBIG, EIO, ENOENT, EACCES, EPERM, EROFS, EINVAL, EBUSY, EAGAIN, ENOMEM, EMFILE,
    ENFILE, EINTR, EEXIST, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EXDEV, ENODEV, ENOLCK, ENOTEMPTY,
  ]) func commonErrnosHaveCauseAndRemedy(code: Int32) {
    #expect(!error(code).cause.hasPrefix("The system reports"))
    #expect(error(code).remedy.hasSuffix("."))
  }

  /// Where LMDB's locks are named semaphores, the same numbers mean something else when opening.
  @Test func aSemaphoreIsNotADisk() {
    for code in [EPERM, EINVAL, ENOSPC, ENOENT, 0] {
      #expect(LMDBError.opening(code, withSemaphores: false) == code)
    }
    for code in [EPERM, EINVAL] {
      let refused = error(LMDBError.opening(code, withSemaphores: true))
      #expect(refused.kind == .notPermitted)
      #expect(refused.cause.contains("sandbox") && refused.remedy.contains("App Group"))
    }
    let limit = error(LMDBError.opening(ENOSPC, withSemaphores: true))
    #expect(limit.kind == .resources)
    #expect(limit.cause.contains("limit") && !limit.cause.contains("disk"))
    for code in [ENOENT, EMFILE, EACCES, 0] {
      #expect(LMDBError.opening(code, withSemaphores: true) == code)
    }
  }

  @Test func unknownErrnoIsNamedByTheSystem() {
    let error = error(EPIPE)
    #expect(error.kind == .other)
    #expect(error.cause.contains("Broken pipe"))
  }

  @Test func descriptionSaysWhereAndWhatToDo() {
    let text = error(ENOSPC).description
    #expect(text.contains("mdb_put failed on /there (diskFull, code 28)"))
    #expect(text.contains("The disk is full. Free some space"))
  }

  @Test func kinds() {
    #expect(error(-30_792).kind == .mapFull)
    #expect(error(EDQUOT).kind == .diskFull)
    #expect(error(-30_796).kind == .corrupted)
    #expect(error(-30_794).kind == .versionMismatch)
    #expect(error(-30_790).kind == .readersFull)
    #expect(error(-30_781).kind == .badValueSize)
  }
}
