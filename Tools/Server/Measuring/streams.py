"""Idle streams on one relay process: how much memory they take, and how long it takes until a push has rung all of them.

The embedded store, in a folder of its own, or PostgreSQL, on loopback. All devices are of one ledger, which is the worst
case: one push wakes them all. With --tls over TLS 1.3. On PostgreSQL two relays stand before the cluster, and every second
push comes to the one where nobody waits. The relay and this client share the machine's processors.

Usage: streams.py PATH-OF-DAYBOOK-RELAY [COUNT] [--tls] [--postgres CLUSTER]
"""

import argparse
import hashlib
import json
import os
import re
import resource
import select
import socket
import ssl
import struct
import subprocess
import tempfile
import time
import urllib.request

from serving import free_port

TOKENS, ROUNDS = 40, 4
# So many may ask at once: more than that wait for the database than a relay lets wait.
AT_ONCE = 500


def page(number):
    """A push of one entry. The relay cannot open it, so any bytes will do."""
    header = struct.pack(">BBQQQqQI", 1, 1, 9, number, 0, 1, 0, 1)
    entry = header + bytes(12 + 256 + 16)
    body = struct.pack(">BBII", 1, 1, 1, len(entry)) + entry
    return body + hashlib.sha256(body).digest()


def request(method, path, token, body=b""):
    return (f"{method} /v1/{path} HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Relay:
    """A process that serves."""

    def __init__(self, program, place, flags, tls):
        self.port, self.tls = free_port(), tls
        self.process = subprocess.Popen([program, "serve", *place, "--port", str(self.port), *flags], stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.waiting()

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.tls.wrap_socket(connection) if self.tls else connection

    def waiting(self):
        """How many streams are idle."""
        url = f"http{'s' if self.tls else ''}://127.0.0.1:{self.port}/metrics"
        text = urllib.request.urlopen(url, context=self.tls).read().decode()
        return int(re.search(r"^daybook_relay_waiting_rings (\d+)", text, re.M)[1])

    def memory(self):
        """In MB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1_024

    def processor_time(self):
        """In seconds."""
        with open(f"/proc/{self.process.pid}/stat") as status:
            user, system = status.read().rsplit(")", 1)[1].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Streams:
    def __init__(self, relay):
        self.relay, self.poll, self.open = relay, select.epoll(), {}

    def add(self, token):
        connection = self.relay.connect()
        connection.setblocking(False)
        self.poll.register(connection, select.EPOLLIN)
        self.open[connection.fileno()] = (connection, token)

    def wait_for_ring(self, after):
        """Returns when all are idle."""
        for number, (connection, token) in enumerate(self.open.values(), 1):
            connection.send(request("GET", f"ring?after={after}", token))
            if number % AT_ONCE == 0 or number == len(self.open):
                while self.relay.waiting() < number:
                    time.sleep(0.02)

    def answers(self):
        """When each was rung."""
        times, rung = [], set()
        while len(rung) < len(self.open):
            ready = self.poll.poll(30)
            if not ready:
                raise SystemExit(f"only {len(rung)} were rung")
            for number, _ in ready:
                try:
                    text = self.open[number][0].recv(4_096)
                except ssl.SSLWantReadError:
                    continue
                if not text:
                    raise SystemExit("a stream was closed")
                if b'"head":' in text:
                    times.append(time.monotonic())
                    rung.add(number)
        return times


def measure(program, folder, count, tls, postgres):
    place = ["--postgres", postgres] if postgres else ["--folder", folder]
    if postgres:
        subprocess.run([program, "migrate", *place], capture_output=True, check=True)
    made = subprocess.run([program, "init", *place], capture_output=True, text=True, check=True).stdout
    ledger, first = re.search(r"the ledger ([\w-]+)", made)[1], made.split("--token ")[1].split()[0]
    tokens = [subprocess.run([program, "devices", ledger, *place, "--add", f"device {number}"], capture_output=True,
                             text=True, check=True).stdout.strip() for number in range(TOKENS)]
    context, flags = None, []
    if tls:
        flags = ["--certificate", f"{folder}/chain.pem", "--key", f"{folder}/key.pem"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "1", "-subj", "/CN=relay", "-keyout", flags[3], "-out", flags[1]],
                       capture_output=True, check=True)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    relays = [Relay(program, place, flags, context) for _ in range(2 if postgres else 1)]
    try:
        relay = relays[0]
        before = relay.memory()
        streams, started = Streams(relay), time.monotonic()
        for number in range(count):
            streams.add(tokens[number % TOKENS])
        print(f"{count} connections{' over TLS' if tls else ''} in {time.monotonic() - started:.1f} s")
        pushers = [each.connect() for each in relays]
        for number in range(1, ROUNDS + 1):
            started = time.monotonic()
            streams.wait_for_ring(number - 1)
            asked, idle = time.monotonic() - started, relay.memory()
            pusher = pushers[number % len(relays)]
            pushed, spent = time.monotonic(), relay.processor_time()
            pusher.sendall(request("POST", "push", first, page(number)))
            times = sorted(each - pushed for each in streams.answers())
            answer = pusher.recv(4_096)
            while b'"positions"' not in answer:
                answer += pusher.recv(4_096)
            if b" 200 " not in answer:
                raise SystemExit(answer.decode())
            print(json.dumps({
                "pushed to": "another" if pusher is not pushers[0] else "the same", "all wait after s": round(asked, 2),
                "idle MB": round(idle, 1), "before MB": round(before, 1),
                "KB a stream": round((idle - before) * 1_024 / count, 1), "after the ring MB": round(relay.memory(), 1),
                "half rung s": round(times[count // 2], 3), "all rung s": round(times[-1], 3),
                "processor s": round(relay.processor_time() - spent, 2)}))
            time.sleep(max(0, 11 - (time.monotonic() - pushed)))  # A token may ask 500 times at once, in ten seconds.
    finally:
        for relay in relays:
            relay.process.kill()
            relay.process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("relay")
    parser.add_argument("count", nargs="?", type=int, default=10_000)
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--postgres")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        measure(arguments.relay, folder, arguments.count, arguments.tls, arguments.postgres)


if __name__ == "__main__":
    main()
