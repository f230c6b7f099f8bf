"""A server under measure: started, asked, and looked at from outside (Linux: /proc)."""
import gzip
import http.client
import os
import signal
import socket
import statistics
import subprocess
import time


class Server:
    """A process that answers HTTP on a port of this machine."""

    def __init__(self, arguments, port, first="/", environment=None):
        self.port = port
        begun = time.perf_counter()
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env=environment, start_new_session=True)
        while True:
            try:
                status, _ = self.get(first, http.client.HTTPConnection("127.0.0.1", port, timeout=600))
                break
            except ConnectionRefusedError:
                if self.process.poll() is not None:
                    raise SystemExit(f"{arguments[0]} ended with {self.process.returncode}.")
                time.sleep(0.001)
        # Seconds from start to first answer.
        self.start_seconds = time.perf_counter() - begun
        if status != 200:
            raise SystemExit(f"{first}: {status}")
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=600)

    def get(self, path, connection=None):
        """The status and body of an answer, asked for on one connection that stays."""
        connection = connection or self.connection
        connection.request("GET", path, headers={"Accept-Language": "en"})
        answer = connection.getresponse()
        return answer.status, answer.read()

    def cpu_seconds(self):
        """The processor time that all its threads have had."""
        total = 0
        for pid in self.tree():
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat") as file:
                    total += int(file.read().split()[0])
        return total / 1e9

    def memory(self):
        """Megabytes resident, and those of them that are its own and no file's."""
        resident = own = 0
        for pid in self.tree():
            with open(f"/proc/{pid}/status") as file:
                lines = dict(line.split(":", 1) for line in file if ":" in line)
            resident += int(lines["VmRSS"].split()[0])
            own += int(lines["RssAnon"].split()[0])
        return resident / 1024, own / 1024

    def tree(self):
        """The process and those below it."""
        found, left = [], [self.process.pid]
        while left:
            pid = left.pop()
            found.append(pid)
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                left += [int(child) for child in file.read().split()]
        return found

    def stop(self):
        self.connection.close()
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def free_port():
    """A port that nobody listens at now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def measured(server, path, times, ready=3):
    """What a page takes: milliseconds of the server's processor and of the clock, bytes as they are and packed."""
    for _ in range(ready):
        status, body = server.get(path)
    walls = []
    before = server.cpu_seconds()
    for _ in range(times):
        begun = time.perf_counter()
        status, body = server.get(path)
        walls.append(time.perf_counter() - begun)
    used = (server.cpu_seconds() - before) / times
    return {"status": status, "cpu": used * 1000, "wall": statistics.median(walls) * 1000, "bytes": len(body),
            "packed": len(gzip.compress(body, 6))}


def table(head, rows):
    """A table as Markdown has it."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|"]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])
