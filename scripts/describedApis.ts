import { INTEGRATION_BASE, integrationEndpoints } from '../server/src/contract/endpoints.ts';
import { webhookTexts } from '../server/src/contract/webhookTexts.ts';
import { describeApis, type OpenApiDocument } from '../server/src/http/openapi.ts';
import type { Api } from '../server/src/http/server.ts';
import { OPERATION_BASE, operationEndpoints } from '../server/src/operations/endpoints.ts';

const integration: Api = {
  title: 'Integração',
  base: INTEGRATION_BASE,
  endpoints: integrationEndpoints,
  webhooks: webhookTexts,
};
const operation: Api = { title: 'Operação', base: OPERATION_BASE, endpoints: operationEndpoints };

/** The OpenAPI document of what integrators use, as plain JSON. */
export const describedIntegration = (): OpenApiDocument => plain(describeApis([integration], undefined));

/** All that the service serves under /openapi.json. */
export const describedApis = (): OpenApiDocument => plain(describeApis([integration, operation], undefined));

const plain = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document)) as OpenApiDocument;
