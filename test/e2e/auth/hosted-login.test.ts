import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CognitoFixture,
  createCognitoFixture,
  makeUser,
  PASSWORD,
} from "../../../src/clouds/local/services/cognito/cognito.fixture.ts";
import { available } from "../../support/require.ts";

const CHROMIUM = "/usr/bin/chromium";

describe.skipIf(!available("Chromium", existsSync(CHROMIUM)))(
  "the hosted login in Chromium",
  () => {
    let fixture: CognitoFixture;
    let client: Server;
    let origin: string;
    let browser: Browser;
    let login: string;
    let clientId: string;

    beforeAll(async () => {
      fixture = await createCognitoFixture();
      client = createServer((request, response) => {
        response.setHeader("content-type", "text/html");
        response.end(`<title>client</title><p>${request.url?.split("?")[0]}</p>`);
      });
      await new Promise<void>((resolve) => client.listen(0, "127.0.0.1", resolve));
      origin = `http://localhost:${(client.address() as AddressInfo).port}`;
      const pool = await fixture.pool("pool");
      const callbackUrls = [`${origin}/callback`];
      clientId = String((await fixture.client(pool, { callbackUrls }))["id"]);
      const query = {
        client_id: clientId,
        response_type: "code",
        redirect_uri: `${origin}/callback`,
      };
      login = `${pool["domain"]}/oauth2/authorize?${new URLSearchParams(query)}`;
      await makeUser(fixture.sdk(), String(pool["id"]), "ann@example.com");
      // Without a sandbox, as tests may run as root, where Chromium has none.
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    }, 60_000);

    afterAll(async () => {
      await browser.close();
      client.close();
      await fixture.close();
    });

    it("shows a form, and after the right password the client's own page with a code", async () => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on("console", (message) => {
        // The answer 400 to a wrong password is told as an error, too.
        if (message.type() === "error" && !message.text().includes("400"))
          problems.push(message.text());
      });
      await page.goto(login);
      await page.getByLabel("Email").fill("ann@example.com");
      await page.getByLabel("Password").fill("Wrong-Horse-1");
      await page.getByRole("button").click();
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Email").fill("ann@example.com");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("button").click();
      await page.waitForURL(/\/callback\?code=/);
      expect(await page.textContent("p")).toBe("/callback");
      // Who is signed in is not asked again.
      await page.goto(login);
      expect(page.url()).toMatch(/\/callback\?code=/);
      expect(problems).toEqual([]);
      await page.close();
    });

    it("lets a front end on this machine call the API", async () => {
      const page = await browser.newPage();
      await page.goto(origin);
      const answer = await page.evaluate(
        async ([endpoint, ClientId]) => {
          const response = await fetch(endpoint ?? "", {
            method: "POST",
            headers: {
              "content-type": "application/x-amz-json-1.1",
              "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
            },
            body: JSON.stringify({
              ClientId,
              AuthFlow: "USER_PASSWORD_AUTH",
              AuthParameters: { USERNAME: "ann@example.com", PASSWORD: "Wrong-Horse-1" },
            }),
          });
          return await response.json();
        },
        [fixture.endpoint, clientId],
      );
      expect(answer).toMatchObject({ __type: "NotAuthorizedException" });
      await page.close();
    });
  },
);
