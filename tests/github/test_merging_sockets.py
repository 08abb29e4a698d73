"""The last moment before a merge leaves, on real connections: what arrives at the other end, byte by byte."""

import asyncio
import datetime as dt
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from email.utils import format_datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bot.domain.model.effects import MergeReply
from bot.domain.model.ids import Repo
from bot.domain.model.permit import MergeOrder, MergePermit
from bot.github.client import Endpoint, GitHubGateway, Identity
from bot.github.merging import merge
from bot.github.tokens import Token
from bot.simulator.world import World
from tests.github.conftest import START, no_sleep
from tests.kit.keys import app_key

pytestmark = pytest.mark.anyio

REPO = Repo(installation_id=77, id=1, owner="octo", name="app")
HEAD = "1a2b3c4d5e6f7081920a1b2c3d4e5f6071829304"
OK = b'{"sha":"%b","merged":true,"message":"Pull Request successfully merged"}' % HEAD.encode()


def permit() -> MergePermit:
    order = MergeOrder(
        reservation="m-1",
        attempt="a-1",
        pull=34,
        head=HEAD,
        base="main",
        method="squash",
        title="Retry",
        body="",
        api="sync",
    )
    return MergePermit(MergePermit._seal, order)


class Peer:
    """The other end. It keeps the bytes of every connection, and answers a request (None = never) or breaks off."""

    def __init__(self, answer: bytes | None, *, breaks_off: bool = False) -> None:
        self.answer = answer
        self.breaks_off = breaks_off
        self.received: list[bytes] = []
        self.closed = asyncio.Event()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here = len(self.received)
        self.received.append(b"")
        with suppress(ConnectionError):  # a client that withdraws cuts the connection
            await self._answer(here, reader, writer)
        writer.close()
        self.closed.set()

    async def _answer(self, here: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while chunk := await reader.read(65_536):
            self.received[here] += chunk
            if self.answer is not None and self.received[here].endswith(b"}"):
                writer.write(self.answer)
                if self.breaks_off:
                    break


def http(status: str, body: bytes = b"", extra: bytes = b"") -> bytes:
    date = format_datetime(START, usegmt=True).encode()
    head = b"HTTP/1.1 %b\r\ndate: %b\r\n%bcontent-length: %d\r\n\r\n" % (status.encode(), date, extra, len(body))
    return head + body


def gateway(url: str, world: World, seconds: float = 5.0) -> GitHubGateway:
    """With a token already in hand: these tests are about the one request after it."""

    made = GitHubGateway(
        Identity(4711, app_key(world)), Endpoint(api_url=url, merge_timeout=seconds), world.clock, no_sleep
    )
    made.tokens._tokens[REPO.installation_id, REPO.id] = Token("t1", 1e9, {})
    return made


@asynccontextmanager
async def listening(peer: Peer, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def asked(peer: Peer, may_send: Callable[[], bool] = lambda: True, seconds: float = 5.0) -> MergeReply:
    async with listening(peer) as port:
        client = gateway(f"http://127.0.0.1:{port}", World(START), seconds)
        reply = await merge(client, REPO, permit(), may_send)
        await client.close()
        await peer.closed.wait()
    return reply


async def test_the_request_arrives_once_and_whole() -> None:
    peer = Peer(http("200 OK", OK))
    reply = await asked(peer)
    assert (reply.sent, reply.status, reply.merged, reply.sha) == (True, 200, True, HEAD)
    (got,) = peer.received
    assert got.startswith(b"PUT /repos/octo/app/pulls/34/merge HTTP/1.1\r\n")
    assert got.endswith(b'{"sha":"%b","merge_method":"squash","commit_title":"Retry"}' % HEAD.encode())


async def test_when_it_may_not_be_sent_not_one_byte_arrives() -> None:
    peer = Peer(http("200 OK", OK))
    reply = await asked(peer, lambda: False)
    assert (reply.sent, reply.status) == (False, None)
    assert peer.received == [b""]


async def test_the_question_is_asked_when_the_connection_stands_and_nothing_is_written() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)
        standing: list[socket.socket] = []

        def may_send() -> bool:
            connection, _ = listener.accept()
            connection.setblocking(False)
            standing.append(connection)
            with pytest.raises(BlockingIOError):
                connection.recv(1)
            return False

        client = gateway(f"http://127.0.0.1:{listener.getsockname()[1]}", World(START))
        reply = await merge(client, REPO, permit(), may_send)
        await client.close()
        (connection,) = standing
        connection.settimeout(5)
        assert connection.recv(1) == b""
        connection.close()
    assert not reply.sent


async def test_a_connection_that_stands_up_too_late_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The handshake takes 40 of the 60 seconds of the lease; 30 must remain when it stands."""
    world = World(START)
    context = certified(tmp_path, monkeypatch)
    context.sni_callback = lambda *_: world.clock.advance(40)
    lease_ends = world.clock.monotonic() + 60
    peer = Peer(http("200 OK", OK))
    async with listening(peer, context) as port:
        client = gateway(f"https://localhost:{port}", world)
        reply = await merge(client, REPO, permit(), lambda: lease_ends - world.clock.monotonic() >= 30)
        await client.close()
        await peer.closed.wait()
    assert (reply.sent, peer.received) == (False, [b""])


async def test_a_connection_that_stands_up_in_time_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(START)
    context = certified(tmp_path, monkeypatch)
    context.sni_callback = lambda *_: world.clock.advance(20)
    lease_ends = world.clock.monotonic() + 60
    peer = Peer(http("200 OK", OK))
    async with listening(peer, context) as port:
        client = gateway(f"https://localhost:{port}", world)
        reply = await merge(client, REPO, permit(), lambda: lease_ends - world.clock.monotonic() >= 30)
        await client.close()
        await peer.closed.wait()
    assert (reply.sent, reply.merged) == (True, True)


async def test_a_handshake_that_never_ends_sends_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        client = gateway(f"https://127.0.0.1:{listener.getsockname()[1]}", World(START), seconds=0.2)
        reply = await merge(client, REPO, permit(), lambda: True)
        await client.close()
    assert (reply.sent, reply.why) == (False, "ConnectTimeout")


async def test_a_certificate_nobody_knows_sends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context = certified(tmp_path, monkeypatch)
    monkeypatch.delenv("SSL_CERT_FILE")
    peer = Peer(http("200 OK", OK))
    async with listening(peer, context) as port:
        client = gateway(f"https://localhost:{port}", World(START))
        reply = await merge(client, REPO, permit(), lambda: True)
        await client.close()
    assert (reply.sent, reply.why) == (False, "ConnectError")


async def test_a_refused_connection_sends_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    client = gateway(f"http://127.0.0.1:{port}", World(START))
    reply = await merge(client, REPO, permit(), lambda: True)
    await client.close()
    assert (reply.sent, reply.status) == (False, None)


async def test_no_answer_within_the_deadline_may_have_landed() -> None:
    reply = await asked(Peer(None), seconds=0.2)
    assert (reply.sent, reply.status) == (True, None)


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 200 OK\r\ncontent-le", b"SSH-2.0-nonsense\r\n", b"HTTP/1.1 500", b""],
    ids=["cut head", "not http", "cut status", "nothing"],
)
async def test_a_connection_that_breaks_after_the_request_may_have_landed(answer: bytes) -> None:
    reply = await asked(Peer(answer, breaks_off=True))
    assert (reply.sent, reply.status, reply.merged) == (True, None, None)


@pytest.mark.parametrize("body", [b"<html>", b"", b"[]", b'{"merged":"yes"}', b"[" * 50_000, b"\xff"], ids=range(6))
async def test_an_unreadable_200_keeps_its_status_and_says_nothing_more(body: bytes) -> None:
    """known-faults.md, row 94."""
    reply = await asked(Peer(http("200 OK", body)))
    assert (reply.sent, reply.status, reply.merged, reply.sha) == (True, 200, None, None)


@pytest.mark.parametrize("status", ["301 Moved Permanently", "307 Temporary Redirect", "308 Permanent Redirect"])
async def test_a_redirect_is_an_answer_and_is_not_followed(status: str) -> None:
    peer = Peer(http(status, b"", b"location: /repositories/1/pulls/34/merge\r\n"))
    reply = await asked(peer)
    assert (reply.sent, reply.status) == (True, int(status[:3]))
    assert len(peer.received) == 1


async def test_every_merge_has_its_own_connection() -> None:
    """A kept one that the server just closed would turn a merge into an unknown outcome."""
    peer = Peer(http("200 OK", OK))
    async with listening(peer) as port:
        client = gateway(f"http://127.0.0.1:{port}", World(START))
        for _ in range(3):
            assert (await merge(client, REPO, permit(), lambda: True)).merged
        await client.close()
    assert len(peer.received) == 3


def certified(place: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server context for `localhost` that clients of this test trust."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    both = place / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    both.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    monkeypatch.setenv("SSL_CERT_FILE", str(both))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context
