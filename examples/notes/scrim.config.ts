/// <reference types="scrim/config" />

export default $config({
  app(input) {
    return {
      name: "notes",
      home: "local",
      removal: input.stage === "production" ? "retain" : "remove",
      protect: input.stage === "production",
    };
  },
  async run() {
    const notes = new scrim.aws.Dynamo("Notes", {
      fields: { id: "string" },
      primaryIndex: { hashKey: "id" },
    });
    const attachments = new scrim.aws.Bucket("Attachments");

    const users = new scrim.aws.CognitoUserPool("Users", { usernames: ["email"], domain: true });
    const auth = new scrim.aws.Auth("Auth", {
      authorizer: { handler: "src/auth.handler", link: [users] },
    });

    const api = new scrim.aws.ApiGatewayV2("Api", { cors: true });
    const web = users.addClient("Web", {
      callbackUrls: [$interpolate`${api.url}/callback`],
      generateSecret: true,
    });
    const terminal = users.addClient("Terminal", { authFlows: ["USER_PASSWORD_AUTH"] });

    api.route("GET /", "src/home.show");
    api.route("GET /notes", { handler: "src/notes.list", link: [notes] });
    api.route("POST /notes", { handler: "src/notes.create", link: [notes], auth });
    api.route("GET /notes/{id}", { handler: "src/notes.read", link: [notes] });
    api.route("DELETE /notes/{id}", {
      handler: "src/notes.remove",
      link: [notes, attachments],
      auth,
    });
    api.route("PUT /notes/{id}/attachment", {
      handler: "src/attachments.put",
      link: [notes, attachments],
      auth,
    });
    api.route("GET /notes/{id}/attachment", {
      handler: "src/attachments.get",
      link: [attachments],
    });

    api.route("GET /me", { handler: "src/me.show", auth });
    api.route("GET /sign-in", { handler: "src/sign-in.start", link: [users, web, api] });
    api.route("GET /callback", { handler: "src/sign-in.finish", link: [users, web, api] });
    api.route("GET /dashboard", "src/dashboard.show");

    return { url: api.url, userPool: users.endpoint, client: terminal.id };
  },
});
