import { describedApis } from './describedApis.ts';
import { postmanCollection } from './postmanCollection.ts';
import { writeOrCheck } from './writeOrCheck.ts';

// `node scripts/generatePostman.ts` writes the Postman collection from the OpenAPI document; `--check` compares it.
await writeOrCheck('scripts/generatePostman.ts', {
  'docs/malote.postman_collection.json': JSON.stringify(postmanCollection(describedApis())),
});
