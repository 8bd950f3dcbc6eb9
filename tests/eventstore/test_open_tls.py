"""A client that speaks TLS to a server that does not, and the other way round."""

from __future__ import annotations

import asyncio
import datetime
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from eventstore.open import open_store
from eventstore.store import StoreDown, StoreUnfit
from tests.eventstore.drafts import NOON, Clock


def certified(folder: Path) -> ssl.SSLContext:
    """A server's side of TLS, with a certificate that nobody knows."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    day = datetime.datetime.fromtimestamp(NOON / 1000, datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(day)
        .not_valid_after(day + datetime.timedelta(days=36_500))
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(secret + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


@asynccontextmanager
async def listening(context: ssl.SSLContext | None) -> AsyncIterator[int]:
    """The port of a server that answers nothing but an error."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"-ERR\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def test_a_server_that_wants_tls_is_asked_for_it(tmp_path: Path, clock: Clock) -> None:
    async with listening(certified(tmp_path)) as port:
        with pytest.raises(StoreDown, match=r"if the server wants TLS, its URL must begin with rediss://"):
            await open_store(f"redis://:s3cret@127.0.0.1:{port}", tmp_path, now=clock)


async def test_a_server_without_tls_is_not_asked_for_it(tmp_path: Path, clock: Clock) -> None:
    async with listening(None) as port:
        with pytest.raises(StoreUnfit, match=r"does not speak TLS: its URL must begin with redis://"):
            await open_store(f"rediss://:s3cret@127.0.0.1:{port}", tmp_path, now=clock)


async def test_the_servers_of_a_cluster_are_no_exception(tmp_path: Path, clock: Clock) -> None:
    async with listening(None) as port:
        with pytest.raises(StoreUnfit, match=r"does not speak TLS: its URL must begin with redis://"):
            await open_store(f"rediss://:s3cret@127.0.0.1:{port},127.0.0.1:{port}", tmp_path, now=clock)


async def test_a_certificate_that_nobody_knows_is_refused(tmp_path: Path, clock: Clock) -> None:
    async with listening(certified(tmp_path)) as port:
        with pytest.raises(StoreUnfit, match="certificate is not trusted here") as refused:
            await open_store(f"rediss://:s3cret@127.0.0.1:{port}", tmp_path, now=clock)
    assert "s3cret" not in str(refused.value)
