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
BUILT = -c $(CONFIGURATION) -Xswiftc -enable-testing
# `swift test` enables testing with its own flag, which `swift build` doesn't have.
TESTED = $(BUILT) --disable-testable-imports --disable-xctest $(IMPORTS) $(AT_ONCE)
DAYBOOK = "$$($(SWIFT) build $(BUILT) --show-bin-path)/daybook"

# make treats warnings as errors.
export DAYBOOK_STRICT := 1

# The folders for make install. DESTDIR, for package builders, is prepended to each.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
# The command to install; built if it isn't given.
BINARY ?=

.PHONY: help demo serve relay build release install uninstall test test-all test-engine test-server test-postgres \
  schemathesis test-browser flips sync-kills sync-berka postgres-kills postgres-berka \
  postgres-patroni postgres-partitions simulate build-server outside docs fuzz bench lint format lmdb libraries clean

help:
	@echo "make demo      a sample household of 20,000 transactions: imported, listed, charted"
	@echo "make serve     the same household in a browser, and its HTTP API; LEDGER= serves another ledger"
	@echo "make relay     the relay of ledgers on several devices: Tools/Server/.build/release/daybook-relay"
	@echo "make test      the tests of the library and the command: FLAGS=\"--filter Ledger\" runs some"
	@echo "make test-all  these and the next five, one after the other"
	@echo "make test-server   the tests of the server, a package of its own"
	@echo "make test-dependent  an app that depends on Daybook, with modules called Search and Journal"
	@echo "make test-postgres the relay on a PostgreSQL cluster of three nodes, whose nodes are killed"
	@echo "make schemathesis  odd requests to the server, from its OpenAPI document: EXAMPLES=10, SEED=1"
	@echo "make test-browser  the page in a headless Chromium, by mouse and keyboard, with axe: COUNT=4000 rows"
	@echo "make flips     flips bits in every part of a ledger's files: FLIPS=5000, COMMITS=260"
	@echo "make sync-kills    the README's devices; three ledgers and a relay, killed amid their work: KILLS=25, SEED=1"
	@echo "make sync-berka    a bank's rows in three pieces, shared while the relay is killed ten times"
	@echo "make postgres-kills the same with two relays on a cluster, whose leaders are killed: LEADERS=10, SEED=1"
	@echo "make postgres-berka a bank's rows in three pieces, shared while the leaders are killed: LEADERS=10, SEED=1"
	@echo "make postgres-patroni  the same on a cluster that Patroni leads, killed in six ways: LEADERS=10, SEED=1"
	@echo "make postgres-partitions  two relays and a cluster whose packets get lost in one direction, as root: SEED=1"
	@echo "make simulate  the simulations of sync: the fold, and every command on three devices; SEEDS=20000"
	@echo "make outside   the checks against real bank data, hledger and ledger, a line for each"
	@echo "make docs      the module's documentation, for a browser: .build/documentation"
	@echo "make fuzz      libFuzzer on what reads bytes from outside, SECONDS_EACH=20, TARGET=all"
	@echo "make bench     Daybook, LMDB, SQLite and GRDB on the same work, as a table"
	@echo "make release   the daybook command, optimised: .build/release/daybook"
	@echo "make install   the command, completions and man pages, below PREFIX (/usr/local); make uninstall"
	@echo "make lint      checks formatting, spelling and wording; make format applies the formatter's rules"

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

relay: libraries
	@$(SWIFT) build -c release --package-path $(SERVER) --product daybook-relay $(FLAGS)

serve: release libraries
	@$(SWIFT) build -c release --package-path $(SERVER) --product daybook-serve $(FLAGS)
	@Tools/scripts/serve $(DAYBOOK) \
	  "$$($(SWIFT) build -c release --package-path $(SERVER) --show-bin-path)/daybook-serve"

install:
	@[ -n "$(BINARY)" ] || $(MAKE) --no-print-directory release
	@PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" BINDIR="$(BINDIR)" MANDIR="$(MANDIR)" \
	  BASH_COMPLETIONS="$(BASH_COMPLETIONS)" ZSH_COMPLETIONS="$(ZSH_COMPLETIONS)" \
	  FISH_COMPLETIONS="$(FISH_COMPLETIONS)" Tools/scripts/install \
	  $(if $(BINARY),"$(BINARY)",$(DAYBOOK))

uninstall:
	@rm -f "$(DESTDIR)$(BINDIR)/daybook" "$(DESTDIR)$(BASH_COMPLETIONS)/daybook" \
	  "$(DESTDIR)$(ZSH_COMPLETIONS)/_daybook" "$(DESTDIR)$(FISH_COMPLETIONS)/daybook.fish" \
	  "$(DESTDIR)$(MANDIR)/man1/daybook.1" "$(DESTDIR)$(MANDIR)"/man1/daybook-*.1
	@echo "Took daybook away from $(DESTDIR)$(PREFIX)."

# Each part installs the packages that it needs with Tools/scripts/ensure-packages and ensure-python. The first two
# parts of test-all build everything, so that the other parts build nothing again.
test: test-engine
test-all: test-engine test-server test-dependent test-postgres schemathesis test-browser sync-kills
.NOTPARALLEL:

test-engine: lmdb
	@$(SWIFT) test $(TESTED) $(FLAGS)

# Bits of every region of the files, one at a time; the totals are in Docs/Reliability.md.
FLIPS ?= 5000
COMMITS ?= 260
flips: lmdb
	@DAYBOOK_FLIP_TRIALS=$(FLIPS) DAYBOOK_FLIP_COMMITS=$(COMMITS) \
	  $(SWIFT) test $(TESTED) $(FLAGS) --filter FlipTrials

test-server: libraries
	@$(SWIFT) test --package-path $(SERVER) --disable-xctest $(IMPORTS) $(AT_ONCE) $(FLAGS)

# The tests that need a cluster: the guarantees of RelayStore, also when nodes are killed.
ON_POSTGRES := (Store|DeviceRoute|SyncOverStores|Invitation|Snapshot|Upkeep|Postgres[A-Za-z]*|Quorum|Failover|Copy[A-Za-z]*)Tests
test-postgres: libraries
	@Tools/scripts/postgres-tests $(SWIFT) test --package-path $(SERVER) --disable-xctest $(IMPORTS) $(AT_ONCE) \
	  --filter '$(ON_POSTGRES)' $(FLAGS)

# An app whose modules have the names that Daybook's mustn't have.
test-dependent: lmdb
	@Tools/scripts/dependent

build-server: libraries
	@$(SWIFT) build $(BUILT) --product daybook
	@$(SWIFT) build --package-path $(SERVER) --product daybook-serve
	@$(SWIFT) build --package-path $(SERVER) --product daybook-relay

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
