"""Measures tiles of a running service: a cached tile against nginx, polls beside cold tiles, memory with ten floors.

    VENUE_PROGRAM=.build/release/venue python3 serve_tiles.py [--seconds 5] [--tiles 10000]     needs nginx and wrk
"""
import argparse
import http.client
import json
import math
import multiprocessing
import os
import pathlib
import re
import socket
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from service import Service  # noqa: E402

def report(**line):
    print(json.dumps(line), flush=True)


def tile(longitude, latitude, zoom):
    count = 2**zoom
    y = (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2
    return int((longitude + 180) / 360 * count), int(y * count)


def load(address, path):
    connection = http.client.HTTPConnection(address.removeprefix("http://"), timeout=120)
    connection.request("GET", path)
    response = connection.getresponse()
    return response.status, response.read()


def requests_per_second(url, seconds):
    output = subprocess.run(["wrk", "-t1", "-c64", f"-d{seconds}s", url], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in output, output
    return float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    def __init__(self, folder, content):
        (folder / "www").mkdir()
        (folder / "www/tile.png").write_bytes(content)
        for path in (folder, folder / "www"):
            path.chmod(0o755)
        self.port = free_port()
        (folder / "nginx.conf").write_text(f"""
            daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/error.log;
            events {{ worker_connections 1024; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; open_file_cache max=100;
                types {{ image/png png; }}
                client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
                uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
                server {{ listen 127.0.0.1:{self.port}; root {folder}/www; }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf"], stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{self.port}/tile.png"
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)  # Polling interval; the measurement begins later.
        raise RuntimeError((folder / "error.log").read_text())

    def stop(self):
        self.process.terminate()
        self.process.wait()


def latencies(url, headers, stop, rate=200):
    """
    Milliseconds of polls that are sent at a constant rate, counted from when they were due. The client of an app is on another machine,
    so its thread, which has little to do, does not wait for those of the server here.
    """
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    host, path = url.removeprefix("http://").split("/", 1)
    connection = http.client.HTTPConnection(host)
    times = []
    due = time.perf_counter()
    while not stop.is_set():
        due += 1 / rate
        time.sleep(max(0, due - time.perf_counter()))
        connection.request("GET", f"/{path}", headers=headers)
        response = connection.getresponse()
        response.read()
        assert response.status in (200, 304), response.status
        times.append(1000 * (time.perf_counter() - due))
    return sorted(times)


def polls_during(work, targets):
    """The result of the work, and the latencies of polls of all targets meanwhile, each from a process of its own."""
    context = multiprocessing.get_context("fork")
    stop = context.Event()
    results = {name: context.SimpleQueue() for name in targets}
    clients = [
        context.Process(target=lambda name=name, target=target: results[name].put(latencies(*target, stop)), daemon=True)
        for name, target in targets.items()]
    for client in clients:
        client.start()
    value = work()
    for client in clients:
        if not client.is_alive():
            raise RuntimeError("a client that polls has ended; the priority needs root")
    stop.set()
    times = {name: result.get() for name, result in results.items()}
    for client in clients:
        client.join()
    return value, times


def revalidations(address, path, count=5000):
    """Milliseconds of requests with the entity tag of a tile, each after the response to the one before."""
    connection = http.client.HTTPConnection(address.removeprefix("http://"))
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    headers = {"If-None-Match": response.headers["ETag"]}
    times = []
    for _ in range(count):
        start = time.perf_counter()
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        response.read()
        assert response.status == 304, response.status
        times.append(1000 * (time.perf_counter() - start))
    return sorted(times)


def changed_tiles(service, form, shop):
    """Milliseconds until the list of tiles that a new name of a shop changes, which nobody has requested before, and how many they are."""
    head = json.loads(load(service.address, "/venues/mall")[1])["head"]
    service.run_venue("edit", "mall", shop, f"name.en=Shop for {form}", "--message", "Measured")
    path = f"/venues/mall/tiles/changes?since={head}&format={form}&lang=en"
    connection = http.client.HTTPConnection(service.address.removeprefix("http://"))
    start = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    changes = json.loads(response.read())
    return 1000 * (time.perf_counter() - start), sum(len(floor["tiles"]) for floor in changes["floors"])


def resident(process, field):
    """MiB of the process that serves."""
    return int(re.search(rf"{field}:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1]) / 1024


def server_process(service):
    """`venue up` may serve in a process of its own, next to PostgreSQL."""
    family, found = [service.process.pid], []
    while family:
        process = family.pop()
        found.append(process)
        children = pathlib.Path(f"/proc/{process}/task/{process}/children")
        family += map(int, children.read_text().split()) if children.exists() else []
    names = {process: pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0") for process in found}
    serving = [process for process in found if b"serve" in names[process]]
    return serving[0] if serving else service.process.pid


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tiles", type=int, default=10_000)
    parser.add_argument("--units", type=int, default=1_000)
    arguments = parser.parse_args()
    with Service(is_installed=True) as service:
        measure(service, arguments)


def measure(service, arguments):
    service.create_venue("mall", "--levels", 10, "--units", arguments.units, "--seed", 7)
    service.run_venue("set", "mall", "public=true")
    process = server_process(service)
    levels = [level["properties"]["ordinal"] for level in service.features("mall", 1, "level")]
    report(name="server, before tiles", resident_mib=round(resident(process, "VmRSS"), 1), levels=len(levels))
    west, south, east, north = json.loads(load(service.address, f"/venues/mall/tiles/{levels[0]}.json")[1])["bounds"]

    def tiles_of(zoom):
        left, top = tile(west, north, zoom)
        right, bottom = tile(east, south, zoom)
        return [(zoom, x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]

    # The tile in the middle of a floor, drawn before.
    candidates = tiles_of(18)
    zoom, x, y = candidates[len(candidates) // 2]
    path = f"/venues/mall/tiles/L{levels[0]}_{zoom}_{x}_{y}.png"
    status, content = load(service.address, path)
    assert status == 200
    nginx = Nginx(service.folder, content)
    rates = {"ours": [], "nginx": []}
    for _ in range(arguments.rounds):
        rates["ours"].append(requests_per_second(service.address + path, arguments.seconds))
        rates["nginx"].append(requests_per_second(nginx.url, arguments.seconds))
    ours, control = (sorted(rates[name])[len(rates[name]) // 2] for name in ("ours", "nginx"))
    report(name="cached tile", bytes=len(content), requests_per_second=round(ours), nginx=round(control), ratio=round(ours / control, 2))

    times = revalidations(service.address, path)
    report(name="304 of a tile", p50_ms=round(times[len(times) // 2], 3), p99_ms=round(times[int(len(times) * 0.99)], 3))

    # Polls, alone and beside distinct tiles that were never drawn.
    cursor = json.loads(load(service.address, "/venues/mall/sync?limit=50000")[1])
    while not cursor["complete"]:
        cursor = json.loads(load(service.address, f"/venues/mall/sync?limit=50000&since={cursor['cursor']}")[1])
    poll = f"/venues/mall/sync?since={cursor['cursor']}"
    listed = [(level, *address) for zoom in (17, 18, 19, 20, 21) for address in tiles_of(zoom) for level in levels]
    listed = listed[: arguments.tiles]
    paths = service.folder / "tiles.txt"
    paths.write_text("".join(f"/venues/mall/tiles/L{level}_{z}_{x}_{y}.png?theme=dark\n" for level, z, x, y in listed))
    # nginx draws nothing, so what it loses is what the machine has left beside these tiles.
    tag = http.client.HTTPConnection("127.0.0.1", nginx.port)
    tag.request("GET", "/tile.png")
    targets = {"poll": (service.address + poll, {}), "304 of nginx": (nginx.url, {"If-None-Match": tag.getresponse().headers["ETag"]})}
    _, alone = polls_during(lambda: time.sleep(2 * arguments.seconds), targets)  # The length of the measurement.
    start = time.monotonic()
    drawn, beside = polls_during(lambda: draw(service, listed, paths), targets)
    report(name="cold tiles over HTTP", tiles=drawn, tiles_per_second=round(drawn / (time.monotonic() - start)))
    nginx.stop()
    for name in targets:
        (p50, p99), (_, p99_alone) = (
            (times[len(times) // 2], times[int(len(times) * 0.99)]) for times in (beside[name], alone[name]))
        report(
            name=f"{name} beside cold tiles", polls=len(beside[name]), p50_ms=round(p50, 2), p99_ms=round(p99, 2),
            p99_alone_ms=round(p99_alone, 2), ratio=round(p99 / p99_alone, 2))
    report(name="server, ten floors", resident_mib=round(resident(process, "VmRSS"), 1), peak_mib=round(resident(process, "VmHWM"), 1))
    shops = [shop["id"] for shop in service.features("mall", 1, "occupant")]
    for form in ("png", "mvt"):
        results = [changed_tiles(service, form, shop) for shop in shops[:: len(shops) // 6][:6]]
        times, counts = zip(*results)
        assert any(counts), "some of the names are on the map"
        report(
            name=f"changed tiles of a new name over HTTP, {form}", tiles=counts, ms=[round(each) for each in times],
            median_ms=round(statistics.median(times)))
    report(
        name="server, ten floors and their changes", resident_mib=round(resident(process, "VmRSS"), 1),
        peak_mib=round(resident(process, "VmHWM"), 1))


def draw(service, listed, paths):
    """
    Reads each tile of the list once, over 64 connections. `wrk` cannot stop after a number of requests, so `curl` reads them, with the
    lowest priority: apps do not run on the machine of the server.
    """
    config = service.folder / "curl.txt"
    with open(config, "w") as file:
        for path in paths.read_text().splitlines():
            file.write(f'url = "{service.address}{path}"\noutput = "/dev/null"\n')
    subprocess.run(
        ["nice", "-n", "19", "curl", "--silent", "--fail", "--parallel", "--parallel-max", "64", "--config", config], check=True, timeout=900)
    return len(listed)


main()
