import type { EventStream } from './eventStreams.ts';

/** An answer that goes on: server-sent events instead of a JSON document. */
export class LiveAnswer {
  /** Begins to tell; what it returns is called when the client has gone. */
  readonly follow: (stream: EventStream) => Promise<() => void>;
  constructor(follow: (stream: EventStream) => Promise<() => void>) {
    this.follow = follow;
  }
}

/** Starts the stream once it follows. A client may go while that is being made ready; it is let go all the same. */
export async function followUntilClosed(
  stream: EventStream,
  follow: (stream: EventStream) => Promise<() => void>,
): Promise<void> {
  let closed = false;
  let leave = () => {};
  stream.onClose(() => {
    closed = true;
    leave();
  });
  try {
    leave = await follow(stream);
  } catch (error) {
    // Too late for an answer: the client comes back.
    if (!stream.isStarted()) throw error;
    stream.close();
    return;
  }
  if (closed) leave();
  else stream.start();
}
