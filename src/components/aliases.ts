import { componentName } from "./options/component-name.ts";
import { list, optional, type Parse } from "./options/parse.ts";

/** The option `aliases`: earlier names of a component, so that a new name is no new resource. */
export const aliases: Parse<readonly string[]> = optional(list(componentName), []);
