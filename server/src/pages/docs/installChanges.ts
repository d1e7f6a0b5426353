import type { FastifyInstance } from 'fastify';
import { CHANGES_PATH } from '../../api/http/deprecation.ts';
import { publicUrlOf } from '../../api/http/readRequest.ts';
import { changesFeed, changesPage } from './changesPage.ts';
import { readerOf, sendDocsPage } from './docsPage.ts';

/** The dated list of changes of the interface, as a page and as a feed. */
export function installChanges(app: FastifyInstance, publicUrl: string | undefined): void {
  app.get(CHANGES_PATH, async (request, reply) => {
    const reader = readerOf(request);
    return sendDocsPage(reply, 200, reader, changesPage(reader));
  });
  app.get(`${CHANGES_PATH}.atom`, async (request, reply) => {
    const { language } = readerOf(request);
    return reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .type('application/atom+xml; charset=utf-8')
      .send(changesFeed(language, publicUrlOf(request, publicUrl)));
  });
}
