/** A failure that its one line explains: nobody needs a stack trace to mend it. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';
}
