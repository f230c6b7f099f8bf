#if !canImport(CryptoKit)
  import DaybookCLibCrypto

  /// The libcrypto algorithms that all calls share; they are fetched once, because looking up an
  /// algorithm takes longer than hashing a commit.
  ///
  /// They come from a library context of Daybook's own, with the provider that is part of
  /// libcrypto. Neither the machine's openssl.cnf nor an app's own use of OpenSSL can therefore
  /// affect the bytes of a ledger.
  ///
  /// `@unchecked Sendable`: the pointers never change, and OpenSSL allows any number of threads to
  /// use a library context and a fetched algorithm at once.
  struct Library: @unchecked Sendable {
    let context: OpaquePointer?
    let sha256: OpaquePointer?
    let chaCha20Poly1305: OpaquePointer?

    static let shared = Library()

    private init() {
      // Threads may still be hashing while the process exits, so libcrypto must not free its memory
      // then.
      OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT | OPENSSL_INIT_NO_LOAD_CONFIG), nil)
      context = OSSL_LIB_CTX_new()
      _ = OSSL_PROVIDER_load(context, "default")
      sha256 = EVP_MD_fetch(context, "SHA256", nil)
      chaCha20Poly1305 = EVP_CIPHER_fetch(context, "ChaCha20-Poly1305", nil)
      require(sha256 != nil && chaCha20Poly1305 != nil)
    }

    static let failure = "OpenSSL's libcrypto failed: the process is probably out of memory."
  }

  /// Traps unless a call succeeded.
  ///
  /// With the arguments used in this module, a call can fail only for lack of memory, in which case
  /// Swift also traps.
  func require(_ isDone: Bool) { precondition(isDone, Library.failure) }

  /// Returns the digest that `body` writes; `body` returns whether it succeeded.
  func digest(_ body: (UnsafeMutablePointer<UInt8>) -> Bool) -> SHA256.Digest {
    var words: SHA256.Digest = (0, 0, 0, 0)
    unsafe withUnsafeMutableBytes(of: &words) { buffer in
      unsafe buffer.withMemoryRebound(to: UInt8.self) { bytes in
        require(unsafe bytes.baseAddress.map { unsafe body($0) } ?? false)
      }
    }
    return (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
  }

  /// Returns the address of bytes.
  ///
  /// The result isn't null even if there are no bytes, because a null pointer has another meaning
  /// in OpenSSL.
  func pointer(_ buffer: UnsafeRawBufferPointer) -> UnsafePointer<UInt8>? {
    unsafe (buffer.baseAddress ?? UnsafeRawPointer(bitPattern: 1))?
      .assumingMemoryBound(to: UInt8.self)
  }

  /// Calls `body`, and removes the errors that it leaves in the thread's queue: other users of
  /// OpenSSL in the process, such as libpq, would mistake them for their own.
  func withoutQueuedErrors<Result>(_ body: () -> Result) -> Result {
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    return body()
  }
#endif
