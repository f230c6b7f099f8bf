"""What the simulation of moving ledgers stands on: clusters, whose rows say themselves whether they are served, and the
directory. Each method is one transaction of one database."""

import hashlib


class NotHere(Exception):
    """The cluster does not have the ledger, or not any more, or not yet."""


class Unavailable(Exception):
    """Try again."""


class Unauthorized(Exception):
    pass


class Overtaken(Exception):
    """The move is over, or another one has begun."""


class Wrong(Exception):
    """What must not be."""


def check(condition, what):
    if not condition:
        raise Wrong(what)


def link(log, replica, number):
    before = log[-1][2] if log else ""
    return hashlib.sha256(f"{before} {len(log) + 1} {replica} {number}".encode()).hexdigest()[:16]


class Row:
    """A ledger in a cluster. Its state is open, frozen, closed, gone, arriving or complete."""

    def __init__(self, state, move, incarnation):
        self.state, self.move, self.incarnation = state, move, incarnation
        self.log, self.devices = [], {}  # (replica, number, link) by position; is revoked by token


class Cluster:
    """Each method holds the ledger's row."""

    def __init__(self, faults):
        self.rows, self.faults = {}, faults

    def served(self, ledger, token, writes):
        row = self.rows.get(ledger)
        if row is None:
            raise NotHere
        if row.state not in ("open", "frozen") and "cache never checked" not in self.faults:
            raise NotHere
        if row.state == "frozen" and writes and "no freeze" not in self.faults:
            raise Unavailable
        if row.devices.get(token, True):
            raise Unauthorized
        return row

    def push(self, ledger, token, number):
        row = self.served(ledger, token, True)
        own = [(place, entry) for place, entry in enumerate(row.log, 1) if entry[0] == token]
        if number <= len(own):
            return own[number - 1][0], own[number - 1][1][2]
        check(number == len(own) + 1, "a gap: the log lacks what was acknowledged")
        row.log.append((token, number, link(row.log, token, number)))
        return len(row.log), row.log[-1][2]

    def pull(self, ledger, token, after):
        row = self.served(ledger, token, False)
        return row.log[after:after + 4], len(row.log), row.incarnation

    def revoke(self, ledger, token, other):
        self.served(ledger, token, "revoked while frozen" not in self.faults).devices[other] = True

    # The steps of a move. Each can be repeated, and says so where it comes too late.

    def is_at(self, ledger, move, *states):
        row = self.rows.get(ledger)
        return row and row.state in states and (row.move == move or "steps without number" in self.faults)

    def held(self, ledger, move, *states):
        if not self.is_at(ledger, move, *states):
            raise Overtaken
        return self.rows[ledger]

    def freeze(self, ledger, move):
        if self.is_at(ledger, move - 1, "open"):
            self.rows[ledger].state, self.rows[ledger].move = "frozen", move
        self.held(ledger, move, "frozen")

    def slice(self, ledger, move, after):
        row = self.held(ledger, move, "frozen")
        return row.log[after:after + 25], dict(row.devices), row.incarnation, len(row.log)

    def arrive(self, ledger, move, after, entries, devices, incarnation):
        row = self.rows.get(ledger)
        if row is None or (row.state not in ("open", "frozen") and row.move < move):
            self.rows[ledger] = Row("arriving", move, incarnation)
        row = self.held(ledger, move, "arriving", "complete")
        if row.state == "complete":
            return
        row.log[after:after + len(entries)] = entries
        row.devices = {} if "devices left behind" in self.faults else devices
        if "another incarnation" in self.faults:
            row.incarnation = f"{incarnation}'"

    def complete(self, ledger, move, count):
        row = self.held(ledger, move, "arriving", "complete")
        if len(row.log) != count:
            raise Overtaken
        row.state = "complete"

    def close(self, ledger, move):
        if self.is_at(ledger, move, "frozen"):
            self.rows[ledger].state = "closed"

    def open(self, ledger, move):
        self.held(ledger, move, "complete", "open").state = "open"

    def drop(self, ledger, move):
        if self.is_at(ledger, move, "closed"):
            self.leave(ledger, move)

    def thaw(self, ledger, move):
        if self.is_at(ledger, move, "frozen") or self.is_at(ledger, move - 1, "open"):
            self.rows[ledger].state, self.rows[ledger].move = "open", move

    def discard(self, ledger, move):
        row = self.rows.get(ledger)
        if row is None or (row.state not in ("open", "frozen") and row.move <= move):
            self.leave(ledger, move)

    def leave(self, ledger, move):
        """Nothing stays but the number, so that no step of that move, or of an earlier one, has an effect any more."""
        self.rows[ledger] = Row("gone", move, None)
        if "dropped without trace" in self.faults:
            del self.rows[ledger]


class Place:
    """What the directory says of a ledger. Each method compares and sets."""

    def __init__(self, at):
        self.at, self.source, self.move, self.target, self.phase = at, at, 0, None, "rests"

    def begin(self, target):
        if self.phase == "rests" and target != self.at:
            self.move, self.source, self.target, self.phase = self.move + 1, self.at, target, "copies"

    def turn(self, move, phase, *before):
        if self.move != move or self.phase not in (*before, phase):
            raise Overtaken
        if phase == "flipped" and self.phase != phase:
            self.at = self.target
        self.phase = phase
