import { createHash } from "node:crypto";
import type { HostedReply } from "./hosted-call.ts";

/** What a form of the pages holds. */
export interface FormPage {
  readonly title: string;
  /** Where it is sent to: path and query. */
  readonly action: string;
  /** Repeats the cookie. */
  readonly token: string;
  /** Why the last try failed, or null. */
  readonly problem: string | null;
  readonly fields: readonly FormField[];
  readonly button: string;
}

export interface FormField {
  readonly name: string;
  /** Hidden fields have none. */
  readonly label: string | null;
  readonly type: "text" | "password" | "hidden";
  /** For password managers: `username`, `current-password`, `new-password`. */
  readonly autocomplete?: string;
  readonly value?: string;
}

const STYLE =
  "body{font:16px system-ui,sans-serif;max-width:22rem;margin:4rem auto;padding:0 1rem}" +
  "label{display:block;margin:1rem 0 .25rem}" +
  "input{width:100%;box-sizing:border-box;padding:.5rem;font:inherit}" +
  "button{margin-top:1.5rem;padding:.6rem 1.2rem;font:inherit}.problem{color:#a00}";

/**
 * No script, nothing from elsewhere, never in a frame. There is no `form-action`: browsers apply it
 * to the redirect that follows too, and that leads to the client.
 */
const CONTENT_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page with one form. */
export function formPage(page: FormPage, status: number, cookie: string): HostedReply {
  const problem =
    page.problem === null ? "" : `<p class="problem" role="alert">${escapeHtml(page.problem)}</p>`;
  const body = [
    `<h1>${escapeHtml(page.title)}</h1>`,
    problem,
    `<form method="post" action="${escapeHtml(page.action)}">`,
    `<input type="hidden" name="_csrf" value="${escapeHtml(page.token)}">`,
    ...page.fields.map(fieldHtml),
    `<button type="submit">${escapeHtml(page.button)}</button>`,
    "</form>",
  ];
  return htmlReply(status, page.title, body.join("\n"), { "set-cookie": cookie });
}

/** What is shown when there is no client to send the problem to. */
export function problemPage(why: string): HostedReply {
  const body = `<h1>This login link does not work</h1>\n<p>${escapeHtml(why)}</p>`;
  return htmlReply(400, "Login", body);
}

function fieldHtml(field: FormField): string {
  const value = field.value === undefined ? "" : ` value="${escapeHtml(field.value)}"`;
  const attributes = `type="${field.type}" name="${field.name}"${value}`;
  if (field.label === null) return `<input ${attributes}>`;
  const complete = field.autocomplete === undefined ? "" : ` autocomplete="${field.autocomplete}"`;
  return (
    `<label for="${field.name}">${escapeHtml(field.label)}</label>\n` +
    `<input id="${field.name}" ${attributes}${complete} required>`
  );
}

function htmlReply(
  status: number,
  title: string,
  body: string,
  headers: HostedReply["headers"] = {},
): HostedReply {
  return {
    status,
    headers: {
      "content-type": "text/html;charset=UTF-8",
      "content-security-policy": CONTENT_POLICY,
      "x-frame-options": "DENY",
      ...headers,
    },
    body:
      `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n` +
      `<meta name="viewport" content="width=device-width">\n<title>${escapeHtml(title)}</title>\n` +
      `<style>${STYLE}</style>\n</head>\n<body>\n${body}\n</body>\n</html>\n`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
