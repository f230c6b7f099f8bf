#if !canImport(CryptoKit)
  import DaybookCLibCrypto

  extension Platform {
    static func seal(
      _ text: RawSpan, _ key: RawSpan, _ nonce: RawSpan, _ associated: RawSpan
    ) -> [UInt8]? {
      let context = EVP_CIPHER_CTX_new()
      defer { EVP_CIPHER_CTX_free(context) }
      guard start(context, key, nonce, encrypts: true),
        update(context, into: nil, with: associated)
      else { return nil }
      let tagStart = text.byteCount
      var sealed = [UInt8](repeating: 0, count: tagStart + ChaCha20Poly1305.tagByteCount)
      let isSealed = unsafe sealed.withUnsafeMutableBytes { sealed in
        guard let start = sealed.baseAddress else { return false }
        var count: Int32 = 0
        return unsafe update(context, into: start, with: text)
          && EVP_CipherFinal_ex(context, byte(start + tagStart), &count) == 1
          && EVP_CIPHER_CTX_ctrl(
            context, EVP_CTRL_AEAD_GET_TAG, Int32(ChaCha20Poly1305.tagByteCount),
            start + tagStart) == 1
      }
      return isSealed ? sealed : nil
    }

    static func open(
      _ text: RawSpan, _ tag: RawSpan, _ key: RawSpan, _ nonce: RawSpan, _ associated: RawSpan
    ) -> [UInt8]? {
      withoutQueuedErrors {
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        guard start(context, key, nonce, encrypts: false), expect(tag, context),
          update(context, into: nil, with: associated)
        else { return nil }
        var opened = [UInt8](repeating: 0, count: text.byteCount)
        let isAuthentic = unsafe opened.withUnsafeMutableBytes { opened in
          var (count, rest): (Int32, UInt8) = (0, 0)
          // The last step compares the tag in constant time; it produces no bytes.
          return unsafe update(context, into: opened.baseAddress, with: text)
            && EVP_CipherFinal_ex(context, &rest, &count) == 1
        }
        return isAuthentic ? opened : nil
      }
    }

    private static func start(
      _ context: OpaquePointer?, _ key: RawSpan, _ nonce: RawSpan, encrypts: Bool
    ) -> Bool {
      unsafe key.withUnsafeBytes { key in
        unsafe nonce.withUnsafeBytes { nonce in
          unsafe EVP_CipherInit_ex2(
            context, Library.shared.chaCha20Poly1305, pointer(key), pointer(nonce),
            encrypts ? 1 : 0, nil) == 1
        }
      }
    }

    /// Encrypts or decrypts a text; without `output`, only authenticates it.
    private static func update(
      _ context: OpaquePointer?, into output: UnsafeMutableRawPointer?, with input: RawSpan
    ) -> Bool {
      if input.isEmpty { return true }
      var count: Int32 = 0
      return unsafe input.withUnsafeBytes { input in
        unsafe EVP_CipherUpdate(
          context, output.map { unsafe byte($0) }, &count, pointer(input), Int32(input.count)) == 1
          && Int(count) == input.count
      }
    }

    private static func expect(_ tag: RawSpan, _ context: OpaquePointer?) -> Bool {
      // The function takes a pointer to mutable memory, but only reads from it.
      unsafe tag.withUnsafeBytes { tag in
        unsafe EVP_CIPHER_CTX_ctrl(
          context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count),
          UnsafeMutableRawPointer(mutating: tag.baseAddress)) == 1
      }
    }

    private static func byte(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt8> {
      unsafe pointer.assumingMemoryBound(to: UInt8.self)
    }
  }
#endif
