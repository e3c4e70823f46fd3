declare const SCRIM_VERSION: string | undefined;

/** Version of this tool; the build writes it in from package.json. */
export const version: string = typeof SCRIM_VERSION === "string" ? SCRIM_VERSION : "0.0.0-source";
