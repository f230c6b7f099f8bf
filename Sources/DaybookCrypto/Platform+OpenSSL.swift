#if !canImport(CryptoKit)
  import DaybookCLibCrypto

  /// The five operations, implemented with OpenSSL's libcrypto through its EVP interface.
  ///
  /// Every call has contexts of its own and frees them, so that any thread can call it; only the
  /// fetched algorithms are shared.
  enum Platform {
    /// A context of SHA-256.
    struct SHA256State: ~Copyable {
      private let context = EVP_MD_CTX_new()

      init() {
        require(context != nil && EVP_DigestInit_ex2(context, Library.shared.sha256, nil) == 1)
      }

      deinit { EVP_MD_CTX_free(context) }

      mutating func update(_ bytes: RawSpan) {
        unsafe bytes.withUnsafeBytes {
          require(unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1)
        }
      }

      consuming func finish() -> SHA256.Digest {
        digest { unsafe EVP_DigestFinal_ex(context, $0, nil) == 1 }
      }
    }

    static func hmacSHA256(_ message: RawSpan, key: RawSpan) -> SHA256.Digest {
      unsafe message.withUnsafeBytes { message in
        unsafe key.withUnsafeBytes { key in
          digest {
            unsafe EVP_Q_mac(
              Library.shared.context, "HMAC", nil, "SHA256", nil, pointer(key), key.count,
              pointer(message), message.count, $0, 32, nil) != nil
          }
        }
      }
    }

    static func hkdfSHA256(
      _ secret: RawSpan, salt: RawSpan?, info: RawSpan, byteCount: Int
    ) -> SecretBytes {
      let context = EVP_PKEY_CTX_new_from_name(Library.shared.context, "HKDF", nil)
      defer { EVP_PKEY_CTX_free(context) }
      require(
        EVP_PKEY_derive_init(context) == 1
          && EVP_PKEY_CTX_set_hkdf_md(context, Library.shared.sha256) == 1)
      unsafe secret.withUnsafeBytes {
        require(unsafe EVP_PKEY_CTX_set1_hkdf_key(context, pointer($0), Int32($0.count)) == 1)
      }
      if let salt, !salt.isEmpty {
        unsafe salt.withUnsafeBytes {
          require(unsafe EVP_PKEY_CTX_set1_hkdf_salt(context, pointer($0), Int32($0.count)) == 1)
        }
      }
      if !info.isEmpty {
        unsafe info.withUnsafeBytes {
          require(unsafe EVP_PKEY_CTX_add1_hkdf_info(context, pointer($0), Int32($0.count)) == 1)
        }
      }
      var count = byteCount
      let derived = SecretBytes(count: byteCount) {
        unsafe EVP_PKEY_derive(context, $0.baseAddress, &count) == 1 && count == byteCount
      }
      guard let derived else { preconditionFailure(Library.failure) }
      return derived
    }

    static func publicKey(of key: RawSpan) -> [UInt8]? {
      let pair = privateKey(key)
      defer { EVP_PKEY_free(pair) }
      var bytes = [UInt8](repeating: 0, count: X25519.byteCount)
      var count = bytes.count
      let isDone = unsafe EVP_PKEY_get_raw_public_key(pair, &bytes, &count) == 1
      return isDone && count == bytes.count ? bytes : nil
    }

    static func sharedSecret(of key: RawSpan, with publicKey: RawSpan) -> SecretBytes? {
      withoutQueuedErrors {
        let pair = privateKey(key)
        let peer = unsafe publicKey.withUnsafeBytes {
          unsafe EVP_PKEY_new_raw_public_key_ex(
            Library.shared.context, "X25519", nil, pointer($0), $0.count)
        }
        let context = EVP_PKEY_CTX_new_from_pkey(Library.shared.context, pair, nil)
        defer {
          EVP_PKEY_CTX_free(context)
          EVP_PKEY_free(peer)
          EVP_PKEY_free(pair)
        }
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_derive_set_peer(context, peer) == 1
        else { return nil }
        var count = X25519.byteCount
        return SecretBytes(count: count) {
          unsafe EVP_PKEY_derive(context, $0.baseAddress, &count) == 1 && count == $0.count
        }
      }
    }

    private static func privateKey(_ key: RawSpan) -> OpaquePointer? {
      unsafe key.withUnsafeBytes {
        unsafe EVP_PKEY_new_raw_private_key_ex(
          Library.shared.context, "X25519", nil, pointer($0), $0.count)
      }
    }

    static func areEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
      unsafe left.withUnsafeBytes { left in
        unsafe right.withUnsafeBytes { right in
          unsafe left.count == right.count
            && CRYPTO_memcmp(pointer(left), pointer(right), left.count) == 0
        }
      }
    }

    static func wipe(_ buffer: UnsafeMutableRawBufferPointer) {
      unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
  }
#endif
