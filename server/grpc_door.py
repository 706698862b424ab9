"""The gRPC door: BotService, health and reflection on one port.

The work of a call runs in a thread, so that the loop always answers health checks.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import socket
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import fields
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from islebots.server.errors import INTERNAL, Refused, details
from islebots.server.service import Service
from islebots.server.settings import Settings
from islebots.v1 import bot_pb2

BOT_SERVICE = bot_pb2.DESCRIPTOR.services_by_name["BotService"]
SERVICES = (BOT_SERVICE.full_name, health.SERVICE_NAME, reflection.SERVICE_NAME)

log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The address cannot be had; says why in one line."""


class Door:
    """A gRPC server on one port."""

    def __init__(self, service: Service, settings: Settings) -> None:
        self.service = service
        self.settings = settings
        self.port = settings.port  # once started, the one it listens on
        self.pool = ThreadPoolExecutor(settings.threads, "call")
        self.running: set[Future[bytes]] = set()  # calls that wait for a thread or have one
        self.health = health.aio.HealthServicer()

    async def start(self) -> None:
        """Listens; CannotListen if the port is taken."""
        longest = self.settings.max_message_kb * 1024
        self.server = grpc.aio.server(
            options=[
                ("grpc.so_reuseport", 0),  # or a second server takes the same port silently
                ("grpc.max_receive_message_length", longest),
                ("grpc.max_send_message_length", longest),
                # A frozen client is only noticed with both.
                ("grpc.keepalive_time_ms", 60_000),
                ("grpc.http2.ping_timeout_ms", 20_000),
            ]
        )
        handlers = {method.name: self.handler(method) for method in BOT_SERVICE.methods}
        generic = grpc.method_handlers_generic_handler(BOT_SERVICE.full_name, handlers)
        self.server.add_generic_rpc_handlers((generic,))
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        reflection.enable_server_reflection(SERVICES, self.server)
        must_be_free(self.settings.host, self.settings.port)
        host = self.settings.host
        address = f"[{host}]" if ":" in host else host
        try:
            self.port = self.server.add_insecure_port(f"{address}:{self.settings.port}")
        except RuntimeError:  # taken since the look above
            raise CannotListen(in_use(host, self.settings.port)) from None
        await self.server.start()
        for name in ("", *SERVICES):
            await self.health.set(name, health_pb2.HealthCheckResponse.SERVING)

    async def stop(self) -> None:
        """NOT_SERVING first, then what runs may end, then the rest is broken off."""
        await self.health.enter_graceful_shutdown()
        await self.server.stop(self.settings.grace_s)
        self.pool.shutdown(wait=False, cancel_futures=True)

    def handler(self, method: MethodDescriptor) -> grpc.RpcMethodHandler[bytes, bytes]:
        """Answers one rpc by the method of the service that is named like it."""
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower()
        call: Callable[[Any], Message] = getattr(self.service, name)
        Request = GetMessageClass(method.input_type)

        def work(data: bytes) -> bytes:
            try:
                request = Request.FromString(data)
            except DecodeError:
                raise Refused("BAD_TEXT", f"not a {Request.DESCRIPTOR.full_name}") from None
            return call(request).SerializeToString()

        async def answer(data: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
            refused: Refused
            try:
                return await self.in_thread(work, data)
            except Refused as error:
                refused = error
                log.info("%s refused: %s", method.name, refused.reason)
            except Exception:
                refused = INTERNAL
                log.exception("%s failed", method.name)
            message, metadata = details(refused)
            await context.abort(refused.code, message, metadata)
            raise AssertionError("abort returns")

        # Bytes in and out: a broken request is refused in `work`, not answered with INTERNAL.
        return grpc.unary_unary_rpc_method_handler(answer)

    async def in_thread(self, work: Callable[[bytes], bytes], data: bytes) -> bytes:
        """Runs the work of a call in the pool."""
        future = self.pool.submit(work, data)
        self.running.add(future)
        future.add_done_callback(self.running.discard)
        return await asyncio.wrap_future(future)


def must_be_free(host: str, port: int) -> None:
    """CannotListen if a port cannot be had. gRPC would say so in many lines."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"host {host}: no such address") from None
    for family, kind, protocol, _, address in found:
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(address)
            except OSError as error:
                why = os.strerror(error.errno or 0).lower()
                raise CannotListen(in_use(host, port, why)) from None


def in_use(host: str, port: int, why: str = "address already in use") -> str:
    return f"{host}:{port}: {why}; give another --host or --port"


def serve(settings: Settings) -> int:
    """Serves until SIGTERM or SIGINT; the exit status."""
    door = Door(Service(), settings)
    for setting in fields(settings):
        log.info("%s = %s", setting.name, getattr(settings, setting.name))
    try:
        asyncio.run(until_signal(door))
    except CannotListen as error:
        print(f"islebots serve: {error}", file=sys.stderr)
        return 2
    if door.running:  # Python would wait for their threads
        log.warning("%d calls still ran after %g s", len(door.running), settings.grace_s)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    return 0


async def until_signal(door: Door) -> None:
    """Starts, waits for a signal, stops."""
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told.set)
    await door.start()
    log.info("serving %s on %s:%d", BOT_SERVICE.full_name, door.settings.host, door.port)
    await told.wait()
    log.info("stopping: no new calls, %g s for those that run", door.settings.grace_s)
    await door.stop()
    log.info("stopped")
