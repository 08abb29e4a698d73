"""gidgethub on aiohttp and uvloop, as its documentation shows, with a handler that does nothing. Nothing is stored."""

import os

import uvloop
from aiohttp import web
from gidgethub import ValidationFailure, routing, sansio

router = routing.Router()


@router.register("issues", action="labeled")
@router.register("issue_comment", action="created")
async def nothing(event):
    del event


async def receive(request):
    body = await request.read()
    try:
        event = sansio.Event.from_http(request.headers, body, secret=os.environ["WEBHOOK_SECRET"])
    except ValidationFailure:
        return web.Response(status=401)
    await router.dispatch(event)
    return web.Response(status=200)


app = web.Application(client_max_size=26 * 1024 * 1024)
app.router.add_post("/api/github/webhooks", receive)
uvloop.install()
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), access_log=None, print=None)
