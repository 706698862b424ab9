"""The gRPC door: health, reflection, faults, start and stop."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)

from islebots.server.grpc_door import Door
from islebots.server.service import Service
from islebots.server.settings import Settings
from islebots.v1 import bot_pb2, bot_pb2_grpc
from tests.server.conftest import PATIENCE, Running

SERVING = health_pb2.HealthCheckResponse.SERVING


def test_health_is_serving_for_the_server_and_the_service(channel: grpc.Channel) -> None:
    stub = health_pb2_grpc.HealthStub(channel)
    for name in ("", "islebots.v1.BotService"):
        assert stub.Check(health_pb2.HealthCheckRequest(service=name)).status == SERVING


def test_reflection_lists_the_service_and_describes_it(channel: grpc.Channel) -> None:
    known = ProtoReflectionDescriptorDatabase(channel)
    assert "islebots.v1.BotService" in known.get_services()
    file = known.FindFileContainingSymbol("islebots.v1.SeaAndCoastView")
    assert file.name == "islebots/v1/sea_and_coast.proto"


def test_bytes_that_are_no_message_are_refused(channel: grpc.Channel) -> None:
    call = channel.unary_unary("/islebots.v1.BotService/NewGame")
    with pytest.raises(grpc.RpcError) as raised:
        call(b"\x0a\xff")
    assert raised.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert raised.value.details() == "not a islebots.v1.NewGameRequest"


def test_a_request_that_is_too_long_is_refused(channel: grpc.Channel) -> None:
    call = channel.unary_unary("/islebots.v1.BotService/NewGame")
    with pytest.raises(grpc.RpcError) as raised:
        call(bytes(1025 * 1024))
    assert raised.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


class Broken(Service):
    """A service with a fault."""

    def list_games(self, request: Any) -> Any:
        raise RuntimeError("B holds R9")


async def test_a_fault_is_told_without_its_text_and_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    door = Door(Broken(), Settings(port=0, grace_s=0))
    await door.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{door.port}") as channel:
            stub = bot_pb2_grpc.BotServiceStub(channel)
            with pytest.raises(grpc.aio.AioRpcError) as raised:
                await stub.ListGames(bot_pb2.ListGamesRequest())
    finally:
        await door.stop()
    assert raised.value.code() == grpc.StatusCode.INTERNAL
    assert raised.value.details() == "internal error"
    assert "R9" not in str(raised.value.trailing_metadata())
    assert "B holds R9" in caplog.text


class Slow(Service):
    """A service that answers when it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def list_games(self, request: Any) -> Any:
        self.go.wait(PATIENCE)
        return bot_pb2.ListGamesResponse()


async def test_health_is_answered_while_calls_work_and_stop_lets_them_end() -> None:
    service = Slow()
    door = Door(service, Settings(port=0, threads=1, grace_s=PATIENCE))
    await door.start()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{door.port}") as channel:
            call = bot_pb2_grpc.BotServiceStub(channel).ListGames(bot_pb2.ListGamesRequest())
            health = health_pb2_grpc.HealthStub(channel)
            while not door.running:
                request = health_pb2.HealthCheckRequest()
                answer = await health.Check(request, timeout=PATIENCE)
                assert answer.status == SERVING
            stopping = asyncio.create_task(door.stop())
            await asyncio.sleep(0.1)
            assert not stopping.done()
            service.go.set()
            await stopping
            assert await call == bot_pb2.ListGamesResponse()
    finally:
        service.go.set()
        await door.stop()
    assert not door.running


def test_a_second_server_on_the_port_stops_with_one_line(address: str) -> None:
    port = address.rpartition(":")[2]
    second = Running("--port", port)
    try:
        assert second.process.wait(PATIENCE) == 2
        said = second.wait_for("^islebots serve: ")
    finally:
        second.stop()
    assert f"127.0.0.1:{port}: address already in use" in said.string
    assert second.said.get(timeout=PATIENCE) is None  # and nothing after it


def test_a_host_that_does_not_exist_stops_with_one_line() -> None:
    server = Running("--host", "300.1.1.1")
    try:
        assert server.process.wait(PATIENCE) == 2
        server.wait_for("^islebots serve: host 300.1.1.1: no such address$")
    finally:
        server.stop()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_in_its_grace_time(number: signal.Signals) -> None:
    server = Running("--port", "0", "--grace-s", "1")
    try:
        with grpc.insecure_channel(server.address()) as channel:
            # An open Watch would hold the server for ever.
            watch = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert next(watch).status == SERVING
            server.process.send_signal(number)
            assert next(watch).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert server.process.wait(PATIENCE) == 0
    finally:
        server.stop()


def test_every_setting_is_logged_at_the_start() -> None:
    server = Running("--port", "0", "--threads", "3")
    try:
        server.address()
    finally:
        server.stop()
    log = "".join(server.lines)
    for setting in ("host = 127.0.0.1", "port = 0", "threads = 3", "grace_s = 5.0"):
        assert setting in log
