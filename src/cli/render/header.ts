import type { EngineEvent } from "../../model/event.ts";
import { safeLine } from "./safe-text.ts";
import type { Style } from "./style.ts";

type Header = Extract<EngineEvent, { kind: "header" }>;

/**
 * Where a command is about to work, told before it does anything:
 *
 *     App    notes
 *     Stage  alice (from your username)
 *     Cloud  aws, account 123456789012, region eu-central-1
 *
 * A stage that would be made is announced in a line of its own.
 */
export function headerText(header: Header, style: Style): string {
  const place = placeText(header);
  const lines = [
    `${style.dim("App  ")}  ${safeLine(header.app)}`,
    `${style.dim("Stage")}  ${style.bold(safeLine(header.stage))} ${style.dim(`(from ${safeLine(header.stageSource)})`)}`,
    `${style.dim("Cloud")}  ${place}`,
  ];
  if (header.creating) {
    const words = `! New stage: ${safeLine(header.stage)} will be created in ${place}`;
    lines.push("", style.yellow(style.bold(words)));
  }
  return `${lines.join("\n")}\n`;
}

function placeText({ cloud, account, region }: Header): string {
  const parts = [
    safeLine(cloud),
    account === "" ? "" : `account ${safeLine(account)}`,
    region === "" ? "" : `region ${safeLine(region)}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}
