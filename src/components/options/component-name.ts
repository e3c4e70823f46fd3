import type { Parse } from "./parse.ts";

const NAME = /^[A-Za-z][A-Za-z0-9]{0,63}$/;

/** The logical name of a component: what `Resource.<Name>`, `aliases` and `--allow-destroy` take. */
export const componentName: Parse<string> = (value, at) => {
  if (typeof value === "string" && NAME.test(value) && value !== "App") return value;
  const wanted = "letters and digits, at most 64, the first of them a letter";
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw at.problem("COMPONENT_NAME_INVALID", `${shown} is not a name for a component`, {
    why: value === "App" ? "`Resource.App` holds the app itself." : `A name is ${wanted}.`,
    hint: typeof value === "string" ? hintFor(value) : "Give a name such as Uploads.",
  });
};

function hintFor(value: string): string {
  const words = value.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return NAME.test(pascal) && pascal !== value && pascal !== "App"
    ? `Did you mean "${pascal}"?`
    : "Use a name such as Uploads.";
}
