// PostgreSQL's client library: Debian's libpq-dev, or libpq of Homebrew.
#include <libpq-fe.h>
