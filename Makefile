# The commands a person, or a build machine, needs. `make` alone lists them.
SHELL := /bin/bash
SWIFT ?= swift
# Where the format lint looks; the formatter's settings are in .swift-format.
FORMATTED := Package.swift Sources Projections Tools Tests Docs
# What make release, demo, outside, bench and the tests in Swift hand on, e.g. make test-engine FLAGS="--filter Ledger".
FLAGS ?=
# How many tests run at a time. Left alone, all begin at once, and those that wait for a ledger hold its
# files open: more than the 1,024 (macOS 256) that a process may have unless told otherwise.
AT_ONCE := --experimental-maximum-parallelization-width 8
# A target names all that it imports; else a build goes well or not by the order in which it happens to go.
IMPORTS := --explicit-target-dependency-import-check error

# How this package is built, for use, demo and tests alike: what is tested is what is installed, and nothing is built
# twice. Tests see what is internal. CONFIGURATION=debug is quicker to build, and takes far longer to run.
CONFIGURATION ?= release
BUILT = -c $(CONFIGURATION) -Xswiftc -enable-testing
# `swift test` says -enable-testing in its own way, which `swift build` does not.
TESTED = $(BUILT) --disable-testable-imports --disable-xctest $(IMPORTS) $(AT_ONCE)
DAYBOOK = "$$($(SWIFT) build $(BUILT) --show-bin-path)/daybook"

# Warnings are errors in what make builds.
export DAYBOOK_STRICT := 1

# Where make install puts things; DESTDIR is put in front of it, for those who make packages.
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASH_COMPLETIONS ?= $(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS ?= $(PREFIX)/share/fish/vendor_completions.d
# The command to install; built where it is not given.
BINARY ?=

.PHONY: help demo serve relay build release install uninstall test test-all test-engine test-server test-postgres \
  schemathesis test-browser sync-kills sync-berka postgres-kills postgres-berka \
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

# Daybook needs liblmdb and libcrypto; packed files need zlib and SQLite. Missing ones are installed without a
# question.
lmdb:
	@Tools/scripts/ensure-libraries

# The server's package needs libpq as well.
libraries:
	@Tools/scripts/ensure-libraries server

build: lmdb
	@$(SWIFT) build

release: lmdb
	@$(SWIFT) build $(BUILT) --product daybook $(FLAGS)

demo: release
	@Tools/scripts/demo $(DAYBOOK)

# The server is a package of its own: its first build takes some minutes.
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

# Each part installs what it needs, as Tools/scripts/ensure-packages and ensure-python do. The first two parts of
# test-all build everything, so that the others build nothing twice.
test: test-engine
test-all: test-engine test-server test-dependent test-postgres schemathesis test-browser sync-kills
.NOTPARALLEL:

test-engine: lmdb
	@$(SWIFT) test $(TESTED) $(FLAGS)

test-server: libraries
	@$(SWIFT) test --package-path $(SERVER) --disable-xctest $(IMPORTS) $(AT_ONCE) $(FLAGS)

# What needs a cluster: every RelayStore's promises, and what becomes of them when nodes are killed.
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

# The programs, as they were built for tests.
RELAY = "$$($(SWIFT) build --package-path $(SERVER) --show-bin-path)/daybook-relay"
SERVED = $(DAYBOOK) "$$($(SWIFT) build --package-path $(SERVER) --show-bin-path)/daybook-serve"

schemathesis: build-server
	@Tools/scripts/schemathesis $(SERVED)

test-browser: build-server
	@Tools/scripts/browser-tests $(SERVED)

# How many commands of every kind each of three devices runs.
STEPS ?= 100
sync-kills: build-server
	@TRIAL=readme Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)
	@Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)
	@TRIAL=every_command KILLS=$(STEPS) Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# A bank's year, from ../shared/data, imported in pieces on three devices.
sync-berka: build-server
	@TRIAL=sync_berka KILLS=10 Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# The same with two relays on a PostgreSQL cluster, whose leaders are killed: LEADERS says how many.
LEADERS ?= 10
postgres-kills: build-server
	@KILLS=$(LEADERS) Tools/scripts/postgres-tests Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

postgres-berka: build-server
	@TRIAL=sync_berka KILLS=$(LEADERS) Tools/scripts/postgres-tests Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# Patroni, etcd and what Patroni needs of Python are installed where they are missing.
postgres-patroni: build-server
	@TRIAL=patroni_kills KILLS=$(LEADERS) Tools/scripts/postgres-patroni Tools/scripts/sync-kills $(DAYBOOK) $(RELAY)

# By hand, and then by Patroni.
postgres-partitions: build-server
	@Tools/scripts/postgres-partitions $(RELAY)
	@TRIAL=patroni_partitions Tools/scripts/postgres-patroni Tools/scripts/postgres-partitions $(RELAY)

# The simulation of replicas that share a log, with as many seeds as one likes.
SEEDS ?= 20000
simulate: lmdb
	@DAYBOOK_SEEDS=$(SEEDS) $(SWIFT) test $(TESTED) $(FLAGS) \
	  --filter '(MergingTests.SimulationTests|SyncingTests.EveryCommandSimulationTests)/every'

outside: lmdb
	@SWIFT="$(SWIFT)" Tools/scripts/outside $(BUILT) $(FLAGS)

docs: lmdb
	@SWIFT="$(SWIFT)" FLAGS="$(BUILT)" Tools/scripts/docc

# What is fuzzed, and for how long.
TARGET ?= all
SECONDS_EACH ?= 20
fuzz: lmdb
	@SWIFT="$(SWIFT)" FLAGS="$(FLAGS)" Tools/scripts/fuzz $(TARGET) $(SECONDS_EACH)

# SQLite comes with macOS; Debian has it in a package.
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
