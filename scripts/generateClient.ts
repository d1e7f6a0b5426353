import { answersSource, eventsSource, operationsSource, requestsSource } from './clientSource.ts';
import { describedIntegration } from './describedApis.ts';
import { writeOrCheck } from './writeOrCheck.ts';

// `node scripts/generateClient.ts` writes what of the client follows from the OpenAPI document; `--check` compares it.
const document = describedIntegration();

await writeOrCheck('scripts/generateClient.ts', {
  'client/src/requests.ts': requestsSource(document),
  'client/src/answers.ts': answersSource(document),
  'client/src/operations.ts': operationsSource(document),
  'client/src/events.ts': eventsSource(document),
});
