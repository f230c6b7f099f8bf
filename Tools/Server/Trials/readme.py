"""The README's two devices and a relay, line by line as they stand there: the last line has to list what the other device recorded.

Usage: readme.py DAYBOOK DAYBOOK-RELAY HOME, which is what sync-kills calls with TRIAL=readme.
"""

import os
import re
import subprocess
import sys
import time
import urllib.request

daybook, relay, home = sys.argv[1:4]
PORT = os.environ.get("PORT", "8496")
# The README's own paths are those of `make release`; here programs stand beside each other.
os.mkdir(f"{home}/bin")
for program in (daybook, relay):
    os.symlink(program, f"{home}/bin/{os.path.basename(program)}")
environment = {**os.environ, "PATH": f"{home}/bin:{os.environ['PATH']}"}
environment.pop("DAYBOOK_LEDGER", None)
readme = open(os.path.join(os.path.dirname(__file__), "../../../README.md")).read()


def lines(heading):
    """The commands of the first block under a heading, without what the README says beside them."""
    block = readme.split(f"\n## {heading}\n")[1].split("```\n")[1]
    for line in block.splitlines():
        command = line.split("  #")[0].strip().replace("8481", PORT)
        if command.startswith("daybook"):
            yield command


def run(command):
    done = subprocess.run(command, shell=True, cwd=home, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"`{command}` of the README ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def serve(command):
    """Starts the relay; returns when it answers."""
    process = subprocess.Popen(f"exec {command.rstrip('& ')} --port {PORT}", shell=True, cwd=home, env=environment,
                               stdout=subprocess.DEVNULL)
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health/ready", timeout=5).read()
            return process
        except OSError:
            time.sleep(0.05)
    raise SystemExit("the relay of the README does not answer")


for command in lines("From the command line"):
    run(command)
shown, serving = {}, None
try:
    for command in lines("On several devices"):
        for word, value in shown.items():
            command = command.replace(word, value)
        if command.endswith("&"):
            serving = serve(command)
            continue
        said = run(command)
        if token := re.search(r"--token (\S+)", said):
            shown["TOKEN"] = token.group(1)
        if code := re.search(r"sync join (\S+)", said):
            shown["CODE"] = code.group(1)
    if "4.20" not in said:
        raise SystemExit(f"The README's last line does not list what the laptop recorded:\n{said}")
finally:
    if serving:
        serving.kill()
print("The README's lines of several devices do what they say.")
