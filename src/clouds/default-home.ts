/** The home, and with it the cloud, of a project that does not say. */
export const DEFAULT_HOME = "local";
