import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type AskValhalla, ValhallaRefused } from '../../server/src/geo/routing/valhalla.ts';

export interface RoutingServer {
  url: string;
  /** The requested paths, in order. */
  asked: string[];
  close(): Promise<void>;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/** A server on a free port; the test provides the handler. */
export async function startServer(handle: Handle): Promise<RoutingServer> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    void handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Valhalla's HTTP interface with its error answers, in front of a real engine. */
export const startValhallaServer = (ask: AskValhalla): Promise<RoutingServer> =>
  startServer(async (request, response) => {
    const action = (request.url ?? '').slice(1) as Parameters<AskValhalla>[0];
    const query = JSON.parse(await text(request)) as Record<string, unknown>;
    try {
      json(response, 200, await ask(action, query));
    } catch (error) {
      if (!(error instanceof ValhallaRefused)) return json(response, 500, { error: String(error) });
      json(response, 400, { error_code: error.code, error: error.message, status_code: 400 });
    }
  });

interface Location {
  lat: number;
  lon: number;
  search_cutoff: number;
}

/**
 * OSRM's HTTP interface in front of the same engine, which can also write routes in OSRM's form. Older versions of OSRM
 * do not say which point has no road near.
 */
export const startOsrmServer = (
  ask: AskValhalla,
  { namesPoints = true }: { namesPoints?: boolean } = {},
): Promise<RoutingServer> =>
  startServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://osrm');
    const [, service = '', , , coordinates = ''] = pathname.split('/');
    const radiuses = searchParams.get('radiuses')?.split(';').map(Number) ?? [];
    const locations = coordinates.split(';').map((pair, index): Location => {
      const [lon = 0, lat = 0] = pair.split(',').map(Number);
      return { lat, lon, search_cutoff: radiuses[index]! };
    });
    if (service !== 'nearest' && locations.length < 2)
      return json(response, 400, {
        code: 'InvalidOptions',
        message: 'Number of coordinates needs to be at least two.',
      });
    const chosen = (parameter: string) =>
      searchParams
        .get(parameter)
        ?.split(';')
        .map((index) => locations[Number(index)]!) ?? locations;

    const located = (await ask('locate', { locations, costing: 'auto', verbose: false })) as {
      edges: unknown;
    }[];
    const offRoad = located.findIndex(({ edges }) => edges === null);
    if (offRoad !== -1) {
      const message = namesPoints
        ? `Could not find a matching segment for coordinate ${offRoad}`
        : 'Could not find a matching segment for any coordinate.';
      return json(response, 400, { code: 'NoSegment', message });
    }
    if (service === 'nearest') return json(response, 200, { code: 'Ok', waypoints: [] });
    try {
      if (service === 'route') {
        const query = { locations, costing: 'auto', format: 'osrm', shape_format: 'geojson' };
        return json(response, 200, await ask('route', query));
      }
      const sources = chosen('sources');
      const targets = chosen('destinations');
      const query = { sources, targets, costing: 'auto', units: 'kilometers', verbose: false };
      const { sources_to_targets: table } = (await ask('sources_to_targets', query)) as {
        sources_to_targets: { distances: (number | null)[][]; durations: (number | null)[][] };
      };
      const distances = table.distances.map((row) => row.map((km) => (km === null ? null : km * 1000)));
      json(response, 200, { code: 'Ok', distances, durations: table.durations });
    } catch (error) {
      if (!(error instanceof ValhallaRefused)) return json(response, 500, { error: String(error) });
      json(response, 400, { code: 'NoRoute', message: 'Impossible route between points' });
    }
  });
