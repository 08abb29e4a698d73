"""FastAPI with githubkit's webhook parser, as its documentation shows. Nothing is stored."""

import os

import uvicorn
from fastapi import FastAPI, Request, Response
from githubkit.webhooks import parse, verify

app = FastAPI()


@app.post("/api/github/webhooks")
async def receive(request: Request) -> Response:
    body = await request.body()
    if not verify(os.environ["WEBHOOK_SECRET"], body, request.headers["x-hub-signature-256"]):
        return Response(status_code=401)
    parse(request.headers["x-github-event"], body)
    return Response(status_code=202)


uvicorn.run(app, host="127.0.0.1", port=int(os.environ["PORT"]), log_level="warning", access_log=False)
