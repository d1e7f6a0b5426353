import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

/** PostGraphile 5 with its own preset; the queries are in requests.ts. */
const serv = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: process.env.DATABASE_URL,
      schemas: ['peers'],
      poolConfig: { max: Number(process.env.PEER_POOL) },
    }),
  ],
  grafserv: { graphiql: false, graphqlPath: '/graphql', watch: false },
  grafast: { explain: false },
}).createServ(grafserv);

const server = createServer();
server.on('error', console.error);
await serv.addTo(server);
server.listen(Number(process.env.PORT), '127.0.0.1');
