/** A call that must not be sent twice and whose answer was lost: it may have been carried out. */
export class LostAnswer extends Error {
  override readonly name = "LostAnswer";

  constructor(command: string, cause: Error) {
    super(`the answer to ${command} was lost: ${cause.message}`);
    // Not as `cause`: the SDK looks for something to repeat there, too.
    this.stack = cause.stack ?? this.stack ?? "";
  }
}
