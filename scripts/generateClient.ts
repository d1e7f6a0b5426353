import { answersSource, eventsSource, operationsSource, requestsSource } from './clientSource.ts';
import { consoleSource } from './consoleSource.ts';
import { describedApis, describedIntegration } from './describedApis.ts';
import { familiesSource, refusalsSource } from './refusalsSource.ts';
import { writeOrCheck } from './writeOrCheck.ts';

// Writes the files of the client and the console that are generated from the OpenAPI document; `--check` compares them.
const document = await describedIntegration();
const { parts, answers } = answersSource(document);

await writeOrCheck('scripts/generateClient.ts', {
  'client/src/requests.ts': requestsSource(document),
  'client/src/answerParts.ts': parts,
  'client/src/answers.ts': answers,
  'client/src/refusals.ts': refusalsSource(document),
  'client/src/families.ts': familiesSource(document),
  'client/src/operations.ts': operationsSource(document),
  'client/src/events.ts': eventsSource(document),
  'web/shared/api.gen.ts': consoleSource(await describedApis()),
});
