import { INTEGRATION_BASE, integrationRoutes } from '../server/src/contract/routes.ts';
import { webhookTexts } from '../server/src/contract/webhookTexts.ts';
import { describeApis, type OpenApiDocument } from '../server/src/http/openapi.ts';
import type { Api } from '../server/src/http/server.ts';
import { OPERATION_BASE, operationRoutes } from '../server/src/operations/routes.ts';

const integration: Api = {
  title: 'Integração',
  base: INTEGRATION_BASE,
  routes: integrationRoutes,
  webhooks: webhookTexts,
};
const operation: Api = { title: 'Operação', base: OPERATION_BASE, routes: operationRoutes };

/** The OpenAPI document of what integrators use, as plain JSON. */
export const describedIntegration = (): OpenApiDocument => plain(describeApis([integration], undefined));

/** All that the service serves under /openapi.json. */
export const describedApis = (): OpenApiDocument => plain(describeApis([integration, operation], undefined));

const plain = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document)) as OpenApiDocument;
