import { fail } from "../model/diagnostic.ts";
import { DEFAULT_HOME } from "./default-home.ts";
import { openLocalSite } from "./local/local-site.ts";
import type { Site, SiteOptions } from "./site.ts";

/**
 * Opens a home, and with it the way to its cloud; the code of a cloud is imported only when it is used.
 *
 * @throws DiagnosticError `HOME_UNAVAILABLE` (exit 2), and what opening that home throws
 */
export async function openSite(home: string, options: SiteOptions): Promise<Site> {
  if (home === DEFAULT_HOME) return openLocalSite(options);
  if (home === "aws" || home.startsWith("s3://")) {
    const { openAwsSite } = await import("./aws/aws-site.ts");
    return openAwsSite(home, options);
  }
  throw fail("HOME_UNAVAILABLE", `There is no home ${JSON.stringify(home)}`, {
    hint: 'Use "local", "aws", or "s3://" and the name of a bucket.',
  });
}
