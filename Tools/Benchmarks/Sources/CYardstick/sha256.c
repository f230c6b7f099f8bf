#include "yardstick.h"
#include <string.h>

static const uint32_t K[64] = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

#define ROR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))

static void portable(uint32_t s[8], const uint8_t *p, size_t blocks) {
  for (; blocks; blocks--, p += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
      w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
             (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
      uint32_t a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + (ROR(a, 7) ^ ROR(a, 18) ^ a >> 3) + w[i - 7] +
             (ROR(b, 17) ^ ROR(b, 19) ^ b >> 10);
    }
    uint32_t v[8];
    memcpy(v, s, 32);
    for (int i = 0; i < 64; i++) {
      uint32_t e = v[4], a = v[0];
      uint32_t t = v[7] + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                   K[i] + w[i];
      uint32_t u = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
      memmove(v + 1, v, 28);
      v[4] += t;
      v[0] = t + u;
    }
    for (int i = 0; i < 8; i++) s[i] += v[i];
  }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

__attribute__((target("sha,sse4.1,ssse3")))
static void native(uint32_t s[8], const uint8_t *p, size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0bULL, 0x0405060700010203ULL);
  __m128i t = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)s), 0xB1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(s + 4)), 0x1B);
  __m128i abef = _mm_alignr_epi8(t, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, t, 0xF0);
  for (; blocks; blocks--, p += 64) {
    const __m128i abef0 = abef, cdgh0 = cdgh;
    __m128i m[4];
    for (int i = 0; i < 4; i++)
      m[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * i)), swap);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i w = m[i & 3];
      if (i >= 4) {
        __m128i x = _mm_sha256msg1_epu32(m[i & 3], m[(i + 1) & 3]);
        x = _mm_add_epi32(x, _mm_alignr_epi8(m[(i + 3) & 3], m[(i + 2) & 3], 4));
        w = m[i & 3] = _mm_sha256msg2_epu32(x, m[(i + 3) & 3]);
      }
      __m128i k = _mm_add_epi32(w, _mm_loadu_si128((const __m128i *)(K + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef0);
    cdgh = _mm_add_epi32(cdgh, cdgh0);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128((__m128i *)s, _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128((__m128i *)(s + 4), _mm_alignr_epi8(dchg, feba, 8));
}

static int has_native(void) {
  static int known = -1;
  if (known < 0) {
    unsigned a, b, c, d;
    known = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1);
  }
  return known;
}

static void blocks(uint32_t s[8], const uint8_t *p, size_t n) {
  if (has_native()) native(s, p, n); else portable(s, p, n);
}
#else
static void blocks(uint32_t s[8], const uint8_t *p, size_t n) { portable(s, p, n); }
#endif

void ys_sha256_begin(ys_sha256 *h) {
  static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(h->state, start, 32);
  h->byte_count = 0;
}

void ys_sha256_add(ys_sha256 *h, const void *bytes, size_t count) {
  const uint8_t *p = bytes;
  size_t held = h->byte_count % 64;
  h->byte_count += count;
  if (held) {
    size_t n = 64 - held < count ? 64 - held : count;
    memcpy(h->block + held, p, n);
    if (held + n < 64) return;
    blocks(h->state, h->block, 1);
    p += n;
    count -= n;
  }
  if (count >= 64) blocks(h->state, p, count / 64);
  if (count % 64) memcpy(h->block, p + count / 64 * 64, count % 64);
}

void ys_sha256_end(ys_sha256 *h, uint8_t digest[32]) {
  uint64_t bits = h->byte_count * 8;
  size_t held = h->byte_count % 64, n = held < 56 ? 64 : 128;
  uint8_t tail[128] = {0};
  memcpy(tail, h->block, held);
  tail[held] = 0x80;
  for (int i = 0; i < 8; i++) tail[n - 1 - i] = (uint8_t)(bits >> 8 * i);
  blocks(h->state, tail, n / 64);
  for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(h->state[i / 4] >> (24 - 8 * (i % 4)));
}
