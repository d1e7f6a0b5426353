import {
  answerInfo,
  Malote,
  NotFoundError,
  UnauthorizedError,
  verifyWebhook,
  WebhookVerificationError,
} from '../../client/src/index.ts';

/** What the checks are given by the test that starts them, as JSON. */
export interface ClientCheckInput {
  url: string;
  order: Parameters<Malote['criarEntrega']>[0];
  /** Null in a browser: pages of other origins get no access tokens, as a program's secret is no secret in a page. */
  program: { id: string; token: string } | null;
  webhook: { headers: Record<string, string>; body: string; secret: string; otherSecret: string };
}

/**
 * Uses the client with what all runtimes have: no module of Node, and no assertion library. Returns what was checked,
 * or throws.
 */
export async function checkClient(input: ClientCheckInput): Promise<string[]> {
  const { url, order, program, webhook } = input;
  const login = { apiKey: 'demo-chave', user: 'gerente', password: 'demo' };
  const malote = new Malote({ url, ...login });
  const done: string[] = [];
  const check = async (what: string, isTrue: () => Promise<boolean>) => {
    if (!(await isTrue())) throw new Error(what);
    done.push(what);
  };

  await check('a write is done once', async () => {
    const idempotencyKey = `pedido-${Math.random()}`;
    const first = await malote.criarEntrega(order, { idempotencyKey });
    const again = await malote.criarEntrega(order, { idempotencyKey });
    return first.id_mch === again.id_mch && answerInfo(again)?.isReplayed === true;
  });
  await check('a lost answer is asked for again', async () => {
    let attempts = 0;
    const lossy: typeof fetch = async (target, init) => {
      const answer = await fetch(target, init);
      attempts++;
      if (attempts > 1) return answer;
      await answer.arrayBuffer();
      throw new TypeError('connection lost');
    };
    const answer = await new Malote({ url, ...login, fetch: lossy }).criarEntrega(order);
    return attempts === 2 && answerInfo(answer)?.isReplayed === true;
  });
  await check('a list is read over its pages', async () => {
    let count = 0;
    for await (const { id } of malote.deliveries.all({ status_solicitacao: 'D' }, { pageSize: 1 })) {
      count += id ? 1 : 0;
      if (count === 2) break;
    }
    return count === 2;
  });
  await check('a refusal has its class and kind', async () => {
    const error = await failureOf(malote.obterStatus(999_999_999));
    return error instanceof NotFoundError && error.kind === 'delivery-not-found';
  });
  await check('a wrong password has its class', async () => {
    const error = await failureOf(new Malote({ url, ...login, password: 'ção' }).listarAreasAtuacao());
    return error instanceof UnauthorizedError;
  });
  if (program)
    await check('a program gets an access token and shares it', async () => {
      const shop = new Malote({ url, clientId: program.id, clientSecret: program.token });
      const areas = await Promise.all([shop.listarAreasAtuacao(), shop.listarAreasAtuacao()]);
      return areas.every((each) => each.length > 0);
    });
  await check('a webhook is verified', async () => {
    const { headers, body, secret, otherSecret } = webhook;
    const event = await verifyWebhook({ headers, body, secret: [otherSecret, secret] });
    const error = await failureOf(
      verifyWebhook({ headers: new Headers(headers), body, secret: otherSecret }),
    );
    return event.type === 'webhook.teste' && error instanceof WebhookVerificationError;
  });
  await check('a call may be aborted', async () => {
    const stop = new AbortController();
    const silent: typeof fetch = (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        stop.abort(new Error('enough'));
      });
    const waiting = new Malote({ url, ...login, fetch: silent }).listarAreasAtuacao({ signal: stop.signal });
    return String(await failureOf(waiting)).includes('enough');
  });
  return done;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );
