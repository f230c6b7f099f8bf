# The commands for developers and build machines. Run `make` alone for a list.
SHELL := /bin/bash
SWIFT ?= swift
# The paths that the formatter lints; its settings are in .swift-format.
FORMATTED := Package.swift Sources Projections Tools Tests Docs
# Flags for release, demo, outside, bench and the Swift tests, such as make test-engine FLAGS="--filter Ledger".
FLAGS ?=
# The maximum number of tests that run at once. Without it, all tests start at once, and those waiting for a ledger
# keep its files open, more than the default limit of a process (1,024; macOS 256).
AT_ONCE := --experimental-maximum-parallelization-width 8
# A target must declare every module that it imports. Otherwise a build can fail depending on the build order.
IMPORTS := --explicit-target-dependency-import-check error

# The build flags for installation, demo and tests alike, so that the tests cover the installed program and nothing is
# built twice. Tests can access internal declarations. CONFIGURATION=debug builds faster, but runs much slower.
CONFIGURATION ?= release
# Without debug information, building takes an eighth to a sixth less time. For a debugger, and for line numbers in
# backtraces, set DEBUG_INFO=.
DEBUG_INFO ?= -debug-info-format none
BUILT = -c $(CONFIGURATION) -Xswiftc -enable-testing $(DEBUG_INFO)
# `swift test` enables testing with its own flag, which `swift build` doesn't have.
TESTED = $(BUILT) --disable-testable-imports --disable-xctest $(IMPORTS) $(AT_ONCE)
# Prints the failed tests at the end.
REPORTED := Tools/scripts/failures-last
DAYBOOK = "$$($(SWIFT) build $(BUILT) --show-bin-path)/daybook"

# make treats warnings as errors.
export DAYBOOK_STRICT := 1

# Installed programs contain the Swift runtime, so that they run without a toolchain. They are built without
# -enable-testing, and so apart from the others. Apple's systems have the runtime.
INSTALLED = -c release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
# The server's package builds all three programs for `make package`, so their shared modules are built once.
PACKAGED = $(INSTALLED) --package-path $(SERVER) --scratch-path .build-package
PACKAGES ?= .build-package/packages

# The folders for make install. DESTDIR, for package builders, is prepended to each.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
# The command to install; built if it isn't given.
BINARY ?=

.PHONY: help demo serve relay build release install uninstall build-installed package package-test test test-all \
  test-engine lmdb-source test-lmdb-source test-server test-dependent test-postgres schemathesis test-browser flips \
  sync-kills sync-berka postgres-kills postgres-berka postgres-patroni postgres-partitions simulate build-server \
  outside docs fuzz bench \
  lint format lmdb libraries curl clean

help:
	@echo "Use it:"
	@echo "  make demo                 import, list and chart a sample household of 20,000 transactions"
	@echo "  make serve                show that household in a browser; LEDGER=PATH serves another ledger"
	@echo "  make install              install the command, its completions and manual pages; PREFIX=/usr/local"
	@echo "  make uninstall            remove what make install installed"
	@echo "  make package              make a Debian package and a .tar.gz of all programs; PACKAGES=FOLDER"
	@echo "  make release              build the command with optimisation: .build/release/daybook"
	@echo "  make relay                build the relay: Tools/Server/.build/release/daybook-relay"
	@echo "  make docs                 build the documentation of the library: .build/documentation"
	@echo
	@echo "Test it:"
	@echo "  make test                 test the library and the command; FLAGS=\"--filter Ledger\" runs a part"
	@echo "  make test-all             run make test and the next six, one after the other"
	@echo "  make test-server          test the server and the relay"
	@echo "  make test-dependent       build an app that depends on Daybook"
	@echo "  make test-postgres        test the relay on a PostgreSQL cluster while its nodes are killed"
	@echo "  make schemathesis         send unexpected requests to the server; EXAMPLES=10, SEED=1"
	@echo "  make test-browser         test the page in Chromium; COUNT=4000 rows"
	@echo "  make sync-kills           sync three ledgers through a relay while they are killed; KILLS=25, SEED=1"
	@echo
	@echo "More trials:"
	@echo "  make flips                flip bits in a ledger's and a relay's files; FLIPS=5000, COMMITS=260"
	@echo "  make simulate             simulate merging and sync on three devices; SEEDS=20000"
	@echo "  make sync-berka           share a bank's rows through a relay that is killed ten times"
	@echo "  make postgres-kills       run sync-kills with two relays on a cluster; LEADERS=10, SEED=1"
	@echo "  make postgres-berka       run sync-berka on a cluster whose leaders are killed; LEADERS=10, SEED=1"
	@echo "  make postgres-patroni     run the relay on a Patroni cluster that is killed; LEADERS=10, SEED=1"
	@echo "  make postgres-partitions  lose a cluster's packets in one direction; needs root; SEED=1"
	@echo "  make package-test         install and use the package in a minimal Debian; needs root"
	@echo "  make outside              compare with real bank data, hledger, ledger and beancount"
	@echo "  make fuzz                 fuzz every reader of outside data; SECONDS_EACH=20, TARGET=all"
	@echo "  make bench                compare the speed of Daybook, LMDB, SQLite and GRDB"
	@echo
	@echo "Change it:"
	@echo "  make lint                 check formatting, spelling and wording"
	@echo "  make format               format all sources"

# Daybook needs liblmdb and libcrypto; packed files need zlib and SQLite. Missing libraries are installed automatically.
lmdb:
	@Tools/scripts/ensure-libraries

# The server's package also needs libpq.
libraries:
	@Tools/scripts/ensure-libraries server

build: lmdb
	@$(SWIFT) build

release: lmdb
	@$(SWIFT) build $(BUILT) --product daybook $(FLAGS)

demo: release
	@Tools/scripts/demo $(DAYBOOK)

# The server is a separate package, whose first build takes some minutes.
SERVER := Tools/Server
# The flags for testing the server, which is built without optimisation.
SERVER_BUILT = --package-path $(SERVER) $(DEBUG_INFO)
SERVER_TESTED = $(SERVER_BUILT) --disable-xctest $(IMPORTS) $(AT_ONCE)

relay: libraries
	@$(SWIFT) build -c release --package-path $(SERVER) --product daybook-relay $(FLAGS)

serve: release libraries
	@$(SWIFT) build -c release --package-path $(SERVER) --product daybook-serve $(FLAGS)
	@Tools/scripts/serve $(DAYBOOK) \
	  "$$($(SWIFT) build -c release --package-path $(SERVER) --show-bin-path)/daybook-serve"

install:
	@[ -n "$(BINARY)" ] || $(MAKE) --no-print-directory build-installed
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" BINDIR="$(BINDIR)" MANDIR="$(MANDIR)" \
	  BASH_COMPLETIONS="$(BASH_COMPLETIONS)" ZSH_COMPLETIONS="$(ZSH_COMPLETIONS)" \
	  FISH_COMPLETIONS="$(FISH_COMPLETIONS)" Tools/scripts/install \
	  $(if $(BINARY),"$(BINARY)",.build-install/release/daybook)

build-installed: lmdb curl
	@$(SWIFT) build $(INSTALLED) --scratch-path .build-install --product daybook

uninstall:
	@rm -f "$(DESTDIR)$(BINDIR)/daybook" "$(DESTDIR)$(BASH_COMPLETIONS)/daybook" \
	  "$(DESTDIR)$(ZSH_COMPLETIONS)/_daybook" "$(DESTDIR)$(FISH_COMPLETIONS)/daybook.fish" \
	  "$(DESTDIR)$(MANDIR)/man1/daybook.1" "$(DESTDIR)$(MANDIR)"/man1/daybook-*.1
	@echo "Removed daybook from $(DESTDIR)$(PREFIX)."

# The static Swift runtime's URLSession is linked with libcurl.
curl:
	@[ "$$(uname -s)" != Linux ] || [ -e /usr/include/$$(uname -m)-linux-gnu/curl/curl.h ] || \
	  [ -e /usr/include/curl/curl.h ] || Tools/scripts/ensure-packages libcurl4-openssl-dev

package: libraries curl
	@for product in daybook daybook-serve daybook-relay; do \
	  $(SWIFT) build $(PACKAGED) --product $$product || exit 1; done
	@Tools/scripts/package .build-package/release $(PACKAGES)

package-test: package
	@Tools/scripts/package-test $(PACKAGES)/daybook_*.deb

# Each part installs the packages that it needs with Tools/scripts/ensure-packages and ensure-python. The first two
# parts of test-all build everything, so that the other parts build nothing again.
test: test-engine
test-all: test-engine test-server test-dependent test-postgres schemathesis test-browser sync-kills
.NOTPARALLEL:

test-engine: lmdb
	@$(REPORTED) $(SWIFT) test $(TESTED) $(FLAGS)

# All tests of the engine with an LMDB compiled from source, as on Apple's platforms.
LMDB_SOURCE := .build-lmdb/CLMDB
lmdb-source:
	@Tools/scripts/lmdb-source $(LMDB_SOURCE)

test-lmdb-source: libraries lmdb-source
	@DAYBOOK_LMDB=$(LMDB_SOURCE) DAYBOOK_TARGETS=LMDBTests,JournalTests,ProjectingTests \
	  $(SWIFT) test --scratch-path .build-lmdb/build --disable-xctest $(IMPORTS) $(AT_ONCE) $(FLAGS)

# Bits of every region of a ledger's and a relay's files, one at a time; the totals are in Docs/Reliability.md.
FLIPS ?= 5000
COMMITS ?= 260
flips: libraries
	@DAYBOOK_FLIP_TRIALS=$(FLIPS) DAYBOOK_FLIP_COMMITS=$(COMMITS) \
	  $(SWIFT) test $(TESTED) $(FLAGS) --filter FlipTrials
	@DAYBOOK_FLIP_TRIALS=$(FLIPS) $(SWIFT) test $(SERVER_TESTED) $(FLAGS) --filter RelayFlipTrials

test-server: libraries
	@$(REPORTED) $(SWIFT) test $(SERVER_TESTED) $(FLAGS)

# The tests that need a cluster: the guarantees of RelayStore, also when nodes are killed.
ON_POSTGRES := (Store|DeviceRoute|SyncOverStores|Invitation|Snapshot|Upkeep|Postgres[A-Za-z]*|Quorum|Failover|Copy[A-Za-z]*)Tests
test-postgres: libraries
	@$(REPORTED) Tools/scripts/postgres-tests $(SWIFT) test $(SERVER_TESTED) \
	  --filter '$(ON_POSTGRES)' $(FLAGS)

# An app whose modules have the names that Daybook's mustn't have.
test-dependent: lmdb
	@Tools/scripts/dependent

build-server: libraries
	@$(SWIFT) build $(BUILT) --product daybook
	@$(SWIFT) build $(SERVER_BUILT) --product daybook-serve
	@$(SWIFT) build $(SERVER_BUILT) --product daybook-relay

# The programs that were built for tests.
RELAY = "$$($(SWIFT) build --package-path $(SERVER) --show-bin-path)/daybook-relay"
SERVED = $(DAYBOOK) "$$($(SWIFT) build --package-path $(SERVER) --show-bin-path)/daybook-serve"

schemathesis: build-server
	@Tools/scripts/schemathesis $(SERVED)

test-browser: build-server
	@Tools/scripts/browser-tests $(SERVED)

# The number of commands of each kind that each of the three devices runs.
STEPS ?= 100
sync-kills: build-server
	@TRIAL=readme Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)
	@Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)
	@TRIAL=every_command KILLS=$(STEPS) Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# Imports a year of a bank's transactions from ../shared/data in parts, on three devices.
sync-berka: build-server
	@TRIAL=sync_berka KILLS=10 Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# The same with two relays on a PostgreSQL cluster, whose leader is killed LEADERS times.
LEADERS ?= 10
postgres-kills: build-server
	@KILLS=$(LEADERS) Tools/scripts/postgres-tests Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

postgres-berka: build-server
	@TRIAL=sync_berka KILLS=$(LEADERS) Tools/scripts/postgres-tests Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# Installs Patroni, its Python packages and etcd if they are missing.
postgres-patroni: build-server
	@TRIAL=patroni_kills KILLS=$(LEADERS) Tools/scripts/postgres-patroni Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# First without Patroni, then with it.
postgres-partitions: build-server
	@Tools/scripts/postgres-partitions $(RELAY)
	@TRIAL=patroni_partitions Tools/scripts/postgres-patroni Tools/scripts/postgres-partitions $(RELAY)

# The simulation of replicas that share a log; SEEDS is the number of seeds.
SEEDS ?= 20000
simulate: lmdb
	@DAYBOOK_SEEDS=$(SEEDS) $(SWIFT) test $(TESTED) $(FLAGS) \
	  --filter '(MergingTests.SimulationTests|SyncingTests.EveryCommandSimulationTests)/every'

outside: lmdb
	@SWIFT="$(SWIFT)" Tools/scripts/outside $(BUILT) $(FLAGS)

docs: lmdb
	@SWIFT="$(SWIFT)" FLAGS="$(BUILT)" Tools/scripts/docc

# The fuzzing target, and the duration for each target in seconds.
TARGET ?= all
SECONDS_EACH ?= 20
fuzz: lmdb
	@SWIFT="$(SWIFT)" FLAGS="$(FLAGS)" Tools/scripts/fuzz $(TARGET) $(SECONDS_EACH)

# macOS includes SQLite; on Debian it is a package.
bench: lmdb
	@[ "$$(uname -s)" != Linux ] || [ -e /usr/include/sqlite3.h ] || \
	  Tools/scripts/ensure-packages libsqlite3-dev
	@cd Tools/Benchmarks && $(SWIFT) run -c release benchmarks $(FLAGS)

lint:
	@$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)
	@"$$(VENV="$${XDG_CACHE_HOME:-$$HOME/.cache}/daybook-prose" Tools/scripts/ensure-python \
	  Tools/prose/requirements.txt)/bin/python" Tools/prose/check

format:
	@$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

clean:
	@rm -rf .build .build-* $(SERVER)/.build
