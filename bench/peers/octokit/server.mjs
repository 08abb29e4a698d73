// @octokit/webhooks alone, with a handler that does nothing. Nothing is stored.
import { createServer } from "node:http";
import { Webhooks, createNodeMiddleware } from "@octokit/webhooks";

const webhooks = new Webhooks({ secret: process.env.WEBHOOK_SECRET });
let seen = 0;
webhooks.onAny(async () => {
  seen += 1;
});
const middleware = createNodeMiddleware(webhooks, { path: "/api/github/webhooks" });
createServer(async (request, response) => {
  if (await middleware(request, response)) return;
  response.statusCode = 404;
  response.end();
}).listen(Number(process.env.PORT), "127.0.0.1");
