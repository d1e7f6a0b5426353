import {
  askOverHttp,
  type HttpEngineOptions,
  nonsense,
  objectIn,
  withoutTrailingSlash,
} from './engineOverHttp.ts';
import { type Router, RoutingUnavailable } from './router.ts';
import { ValhallaRefused, valhallaRouter } from './valhalla.ts';

/** A Valhalla service over HTTP. */
export function valhallaHttp(url: string, options: HttpEngineOptions & { snapMetres: number }): Router {
  const base = withoutTrailingSlash(url);
  return valhallaRouter(
    'valhalla over http',
    async (action, query) => {
      const { status, answer } = await askOverHttp(`${base}/${action}`, { ...options, post: query });
      if (status === 200) return answer;
      // A refusal of this request carries Valhalla's own code; without it, the service or a proxy has failed.
      const { error_code: code, error } = objectIn(answer, 'the refusal');
      if (status !== 400) throw new RoutingUnavailable(`the routing engine answered ${status}`);
      if (typeof code !== 'number') throw nonsense('a refusal without a code');
      throw new ValhallaRefused(code, `the routing engine refused: ${String(error)} (${code})`.slice(0, 300));
    },
    options,
  );
}
