import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProject, type Project } from "../../support/project.ts";
import { available } from "../../support/require.ts";
import { authApp } from "./auth-app.ts";
import { startTestIssuer, type TestIssuer } from "./test-issuer.ts";

const CHROMIUM = "/usr/bin/chromium";

describe.skipIf(!available("Chromium", existsSync(CHROMIUM)))("a page on another origin", () => {
  let issuer: TestIssuer;
  let project: Project;
  let pages: Server;
  let browser: Browser;
  let page: Page;
  let api: string;

  beforeAll(async () => {
    issuer = await startTestIssuer();
    project = makeProject(authApp(issuer.url));
    const deployed = await project.scrim(["deploy", "--stage", "dev", "--json"]);
    expect(deployed).toMatchObject({ exit: 0 });
    api = JSON.parse(deployed.stdout).outputs.url;
    pages = createServer((_, response) => response.setHeader("content-type", "text/html").end());
    await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
    // Without a sandbox, as tests may run as root, where Chromium has none.
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
    page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
  });

  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await project?.dispose();
    issuer?.close();
  });

  /** Fetches in the page; a browser that keeps the answer from the page throws. */
  const fetchInPage = (path: string, headers: Readonly<Record<string, string>>) =>
    page.evaluate(
      async ([address, sent]) => {
        const response = await fetch(address, { headers: sent });
        return [response.status, await response.text(), response.headers.get("x-why")];
      },
      [new URL(path, api).href, headers] as const,
    );

  it("reads why it is refused, after a preflight", async () => {
    const expired = await issuer.sign({ exp: Math.floor(Date.now() / 1000) - 10 });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    expect(await fetchInPage("/me", {})).toEqual([401, "Unauthorized", null]);
    expect(await fetchInPage("/me", bearer("a.b.c"))).toEqual([401, "Invalid token", null]);
    expect(await fetchInPage("/me", bearer(expired))).toEqual([401, "Token expired", null]);
    const forbidden = [403, '{"reason":"not yours"}', "rules"];
    expect(await fetchInPage("/odd", { "x-odd": "forbidden" })).toEqual(forbidden);
  });

  it("reads the answer for a user that is signed in", async () => {
    const authorization = `Bearer ${await issuer.sign()}`;
    const [status, body] = await fetchInPage("/me", { authorization });
    expect(status).toBe(200);
    expect(JSON.parse(String(body)).authorizer.userId).toBe("u1");
  });
});
