import type { Api } from '../server/src/api/http/api.ts';
import { describeApis, type OpenApiDocument } from '../server/src/api/http/openapi.ts';
import { integrationApi } from '../server/src/api/integration/endpoints.ts';
import { operationApi } from '../server/src/api/operations/endpoints.ts';

/** The OpenAPI document of the integration interface, as plain JSON. */
export const describedIntegration = (): Promise<OpenApiDocument> => described([integrationApi]);

/** The OpenAPI document of both interfaces, as the service serves it under /openapi.json. */
export const describedApis = (): Promise<OpenApiDocument> => described([integrationApi, operationApi]);

const described = async (apis: readonly Api[]): Promise<OpenApiDocument> =>
  JSON.parse(JSON.stringify(await describeApis(apis, undefined))) as OpenApiDocument;
