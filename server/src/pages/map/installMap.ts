import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { OpenStreets, Streets } from '../../geo/routing/streets/streetsFiles.ts';
import { isBuilt, programFile } from '../../platform/kernel/programFiles.ts';
import { contentPolicy } from '../html.ts';
import { acceptsGzip, keptFile } from '../keptFile.ts';

/** The contents of /mapa/config.json. */
export interface MapSettings {
  /** The version of MapLibre. It is part of the URLs of its files, which are cached forever. */
  version: string;
  /** The configured style, if any. */
  style: string | null;
  /** The streets of the imported roads, or of the demonstration, unless a style is configured. */
  streets: {
    /** With {z}, {x} and {y}. */
    tiles: string;
    zooms: [number, number];
    /** west, south, east, north */
    bounds: [number, number, number, number];
    origin: Streets['origin'];
  } | null;
}

export interface MapOptions {
  /** The URL of a MapLibre style; without it the map has a plain background. */
  style: string | undefined;
  streets: OpenStreets;
}

/** The build copies the library beside the web apps. */
const library = isBuilt
  ? programFile('web/maplibre-gl/package.json').href
  : import.meta.resolve('maplibre-gl/package.json');
const { version: LIBRARY_VERSION } = JSON.parse(readFileSync(new URL(library), 'utf8')) as {
  version: string;
};

export const LIBRARY_FILES = ['maplibre-gl.mjs', 'maplibre-gl-worker.mjs', 'maplibre-gl.css'];
const OUR_MODULES = {
  'rastreio.js': 'trackingMap.js',
  'openMap.js': 'openMap.js',
  'mapStyle.js': 'mapStyle.js',
  'streetArrows.js': 'streetArrows.js',
};

/** Serves all files of maps under /mapa: browsers contact no other server for them. */
export function installMap(app: FastifyInstance, { style, streets }: MapOptions): void {
  const policy = contentPolicy(style);
  for (const name of LIBRARY_FILES) {
    const file = keptFile(new URL(`./dist/${name}`, library));
    app.get<{ Querystring: { v?: string } }>(`/mapa/${name}`, (request, reply) => {
      // A worker uses the policy of its own answer, not that of the page that started it.
      reply.header('content-security-policy', policy);
      return file.send(request, reply, request.query.v === LIBRARY_VERSION);
    });
  }
  for (const [address, name] of Object.entries(OUR_MODULES)) {
    const file = keptFile(programFile(`server/src/pages/map/browser/${name}`));
    app.get(`/mapa/${address}`, (request, reply) => file.send(request, reply));
  }

  app.get('/mapa/config.json', async (_request, reply) => {
    const settings: MapSettings = {
      version: LIBRARY_VERSION,
      style: style ?? null,
      streets: style ? null : describeStreets(await streets.current()),
    };
    return reply.header('cache-control', 'no-cache').send(settings);
  });

  app.get<{ Params: Record<'version' | 'z' | 'x' | 'y', string> }>(
    '/mapa/ruas/:version/:z/:x/:y',
    async (request, reply) => {
      const { version, z, x, y } = request.params;
      const drawn = await streets.current();
      // After an import, open pages still request URLs of the previous version.
      if (drawn?.version === version) reply.header('cache-control', 'public, max-age=31536000, immutable');
      const tile = await drawn?.tile(Number(z), Number(x), Number(y));
      if (!tile) return reply.code(204).send();
      reply.type('application/vnd.mapbox-vector-tile').header('vary', 'accept-encoding');
      if (!acceptsGzip(request)) return reply.send(await promisify(gunzip)(tile));
      return reply.header('content-encoding', 'gzip').send(tile);
    },
  );
}

const describeStreets = (streets: Streets | null): MapSettings['streets'] =>
  streets && {
    tiles: `/mapa/ruas/${streets.version}/{z}/{x}/{y}`,
    zooms: streets.zooms,
    origin: streets.origin,
    bounds: [streets.bounds.west, streets.bounds.south, streets.bounds.east, streets.bounds.north],
  };
