// Probot as its documentation starts it. Nothing is stored. With COMMENTS a comment is posted for each delivery, by a client
// without the plugins that space, repeat and log requests: its best case.
import { createServer } from "node:http";
import { createNodeMiddleware, createProbot } from "probot";

const overrides = {
  appId: Number(process.env.APP_ID),
  privateKey: process.env.PRIVATE_KEY,
  secret: process.env.WEBHOOK_SECRET,
  logLevel: "warn",
};
if (process.env.COMMENTS) {
  const { Octokit } = await import("@octokit/core");
  const { restEndpointMethods } = await import("@octokit/plugin-rest-endpoint-methods");
  const { createProbotAuth } = await import("octokit-auth-probot");
  overrides.Octokit = Octokit.plugin(restEndpointMethods).defaults({ authStrategy: createProbotAuth });
  overrides.baseUrl = process.env.GITHUB_API_URL;
}
let seen = 0;
const app = (bot) => {
  bot.on(["issues.labeled", "issue_comment.created"], async (context) => {
    seen += 1;
    if (process.env.COMMENTS) await context.octokit.rest.issues.createComment(context.issue({ body: "Help is here." }));
  });
};
const probot = createProbot({ overrides });
const middleware = await createNodeMiddleware(app, { probot, webhooksPath: "/api/github/webhooks" });
createServer(async (request, response) => {
  if (!(await middleware(request, response))) {
    response.statusCode = 404;
    response.end();
  }
}).listen(Number(process.env.PORT), "127.0.0.1");
