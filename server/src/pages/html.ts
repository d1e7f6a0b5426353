/** Escapes untrusted text for HTML. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** HTML that is already escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[] | null | undefined | false;

/** html`<p>${anything}</p>`: inserted values are escaped, unless they are Html themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) text += written(part) + strings[index + 1]!;
  return new Html(text);
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escapeHtml(String(part));
}

/**
 * The content-security-policy of pages: files of this service, the map's worker, and images that MapLibre generates.
 * Nothing from other servers, except the server of a configured map style.
 */
export function contentPolicy(mapStyle: string | undefined): string {
  const elsewhere = mapStyle ? ` ${new URL(mapStyle).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${elsewhere}`,
    `connect-src 'self'${elsewhere}`,
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
