"""Idle streams on one relay process: how much memory they take, and how long it takes until a push has rung all of them.

The embedded store, in a folder of its own, on loopback. All devices are of one ledger, which is the worst case: one push
wakes them all. With --tls over TLS 1.3. The relay and this client share the machine's processors.

Usage: streams.py PATH-OF-DAYBOOK-RELAY [--tls] [COUNT]
"""

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
import sys
import tempfile
import time
import urllib.request

PORT, TOKENS, ROUNDS = 8497, 40, 4


def page(number):
    """A push of one entry. The relay cannot open it, so any bytes will do."""
    header = struct.pack(">BBQQQqQI", 1, 1, 9, number, 0, 1, 0, 1)
    entry = header + bytes(12 + 256 + 16)
    body = struct.pack(">BBII", 1, 1, 1, len(entry)) + entry
    return body + hashlib.sha256(body).digest()


def request(method, path, token, body=b""):
    return (f"{method} /v1/{path} HTTP/1.1\r\nHost: relay\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode() + body


class Streams:
    def __init__(self, tls):
        self.tls, self.poll, self.open = tls, select.epoll(), {}

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", PORT))
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self.tls.wrap_socket(connection) if self.tls else connection

    def add(self, token):
        connection = self.connect()
        connection.setblocking(False)
        self.poll.register(connection, select.EPOLLIN)
        self.open[connection.fileno()] = (connection, token)

    def wait_for_ring(self, after):
        for connection, token in self.open.values():
            connection.send(request("GET", f"ring?after={after}", token))

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


def memory(process):
    with open(f"/proc/{process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1_024


def processor_time(process):
    """In seconds."""
    with open(f"/proc/{process.pid}/stat") as status:
        user, system = status.read().rsplit(")", 1)[1].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def waiting(context):
    url = f"http{'s' if context else ''}://127.0.0.1:{PORT}/metrics"
    text = urllib.request.urlopen(url, context=context).read().decode()
    return int(re.search(r"^daybook_relay_waiting_rings (\d+)", text, re.M)[1])


def measure(relay, folder, count, tls):
    made = subprocess.run([relay, "init", "--folder", folder], capture_output=True, text=True, check=True)
    first = made.stdout.split("--token ")[1].split()[0]
    tokens = [subprocess.run([relay, "devices", "--folder", folder, "--add", f"device {number}"], capture_output=True,
                             text=True, check=True).stdout.strip() for number in range(TOKENS)]
    context, flags = None, []
    if tls:
        flags = ["--certificate", f"{folder}/chain.pem", "--key", f"{folder}/key.pem"]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "1", "-subj", "/CN=relay", "-keyout", flags[3], "-out", flags[1]],
                       capture_output=True, check=True)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    process = subprocess.Popen([relay, "serve", "--folder", folder, "--port", str(PORT), *flags], stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        waiting(context)
        before = memory(process)
        streams, started = Streams(context), time.monotonic()
        for number in range(count):
            streams.add(tokens[number % TOKENS])
        print(f"{count} connections{' over TLS' if tls else ''} in {time.monotonic() - started:.1f} s")
        pusher = streams.connect()
        for number in range(1, ROUNDS + 1):
            streams.wait_for_ring(number - 1)
            while waiting(context) < count:
                time.sleep(0.2)
            idle = memory(process)
            pushed, spent = time.monotonic(), processor_time(process)
            pusher.sendall(request("POST", "push", first, page(number)))
            times = sorted(each - pushed for each in streams.answers())
            answer = pusher.recv(4_096)
            while b'"positions"' not in answer:
                answer += pusher.recv(4_096)
            if b" 200 " not in answer:
                raise SystemExit(answer.decode())
            print(json.dumps({
                "idle MB": round(idle, 1), "before MB": round(before, 1),
                "KB a stream": round((idle - before) * 1_024 / count, 1), "after the ring MB": round(memory(process), 1),
                "half rung s": round(times[count // 2], 3), "all rung s": round(times[-1], 3), "processor s": round(processor_time(process) - spent, 2)}))
            time.sleep(max(0, 11 - (time.monotonic() - pushed)))  # A token may ask 500 times at once, in ten seconds.
    finally:
        process.kill()
        process.wait()


def main():
    arguments = [each for each in sys.argv[1:] if each != "--tls"]
    count = int(arguments[1]) if len(arguments) > 1 else 10_000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as folder:
        measure(arguments[0], folder, count, "--tls" in sys.argv)


if __name__ == "__main__":
    main()
