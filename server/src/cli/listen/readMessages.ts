/** One message of an event stream. */
export interface StreamMessage {
  id: string;
  data: string;
}

const LENGTH_MAX = 16 * 1024 * 1024;

/** Reads server-sent events. Ends with the stream; `onRetry` hears after how long the service wants a reconnection. */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  onRetry: (ms: number) => void,
): AsyncGenerator<StreamMessage | undefined, void, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > LENGTH_MAX) throw new Error('a message of the stream is too long');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = parseBlock(block, onRetry);
      if (message) yield message;
    }
    // A comment: the connection is alive.
    yield undefined;
  }
}

function parseBlock(block: string, onRetry: (ms: number) => void): StreamMessage | undefined {
  let id = '';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value!;
    else if (name === 'data') data.push(value!);
    else if (name === 'retry' && /^\d{1,6}$/.test(value!)) onRetry(Number(value));
  }
  return data.length > 0 ? { id, data: data.join('\n') } : undefined;
}
