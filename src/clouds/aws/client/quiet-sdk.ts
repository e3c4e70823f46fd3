/**
 * Keeps the SDK from printing on every command that its later versions need a newer Node.js, about which who runs the
 * command can do nothing: the version of the SDK is pinned. Call it before the first client is made.
 */
export function quietSdk(): void {
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
}
