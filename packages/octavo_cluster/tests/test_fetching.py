"""Documents at addresses: fetched within caps, not anew when unchanged, never from a private address unasked."""

from __future__ import annotations

import contextlib
import datetime
import errno
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import storing
from engines import Server
from object_store import ObjectStore
from octavo.corpus import Corpus
from octavo.corpus.index import fetching
from octavo.corpus.index.fetching import Fetcher, is_public
from octavo.corpus.progress import Once, Silence
from octavo.corpus.reports import AddReport
from octavo.corpus.store.paths import name_of_address
from octavo.errors import CorpusError, SourceError, UsageError
from octavo_cluster import shared_corpus
from octavo_documents.parsing import printing

pytestmark = [pytest.mark.enable_socket, pytest.mark.allow_hosts(["127.0.0.1"])]


@dataclass
class Site:
    """A server of the web: what is at each path, as status, headers and body, and how often it was sent."""

    port: int = 0
    pages: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    sent: list[str] = field(default_factory=list)
    pause: float = 0.0
    """Seconds before each byte of a body."""

    def put(self, path: str, body: bytes = b"# Sales\nThey rose.", status: int = 200, **headers: str) -> str:
        self.pages[path] = (status, {name.replace("_", "-"): value for name, value in headers.items()}, body)
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        status, headers, body = self.pages.get(handler.path, (404, {}, b""))
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            if value:
                handler.send_header(name, value)
        handler.end_headers()
        with contextlib.suppress(OSError):
            for at in range(0, len(body), 1 if self.pause else len(body)):
                time.sleep(self.pause)
                handler.wfile.write(body[at : at + (1 if self.pause else len(body))])
        self.sent.append(handler.path)


@contextlib.contextmanager
def serving(wrap: Callable[[socket.socket], socket.socket] | None = None) -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.answer(self)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        if wrap:
            server.socket = wrap(server.socket)
        site.port = server.server_port
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield site
        server.shutdown()


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as found:
        yield found


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    with storing.corpus(tmp_path / "corpus") as opened:
        yield opened


def refused(address: str, tmp_path: Path, *, allow_private: bool = True) -> SourceError:
    """Return why nothing is fetched from an address."""
    with pytest.raises(SourceError) as caught:
        Fetcher(tmp_path, allow_private=allow_private).fetch(address)
    assert "\n" not in str(caught.value)
    assert address in str(caught.value)
    return caught.value


class TestTheWeb:
    def test_a_document_is_called_by_its_address_and_replaced_when_it_changes(self, site: Site, corpus: Corpus) -> None:
        address = site.put("/notes/sales%20notes.pdf?version=2", ETag='"one"')
        report = corpus.add(address, allow_private=True)
        assert [(info.name, info.path) for info in report.added] == [("sales notes.pdf", address)]
        assert corpus.search("sales").passages[0].document == "sales notes.pdf"
        assert corpus.resolve(address) == corpus.resolve("sales notes.pdf")
        assert [info.path for info in corpus.select(f"http://127.0.0.1:{site.port}/notes")] == [address]
        assert corpus.holdings()[0].path == f"http://127.0.0.1:{site.port}/notes"
        assert corpus.check().is_sound
        with pytest.raises(SourceError, match="not kept here"):
            corpus.picture("sales notes.pdf", 1)
        assert len(corpus.add(address, allow_private=True).unchanged) == 1
        site.put("/notes/sales%20notes.pdf?version=2", b"# Costs\nThey fell.", ETag='"two"')
        assert len(corpus.add(address, allow_private=True).added) == 1
        assert [info.name for info in corpus.list()] == ["sales notes.pdf"]
        assert corpus.search("costs").passages[0].text == "They fell."

    def test_an_office_file_that_is_indexed_gets_pages_when_they_are_wished_for(
        self, site: Site, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        printed: list[str] = []

        @contextlib.contextmanager
        def prints(path: str | Path) -> Iterator[Path]:
            printed.append(Path(path).suffix)
            yield storing.write_file(tmp_path / "printed.pdf", "printed")

        monkeypatch.setattr(printing, "office", lambda: "/usr/bin/soffice")
        monkeypatch.setattr(printing, "printed", prints)
        address = site.put("/talk.docx", ETag='"a"')
        for render, count in ((False, 0), (True, 1), (True, 1)):
            assert len(corpus.add(address, allow_private=True, render=render).failed) == 0
            assert len(printed) == count
        assert printed == [".docx"]

    @pytest.mark.parametrize("headers", [{"ETag": '"a"'}, {"Last_Modified": "Mon, 02 Mar 2026 10:00:00 GMT"}, {}])
    def test_what_says_how_it_looks_is_not_fetched_twice(
        self, site: Site, tmp_path: Path, headers: dict[str, str]
    ) -> None:
        fetcher = Fetcher(tmp_path, allow_private=True)
        address = site.put("/a.pdf", **headers)
        first = fetcher.fetch(address)
        assert first
        assert Path(first.at).read_bytes() == b"# Sales\nThey rose."
        again = fetcher.fetch(address, first)
        assert (again is None) == bool(headers)

    def test_a_page_is_read_as_its_type_says_where_its_name_does_not(self, site: Site, tmp_path: Path) -> None:
        fetcher = Fetcher(tmp_path, allow_private=True)
        for path, kind, ending in (("/", "text/html; charset=utf-8", ".html"), ("/a.md", "text/html", ".md")):
            source = fetcher.fetch(site.put(path, Content_Type=kind))
            assert source
            assert source.at.endswith(ending)

    def test_what_cannot_be_had_is_said_of_each_and_stops_nobody(self, site: Site, corpus: Corpus) -> None:
        good, bad = site.put("/a.pdf"), site.put("/b.pdf", b"!damaged")
        many = site.put("/c.jsonl", b"{}\n")
        absent = f"http://127.0.0.1:{site.port}/d.pdf"
        report = corpus.add([absent, bad, many, good, "http://me:secret@127.0.0.1/"], allow_private=True)
        assert [info.path for info in report.added] == [good]
        said = {failure.path: failure.message for failure in report.failed}
        assert said[bad] == f"{bad} is damaged"
        assert "404" in said[absent]
        assert "save it as a file" in said[many]
        assert len(said) == 4
        assert "secret" not in str(report.failed[0].message)

    def test_what_is_no_address_or_leads_to_none_stops_nobody(self, site: Site, corpus: Corpus) -> None:
        odd = [
            "https://[2606:4700::abcd/x.pdf",
            "https://[::1]/x.pdf",
            "http://a b/x.pdf",
            "http://127.0.0.1:port/x.pdf",
        ]
        odd += [site.put(f"/{at}", status=302, Location=to) for at, to in enumerate(("https://[x", "http://a b/x.pdf"))]
        report = corpus.add([*odd, good := site.put("/a.pdf")], allow_private=True)
        assert [info.path for info in report.added] == [good]
        assert {failure.path for failure in report.failed} == {*odd}
        assert not any("\n" in failure.message for failure in report.failed)

    def test_letters_and_spaces_of_an_address_are_written_as_a_server_reads_them(
        self, site: Site, tmp_path: Path
    ) -> None:
        site.put("/%C3%9Cbersicht%202.pdf")
        led = site.put("/to", status=302, Location="/Übersicht 2.pdf".encode().decode("latin-1"))
        for address in (f"http://127.0.0.1:{site.port}/Übersicht 2.pdf", led):
            source = Fetcher(tmp_path, allow_private=True).fetch(address)
            assert source
            assert Path(source.at).read_bytes() == b"# Sales\nThey rose."

    def test_caps_on_size_and_time_hold_and_what_broke_off_is_nothing(
        self, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fetching, "_MOST_BYTES", 100)
        for length in ("101", ""):
            assert refused(site.put("/large.pdf", bytes(101), Content_Length=length), tmp_path).reason == "too_large"
        assert refused(site.put("/short.pdf", bytes(50), Content_Length="60"), tmp_path).reason == "unreachable"
        monkeypatch.setattr(fetching, "_MOST_SECONDS", 0.3)
        site.pause = 0.05
        for length in ("60", ""):
            began = time.monotonic()
            assert refused(site.put("/slow.pdf", bytes(60), Content_Length=length), tmp_path).reason == "unreachable"
            assert time.monotonic() - began < 2
        assert not [*tmp_path.glob("*.pdf")]

    @pytest.mark.parametrize(
        ("status", "reason"), [(404, "missing"), (403, "missing"), (429, "unreachable"), (503, "unreachable")]
    )
    def test_an_answer_says_whether_it_may_be_another_one_later(
        self, site: Site, tmp_path: Path, status: int, reason: str
    ) -> None:
        assert refused(site.put("/a.pdf", status=status), tmp_path).reason == reason

    def test_what_passes_is_told_as_what_it_is(
        self, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            closed = f"http://127.0.0.1:{listening.getsockname()[1]}/a.pdf"
        assert refused(closed, tmp_path).reason == "unreachable"
        (tmp_path / "1.pdf").symlink_to("/dev/full")
        full = refused(site.put("/a.pdf"), tmp_path)
        assert (full.reason, "no space left" in str(full)) == ("full", True)
        for error, reason in (
            (socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"), "offline"),
            (socket.gaierror(socket.EAI_NONAME, "Name or service not known"), "unreachable"),
            (OSError(errno.ENETUNREACH, "Network is unreachable"), "offline"),
            (TimeoutError("timed out"), "unreachable"),
        ):
            monkeypatch.setattr(fetching.socket, "getaddrinfo", fails_with(error))
            assert refused("https://example.org/a.pdf", tmp_path).reason == reason

    def test_what_is_fetched_takes_so_many_bytes_at_once_and_all_the_same_comes(
        self, site: Site, corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(fetching, "_BYTES_AT_ONCE", 100)
        folder, most = tmp_path / "temporary", list[int]()
        folder.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(folder))

        class Looking(Silence):
            def start(self, path: str, stage: str, total: int) -> None:
                most.append(sum(file.stat().st_size for file in folder.rglob("*.pdf")) if stage == "parse" else 0)

        texts = {at: f"# Part {at}\n{'word ' * (24 if at == 3 else 6)}".encode() for at in range(9)}
        pages = [
            site.put(f"/{at}.pdf", text, Content_Length=["", str(len(text))][at % 2]) for at, text in texts.items()
        ]
        report = corpus.add(pages, allow_private=True, progress=Looking())
        assert [info.path for info in report.added] == pages
        assert 60 < max(most) <= max(map(len, texts.values()))
        assert len(site.sent) < 9 + 16

    def test_who_stops_is_not_kept_waiting(self, site: Site, tmp_path: Path) -> None:
        site.pause = 0.2
        fetcher = Fetcher(tmp_path, allow_private=True)
        began = time.monotonic()
        threading.Timer(0.3, fetcher.stop).start()
        with pytest.raises(SourceError):
            fetcher.fetch(site.put("/slow.pdf", bytes(60)))
        assert time.monotonic() - began < 2


class TestPrivateAddresses:
    @pytest.mark.parametrize(
        "number",
        [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "::1",
            "::",
            "fe80::1%eth0",
            "fc00::1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "ff02::1",
            "fec0::1",
            "64:ff9b:1::a00:1",
            "::127.0.0.1",
            "::10.0.0.1",
            "::8.8.8.8",
            "::ffff:0:127.0.0.1",
            "::ffff:8.8.8.8",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2001:0:7f00:1::1",
            "2001:0:4136:e378:8000:63bf:80ff:fffe",
            "2002:a9fe:a9fe::1",
            "2606:2800:220:1:0:5efe:7f00:1",
            "2606:2800:220:1:200:5efe:a00:1",
            "2606:2800:220:1::1%eth0",
            "100::1",
            "2001:db8::1",
            "4000::1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "127.1",
        ],
    )
    def test_no_address_of_this_machine_or_its_network_is_public(self, number: str) -> None:
        assert not is_public(number)

    @pytest.mark.parametrize(
        "number", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "2002:5db8:d822::1"]
    )
    def test_others_are(self, number: str) -> None:
        assert is_public(number)

    def test_they_are_refused_unless_they_are_allowed(
        self, site: Site, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        address = site.put("/a.pdf").replace("http:", "https:")
        (failure,) = corpus.add(address).failed
        assert "--allow-private" in failure.message
        assert not site.sent
        told = corpus.add(site.put("/a.pdf")).failed[0].message
        assert told.endswith(
            "/a.pdf is no https:// address, and only such are fetched: give --allow-private where that is meant"
        )

    def test_the_connection_goes_to_what_was_checked_and_no_later_answer_counts(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = [["93.184.216.34"], ["127.0.0.1"]]
        asked: list[tuple[str, int]] = []

        def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
            return [(2, 1, 6, "", (number, port)) for number in answers.pop(0)]

        def connect(where: tuple[str, int], **_: object) -> socket.socket:
            asked.append(where)
            raise OSError("no way there")

        monkeypatch.setattr(fetching.socket, "getaddrinfo", resolve)
        monkeypatch.setattr(fetching.socket, "create_connection", connect)
        assert "no way there" in str(refused("https://rebinding.example/a.pdf", tmp_path, allow_private=False))
        assert asked == [("93.184.216.34", 443)]
        assert "127.0.0.1" in str(refused("https://rebinding.example/a.pdf", tmp_path, allow_private=False))
        answers.append(["93.184.216.34", "10.0.0.1"])
        assert "10.0.0.1" in str(refused("https://both.example/a.pdf", tmp_path, allow_private=False))
        assert len(asked) == 1

    def test_a_redirect_is_checked_as_the_first_address_is(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        connect = socket.create_connection
        with serving(encrypted(tmp_path, monkeypatch)) as site:
            names = {"public.example": "93.184.216.34", "inner.example": "10.0.0.1"}
            monkeypatch.setattr(
                fetching.socket,
                "getaddrinfo",
                lambda host, port, *_, **__: [(2, 1, 6, "", (names.get(host, host), port))],
            )
            monkeypatch.setattr(
                fetching.socket, "create_connection", lambda _, timeout: connect(("127.0.0.1", site.port), timeout)
            )
            for path, to in (
                ("/good", "/a.pdf"),
                ("/inner", "https://inner.example/a.pdf"),
                ("/plain", "http://public.example/a.pdf"),
                ("/file", "file:///etc/passwd"),
                ("/loop", "/loop"),
            ):
                site.put(path, b"", 302, Location=to)
            site.put("/a.pdf")
            source = Fetcher(tmp_path).fetch("https://public.example/good")
            assert source
            assert (source.path, Path(source.at).read_bytes()) == (
                "https://public.example/good",
                b"# Sales\nThey rose.",
            )
            for path, said in (
                ("/inner", "10.0.0.1"),
                ("/plain", "no https:// address"),
                ("/file", "no https:// address"),
                ("/loop", "without end"),
            ):
                assert said in str(refused(f"https://public.example{path}", tmp_path, allow_private=False))
            names["other.example"] = "93.184.216.34"
            assert "certificate" in str(refused("https://other.example/a.pdf", tmp_path, allow_private=False))


def encrypted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[socket.socket], socket.socket]:
    """Return what makes a server that of public.example, whose certificate is trusted from now on."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("public.example")]), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "certificate.pem", folder / "key.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    return lambda listening: context.wrap_socket(listening, server_side=True)


class TestObjectStorage:
    @pytest.fixture
    def folder(self, s3: ObjectStore) -> str:
        """Return an address with two documents and something else below it."""
        from octavo.corpus.store.object_storage import store_at

        bucket = s3.bucket()
        store = store_at(bucket)
        for name in ("a.pdf", "deep/b.pdf", "other.bin"):
            store.put(f"reports/{name}", f"# Of {name}\nText.".encode())
        return f"{bucket}/reports"

    def test_all_below_an_address_is_added_and_unchanged_the_next_time(self, folder: str, corpus: Corpus) -> None:
        report = corpus.add(folder)
        assert [info.path for info in report.added] == [f"{folder}/a.pdf", f"{folder}/deep/b.pdf"]
        assert [(one.path, one.reason) for one in report.left_out] == [(f"{folder}/other.bin", "format")]
        assert len(corpus.add(folder).unchanged) == 2
        assert len(corpus.add(f"{folder}/a.pdf").unchanged) == 1
        assert [info.name for info in corpus.select(f"{folder}/deep")] == ["b.pdf"]
        with pytest.raises(UsageError, match="not fetched"):
            corpus.plan(folder)

    def test_what_is_not_there_or_may_not_be_read_is_said(self, folder: str, corpus: Corpus, s3: ObjectStore) -> None:
        assert "holds no document" in corpus.add(f"{folder}/none").failed[0].message
        s3.tell("do denied")
        assert "may not be read" in corpus.add(folder).failed[0].message
        assert corpus.add(f"{folder}/a.pdf").failed[0].reason == "missing"
        s3.tell("do busy")
        assert corpus.add(f"{folder}/a.pdf").failed[0].reason == "unreachable"

    def test_workers_take_addresses_from_the_queue(
        self, folder: str, site: Site, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        page = site.put("/c.pdf", ETag='"1"')
        with Corpus(server.corpus(tmp_path / "bucket"), builders=storing.builders) as shared:
            assert shared_corpus.queue(shared, [folder, page])[0] == 3
            assert shared_corpus.queue(shared, [page])[0] == 0
            reports = []
            shared_corpus.work(shared, lambda some: shared.add(some, allow_private=True), reports.append)
            assert shared_corpus.shared(shared).queued() == (0, 0)
            assert sorted(info.name for info in shared.list()) == ["a.pdf", "b.pdf", "c.pdf"]


def fails_with(error: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


class TestTheQueue:
    """What a worker of a shared corpus does with addresses that cannot be fetched."""

    @pytest.fixture
    def shared(self, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        with Corpus(server.corpus(tmp_path / "bucket"), builders=storing.builders) as opened:
            yield opened

    @staticmethod
    def let_pauses_end(shared: Corpus) -> list[float]:
        """Return how many seconds each still had."""
        with shared_corpus.shared(shared).connections.writing() as connection:
            left = connection.execute("SELECT extract(epoch FROM expires - now()) FROM jobs ORDER BY 1").fetchall()
            connection.execute("UPDATE jobs SET expires = now()")
        return [float(row[0]) for row in left]

    @staticmethod
    def rounds(shared: Corpus) -> shared_corpus.Rounds:
        return shared_corpus.Rounds(shared, lambda some: shared.add(some, allow_private=True))

    def test_what_may_be_had_later_waits_for_another_attempt_and_what_may_not_has_failed(
        self, site: Site, shared: Corpus
    ) -> None:
        busy, gone = site.put("/busy.pdf", status=503), f"http://127.0.0.1:{site.port}/gone.pdf"
        shared_corpus.queue(shared, [busy, gone, site.put("/good.pdf")])
        report = self.rounds(shared).next()
        assert report
        assert [failure.path for failure in report.failed] == [gone]
        assert report.notes == (f"{busy} is not to be had (503 Service Unavailable); attempt 2 of 5 is in 30 seconds",)
        found = shared_corpus.status(shared)
        assert (found.waiting, found.again, found.running) == (1, 1, 0)
        assert shared.check().is_sound
        assert self.rounds(shared).next() is None, "it has a pause"
        self.let_pauses_end(shared)
        assert not shared.check().findings
        site.put("/busy.pdf", b"# Costs\nThey fell.")
        report = self.rounds(shared).next()
        assert report
        assert [info.path for info in report.added] == [busy]
        assert shared_corpus.shared(shared).queued() == (0, 0)

    def test_pauses_grow_and_the_fifth_attempt_is_the_last(self, site: Site, shared: Corpus) -> None:
        shared_corpus.queue(shared, [site.put("/a.pdf", status=503)])
        pauses, failed = list[float](), list[str]()
        while sum(shared_corpus.shared(shared).queued()):
            report = self.rounds(shared).next()  # each by another worker
            assert report
            failed += [failure.message for failure in report.failed]
            pauses += self.let_pauses_end(shared)
        assert [round(pause, -1) for pause in pauses] == [30, 120, 480, 1920]
        assert len(site.sent) == 5
        (message,) = failed
        assert message.endswith("(503 Service Unavailable) (5 attempts)")

    def test_a_machine_without_room_ends_its_worker_and_what_it_had_is_back(
        self, site: Site, shared: Corpus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pages = [site.put(f"/{at}.pdf", f"# Part {at}\nOf it.".encode()) for at in range(3)]
        shared_corpus.queue(shared, pages)
        for _ in range(2):
            with monkeypatch.context() as patched, pytest.raises(CorpusError, match="no room in") as caught:
                error = OSError(errno.ENOSPC, "No space left on device")
                patched.setattr(fetching.socket, "getaddrinfo", fails_with(error))
                reports = list[AddReport]()
                shared_corpus.work(shared, lambda some: shared.add(some, allow_private=True), reports.append)
            assert "\n" not in str(caught.value)
            assert not any(report.failed for report in reports)
            assert shared_corpus.shared(shared).queued() == (3, 0)
            self.let_pauses_end(shared)
        report = self.rounds(shared).next()
        assert report
        assert len(report.added) == 3

    def test_what_is_tried_again_is_told_as_finished_once(self, site: Site, shared: Corpus) -> None:
        told = list[str]()

        class Told(Silence):
            def finish(self, path: str, outcome: str) -> None:
                del path
                told.append(outcome)

        once = Once(Told())
        shared_corpus.queue(shared, [site.put("/a.pdf", status=503), site.put("/b.pdf", b"# Costs\nThey fell.")])
        for _ in range(2):
            some = shared_corpus.Rounds(shared, lambda some: shared.add(some, allow_private=True, progress=once))
            some.next()
            site.put("/a.pdf", b"# Fees\nThey rose.")
            self.let_pauses_end(shared)
        assert sorted(told) == ["added", "again", "failed"]

    def test_a_machine_without_network_rests_while_others_take_what_it_had(
        self, site: Site, shared: Corpus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        now = [0.0]
        monkeypatch.setattr(shared_corpus.time, "monotonic", lambda: now[0])
        shared_corpus.queue(shared, [site.put(f"/{at}.pdf", f"# Part {at}\nOf it.".encode()) for at in range(18)])
        away, here = self.rounds(shared), self.rounds(shared)
        error = socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        for rest in (30, 120):
            with monkeypatch.context() as patched:
                patched.setattr(fetching.socket, "getaddrinfo", fails_with(error))
                report = away.next()
            assert report
            assert not report.failed
            assert all("Temporary failure" in note for note in report.notes)
            self.let_pauses_end(shared)
            now[0] += rest - 1
            assert away.next() is None
            now[0] += 1
        report = here.next()
        assert report
        assert len(report.added) == 16
        report = away.next()
        assert report
        assert len(report.added) == 2
        assert away.next() is None

    @pytest.mark.parametrize("others", [0, 1])
    def test_a_name_that_nobody_can_resolve_fails_after_the_last_attempt(
        self, site: Site, shared: Corpus, monkeypatch: pytest.MonkeyPatch, others: int
    ) -> None:
        def resolve(host: str, port: int, *_: object, **__: object) -> list[tuple[object, ...]]:
            if host == "broken.example":
                raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
            return [(2, 1, 6, "", (host, port))]

        monkeypatch.setattr(fetching.socket, "getaddrinfo", resolve)
        broken = [f"https://broken.example/{at}.pdf" for at in range(8)]
        shared_corpus.queue(shared, [*broken, *(site.put("/good.pdf") for _ in range(others))])
        failed = list[str]()
        while sum(shared_corpus.shared(shared).queued()):
            report = self.rounds(shared).next()  # each by another worker
            assert report
            failed += [failure.path for failure in report.failed]
            self.let_pauses_end(shared)
        assert sorted(failed) == broken


def test_an_object_is_called_by_all_of_its_key() -> None:
    assert name_of_address("s3://bucket/notes/Invoice #12?.pdf") == "Invoice #12?.pdf"
    assert name_of_address("https://example.org/a/Sales%20notes.pdf?version=2#page=3") == "Sales notes.pdf"


def test_a_file_may_list_what_is_added(site: Site, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\nA note.\n")
    listed = tmp_path / "list"
    listed.write_text(f"# what to read\n\n{tmp_path / 'a.md'}\n{site.put('/b.md', b'# Two')}\n")
    command = [sys.executable, "-m", "octavo", "add", "--from", listed, "--corpus", tmp_path / "corpus"]
    done = subprocess.run([*command, "--allow-private"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "b.md" in done.stdout
    nothing = subprocess.run([*command[:4], *command[6:]], capture_output=True, text=True)
    assert nothing.returncode == 2
    assert "PATH... is missing" in nothing.stderr
