"""Network namespaces on one bridge, and packets that get lost between two of them in one direction."""

import os
import subprocess


def ip(*words):
    subprocess.run(["ip", *words], check=True)


class Network:
    def __init__(self, names):
        """Whoever makes it reaches all of them, whatever gets lost among them."""
        own = os.getpid()
        self.bridge, self.prefix = f"dbk{own}", f"daybook{own}"
        net = f"10.213.{own % 256}"
        self.addresses = {name: f"{net}.{number}" for number, name in enumerate(names, 1)}
        self.lost = []
        ip("link", "add", self.bridge, "type", "bridge")
        ip("address", "add", f"{net}.254/24", "dev", self.bridge)
        ip("link", "set", self.bridge, "up")
        for name, address in self.addresses.items():
            space, link = f"{self.prefix}{name}", f"{self.bridge}{name}"
            ip("netns", "add", space)
            ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", link, "master", self.bridge, "up")
            ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ("lo", "eth0"):
                ip("-n", space, "link", "set", device, "up")

    def within(self, name):
        """What a command begins with that runs there."""
        return ["ip", "netns", "exec", f"{self.prefix}{name}"]

    def lose(self, sender, *receivers):
        """What one sends to others gets lost from now on: it goes to a hardware address that nobody has."""
        for receiver in receivers:
            ip("-n", f"{self.prefix}{sender}", "neighbour", "replace", self.addresses[receiver], "dev", "eth0",
               "lladdr", "02:00:00:00:00:01", "nud", "permanent")
            self.lost.append((sender, receiver))

    def heal(self):
        for sender, receiver in self.lost:
            ip("-n", f"{self.prefix}{sender}", "neighbour", "delete", self.addresses[receiver], "dev", "eth0")
        self.lost = []

    def remove(self):
        for name in self.addresses:
            subprocess.run(["ip", "netns", "delete", f"{self.prefix}{name}"], check=False)
        subprocess.run(["ip", "link", "delete", self.bridge], check=False)
