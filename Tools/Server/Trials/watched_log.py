"""A log at several relays: writers push to it, readers read it, and all keep what they were told.

What they push cannot be opened by anybody: a header, and random bytes behind it. A writer repeats what was not answered, at
whichever relay. A reader computes the chain of links by itself (Docs/Sync.md, "The chain").
"""

import hashlib
import http.client
import json
import os
import random
import struct
import threading
import time
import urllib.error
import urllib.request

from servers import TRUSTING, until

WRITERS, READERS = 3, 2
# How long a device waits for an answer. A relay waits for its database for 15 s, so some answers come too late.
SECONDS_MAX = 8


def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def sealed(replica, number):
    """An entry that looks as one of a device does."""
    return struct.pack(">BBQQQqQI", 1, 1, replica, number, 0, int(time.time() * 1e6), 0, 1) + os.urandom(12 + 256 + 16)


def push_page(entries):
    body = struct.pack(">BBI", 1, 1, len(entries))
    body += b"".join(struct.pack(">I", len(entry)) + entry for entry in entries)
    return body + digest(body)


class WatchedLog:
    """The log, and what writers and readers were told of it."""

    def __init__(self, relays, seed):
        self.relays, self.seed = relays, seed
        self.ledger = os.urandom(16)
        self.first = digest(b"daybook log", self.ledger)
        self.lock, self.over, self.threads = threading.Lock(), threading.Event(), []
        # Set while nobody is to ask for anything.
        self.quiet = threading.Event()
        # By position: the digest of what was acknowledged there, and the link that somebody read there.
        self.acknowledged, self.links = {}, {0: self.first}
        self.answers = {relay.url: 0 for relay in relays}
        self.unknown, self.faults = 0, []

    def begin(self):
        """Makes the log, and has writers and readers work until `end`. The relays have to be ready."""
        tokens = [self.relays[0].make(self.ledger.hex())]
        while len(tokens) < WRITERS + READERS:
            asked = urllib.request.Request(
                f"{self.relays[0].url}/v1/devices", json.dumps({"name": f"device {len(tokens)}"}).encode(),
                {"Authorization": f"Bearer {tokens[0]}"}, method="POST")
            tokens.append(json.load(urllib.request.urlopen(asked, timeout=SECONDS_MAX, context=TRUSTING))["token"])
        self.tokens = tokens
        works = [(self.write, n) for n in range(WRITERS)] + [(self.read, n) for n in range(WRITERS, WRITERS + READERS)]
        for work, number in works:
            thread = threading.Thread(target=self.guarded, args=(work, number, random.Random(self.seed * 100 + number)))
            thread.start()
            self.threads.append(thread)

    def end(self):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def guarded(self, work, number, chance):
        try:
            work(number, self.tokens[number], chance)
        except Exception as fault:  # noqa: BLE001 - told by whoever looks at the faults
            self.faults.append(f"device {number}: {fault!r}")

    def ask(self, relay, path, token, body=None):
        """The answer's bytes; `None` where nobody knows, or where the relay says to try again."""
        while self.quiet.is_set() and not self.over.is_set():
            time.sleep(0.05)
        asked = urllib.request.Request(f"{relay.url}/v1/{path}", body, {"Authorization": f"Bearer {token}"})
        try:
            answer = urllib.request.urlopen(asked, timeout=SECONDS_MAX, context=TRUSTING).read()
        except urllib.error.HTTPError as refused:
            if refused.code not in (429, 503):
                raise RuntimeError(f"{path} was answered {refused.code}: {refused.read()[:500]}") from None
            answer = None
        except (OSError, http.client.HTTPException):
            answer = None
        if answer is None:
            with self.lock:
                self.unknown += 1
            time.sleep(0.05)
        return answer

    # Devices

    def write(self, number, token, chance):
        """Pushes one entry after another, now and then behind one that is there, until it knows where each is.

        It stays with a relay for a while, and goes to any where it was not answered.
        """
        count, last, relay = 0, None, chance.choice(self.relays)
        while not self.over.is_set():
            count += 1
            entry = sealed(number + 1, count)
            entries = [last[0], entry] if last and chance.random() < 0.2 else [entry]
            if chance.random() < 0.05:
                relay = chance.choice(self.relays)
            while (answer := self.ask(relay, "push", token, push_page(entries))) is None:
                if self.over.is_set():
                    return
                relay = chance.choice(self.relays)
            positions = json.loads(answer)["positions"]
            if len(entries) == 2 and positions[0] != last[1]:
                raise RuntimeError(f"what was at {last[1]} is now at {positions[0]}")
            last = entry, positions[-1]
            with self.lock:
                self.answers[relay.url] += 1
                if self.acknowledged.setdefault(positions[-1], digest(entry)) != digest(entry):
                    self.faults.append(f"{positions[-1]} was acknowledged twice")
            time.sleep(0.02)

    def read(self, number, token, chance):
        """Reads to the end, waits there for more, and begins now and then anew at what it knows."""
        position, link = 0, self.first
        while not self.over.is_set():
            page = self.pull(chance.choice(self.relays), token, position, link)
            if page is None:
                continue
            end, entries = page
            self.see(entries)
            if entries:
                position, link = entries[-1][0], entries[-1][2]
            if position == end:
                time.sleep(0.05)
                if number % 2 == 0 and chance.random() < 0.3:
                    with self.lock:
                        position = chance.randrange(max(0, position - 2_000), position + 1)
                        link = self.links.get(position)
                    if link is None:
                        position, link = 0, self.first

    def pull(self, relay, token, position, link):
        """The log's end, and of each entry behind a position (position, digest, link)."""
        answer = self.ask(relay, f"pull?after={position}", token)
        if answer is None:
            return None
        if digest(answer[:-32]) != answer[-32:]:
            raise RuntimeError("a page is damaged")
        head, _floor, page_link, count = struct.unpack_from(">QQ32sI", answer, 2)
        entries, at = [], 2 + 52
        for _ in range(count):
            placed, _received, length = struct.unpack_from(">QqI", answer, at)
            entry = answer[at + 20:at + 20 + length]
            if placed != position + 1:
                raise RuntimeError(f"{placed} follows {position}")
            position = placed
            link = digest(link, answer[at:at + 8], entry[2:18], answer[at + 8:at + 16], digest(entry))
            entries.append((position, digest(entry), link))
            at += 20 + length
        if link != page_link:
            raise RuntimeError(f"the relay's link at {position} is another than its entries'")
        return head, entries

    def see(self, entries):
        with self.lock:
            for position, _, link in entries:
                if self.links.setdefault(position, link) != link:
                    self.faults.append(f"{position} was read, and has changed")

    # What became of it

    def progress(self, seconds, relays=None, count=20):
        """Waits until some more pushes were acknowledged by each of these relays."""
        relays = relays or self.relays
        wanted = {relay.url: self.answers[relay.url] + count for relay in relays}
        until(seconds, lambda: self.faults or all(self.answers[url] >= more for url, more in wanted.items()),
              "pushes are not acknowledged")
        if self.faults:
            raise SystemExit("\n".join(self.faults[:20]))

    def moved(self):
        """All faults: what was told and is not so. Writers and readers have to be at their end."""
        faults = list(self.faults)
        for relay in self.relays:
            log = self.whole(relay)
            faults += [f"{at} is lost" for at, what in sorted(self.acknowledged.items())
                       if log.get(at, (None,))[0] != what]
            faults += [f"{at} was read, and has changed" for at, link in sorted(self.links.items())
                       if at > 0 and log.get(at, (None, None))[1] != link]
        self.relays[0].run("verify")
        return faults

    def whole(self, relay):
        """The log as a relay has it: by position digest and link."""
        log, position, link, end = {}, 0, self.first, time.monotonic() + 120
        while time.monotonic() < end:
            page = self.pull(relay, self.tokens[0], position, link)
            if page:
                for position, what, link in page[1]:
                    log[position] = what, link
                if position == page[0]:
                    return log
        raise SystemExit("the log cannot be read")

    def told(self):
        return (f"{len(self.acknowledged)} pushes acknowledged, {len(self.links) - 1} entries read, "
                f"{self.unknown} requests without an answer")

