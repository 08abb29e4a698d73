"""Webhooks as requests: signed as GitHub signs them, handed to whatever posts them."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping

from bot.simulator.hooks import HookDelivery, HookQueue
from bot.simulator.world import World

Post = Callable[[bytes, Mapping[str, str]], Awaitable[int]]
"""Send body and headers to the bot's webhook address; the status it answered, 0 without an answer."""


def sign(secret: str, body: bytes) -> str:
    """The value of `X-Hub-Signature-256`."""
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def headers(world: World, delivery: HookDelivery, secret: str) -> dict[str, str]:
    return {
        "Accept": "*/*",
        "Content-Type": "application/json",
        "User-Agent": "GitHub-Hookshot/1a2b3c4",
        "X-GitHub-Delivery": delivery.guid,
        "X-GitHub-Event": delivery.event,
        "X-GitHub-Hook-ID": str(world.app.id + 1),
        "X-GitHub-Hook-Installation-Target-ID": str(world.app.id),
        "X-GitHub-Hook-Installation-Target-Type": "integration",
        "X-Hub-Signature-256": sign(secret, delivery.body),
    }


async def deliver(world: World, secret: str, post: Post) -> int:
    """Post everything that is due, in the queue's order, once; GitHub logs each answer. Returns how many were posted."""
    due = world.hooks.take()
    for delivery in due:
        delivery.status_code = await post(delivery.body, headers(world, delivery, secret))
    return len(due)


def failed(queue: HookQueue) -> list[HookDelivery]:
    """GUIDs of which no attempt was answered 2xx, newest attempt each: what a redelivery job would find."""
    newest = {one.guid: one for one in queue.log if one.status_code is not None}
    good = {one.guid for one in queue.log if one.status_code is not None and 200 <= one.status_code < 300}
    return [one for guid, one in newest.items() if guid not in good]
