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

    const api = new scrim.aws.ApiGatewayV2("Api", { cors: true });
    api.route("GET /", "src/home.show");
    api.route("GET /notes", { handler: "src/notes.list", link: [notes] });
    api.route("POST /notes", { handler: "src/notes.create", link: [notes] });
    api.route("GET /notes/{id}", { handler: "src/notes.read", link: [notes] });
    api.route("DELETE /notes/{id}", {
      handler: "src/notes.remove",
      link: [notes, attachments],
    });
    api.route("PUT /notes/{id}/attachment", {
      handler: "src/attachments.put",
      link: [notes, attachments],
    });
    api.route("GET /notes/{id}/attachment", {
      handler: "src/attachments.get",
      link: [attachments],
    });

    return { url: api.url };
  },
});
