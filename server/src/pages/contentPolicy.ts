/**
 * What a page may load: our own files, the map's worker, and pictures that MapLibre makes itself. Nothing from
 * elsewhere, unless the configuration names a map style: then the place it comes from.
 */
export function contentPolicy(mapStyle: string | undefined): string {
  const elsewhere = mapStyle ? ` ${new URL(mapStyle).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${elsewhere}`,
    `connect-src 'self'${elsewhere}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
