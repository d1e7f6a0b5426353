import type { FastifyInstance } from 'fastify';
import type { Api } from '../../api/http/api.ts';
import { ERRORS_PATH, readerOf, sendDocsPage } from './docsPage.ts';
import { errorIndex, errorPage, isErrorKind, operationsWithKinds, unknownErrorPage } from './errorPages.ts';

/** A page for each kind of failure, under the name that `X-Error-Kind` has, and a list of all of them. */
export function installErrorPages(app: FastifyInstance, apis: readonly Api[]): void {
  const operations = operationsWithKinds(apis);
  app.get(ERRORS_PATH, async (request, reply) => {
    const reader = readerOf(request);
    return sendDocsPage(reply, 200, reader, errorIndex(reader));
  });
  app.get<{ Params: { kind: string } }>(`${ERRORS_PATH}/:kind`, async (request, reply) => {
    const { kind } = request.params;
    const reader = readerOf(request);
    return isErrorKind(kind)
      ? sendDocsPage(reply, 200, reader, errorPage(kind, operations, reader))
      : sendDocsPage(reply, 404, reader, unknownErrorPage(reader));
  });
}
