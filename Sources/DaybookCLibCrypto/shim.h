#pragma once
#if __has_include(<openssl/evp.h>)
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/opensslv.h>
#include <openssl/provider.h>
#if OPENSSL_VERSION_MAJOR < 3
#error "Daybook needs OpenSSL 3 or later; the headers found here belong to an older version."
#endif
#else
#error "OpenSSL's headers were not found. Debian, Ubuntu: apt-get install libssl-dev   Fedora: dnf install openssl-devel"
#endif
