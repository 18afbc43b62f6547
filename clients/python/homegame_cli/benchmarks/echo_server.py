"""A gRPC server that does nothing: `python -m homegame_cli.benchmarks.echo_server BYTES` answers every call with so many bytes.

It is the floor of the server's own calls: the same library and event loop, and an empty handler without messages.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from typing import Any, Final

import grpc
import uvloop

SERVICE: Final = "homegame.bench.Echo"
UNARY: Final = f"/{SERVICE}/Unary"
# As the real server's, so that both listen alike.
_OPTIONS: Final = (("grpc.so_reuseport", 0),)


async def serve(answer: bytes) -> None:
    """Listen on a free port of this machine, print the address on a line, and answer until told to stop."""

    async def unary(_request: bytes, _context: grpc.aio.ServicerContext[Any, Any]) -> bytes:
        return answer

    server = grpc.aio.server(options=_OPTIONS)
    handler: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(unary)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Unary": handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"127.0.0.1:{port}\n")
    sys.stdout.flush()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    await stopping.wait()
    await server.stop(None)


if __name__ == "__main__":
    uvloop.run(serve(bytes(int(sys.argv[1]))))
