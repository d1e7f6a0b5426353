import type { FastifyReply, FastifyRequest } from 'fastify';
import { CHANGES_PATH } from '../../api/http/deprecation.ts';
import { type Language, preferredLanguage } from '../../api/http/envelope.ts';
import { contentPolicy, Html, html } from '../html.ts';
import { docsStyle } from './docsStyle.ts';
import { docsWords } from './docsWords.ts';

export const ERRORS_PATH = '/docs/erros';

/** Who reads a page. */
export interface Reader {
  language: Language;
  /** Ends links to other pages, so that they keep a language that the reader chose. */
  suffix: string;
}

interface DocsPage {
  title: string;
  /** For search engines and link previews. */
  description: string;
  main: Html;
}

/** A page below /docs, which is HTML alone: no script, no file. */
function docsPage({ language, suffix }: Reader, { title, description, main }: DocsPage): string {
  const words = docsWords[language];
  const other = language === 'pt' ? 'en' : 'pt';
  return html`<!doctype html>
<html lang="${words.tag}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Malote</title>
    <meta name="description" content="${description}">
    <link rel="icon" href="data:,">
    <link rel="alternate" type="application/atom+xml" title="Malote: ${words.changesTitle}" href="${CHANGES_PATH}.atom?idioma=${language}">
    <style>${new Html(docsStyle)}</style>
  </head>
  <body>
    <header class="band">
      <nav aria-label="${words.menu}">
        <a class="name" href="/docs/">Malote</a>
        <a href="/docs/">${words.reference}</a>
        <a href="${ERRORS_PATH}${suffix}">${words.errors}</a>
        <a href="${CHANGES_PATH}${suffix}">${words.changes}</a>
        <a class="other" href="?idioma=${other}" hreflang="${docsWords[other].tag}" lang="${docsWords[other].tag}">${docsWords[other].name}</a>
      </nav>
    </header>
    ${main}
  </body>
</html>`.text;
}

/** The language is the one that the address names, as the link to the other one does, or else the visitor's. */
export function readerOf(request: FastifyRequest): Reader {
  const { idioma } = request.query as { idioma?: unknown };
  return idioma === 'pt' || idioma === 'en'
    ? { language: idioma, suffix: `?idioma=${idioma}` }
    : { language: preferredLanguage(request.headers['accept-language']), suffix: '' };
}

const policy = contentPolicy(undefined);

export const sendDocsPage = (
  reply: FastifyReply,
  status: number,
  reader: Reader,
  page: DocsPage,
): FastifyReply =>
  reply
    .code(status)
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'accept-language')
    .header('content-language', docsWords[reader.language].tag)
    .type('text/html; charset=utf-8')
    .send(docsPage(reader, page));
