import { INTEGRATION_BASE, integrationRoutes } from '../server/src/contract/routes.ts';
import { webhookTexts } from '../server/src/contract/webhookTexts.ts';
import { describeApis, type OpenApiDocument } from '../server/src/http/openapi.ts';

/** The OpenAPI document of what integrators use, as plain JSON: what the server serves, without the operator's side. */
export function integrationDocument(): OpenApiDocument {
  const api = {
    title: 'Integração',
    base: INTEGRATION_BASE,
    routes: integrationRoutes,
    webhooks: webhookTexts,
  };
  return JSON.parse(JSON.stringify(describeApis([api], undefined))) as OpenApiDocument;
}
