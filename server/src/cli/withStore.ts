import { type Config, readConfig } from '../config.ts';
import { openLog } from './openLog.ts';
import { openStore, type Store } from './openStore.ts';

/** For commands that do one thing and end; they also work beside a running service. */
export async function withStore(work: (store: Store, config: Config) => Promise<number>): Promise<number> {
  const config = readConfig(process.env);
  // What a person asked for is answered on stdout; only trouble is worth a log line.
  const log = openLog({ logLevel: config.logLevel ?? 'warn' });
  await using store = await openStore(config, log, { beside: true });
  return await work(store, config);
}
