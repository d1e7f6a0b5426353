import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractBlocks } from './documents/contractBlocks.ts';
import { eventSamples } from './documents/eventSamples.ts';
import { roleTable } from './documents/roleTable.ts';
import { settingBlocks } from './documents/settingBlocks.ts';
import { writeOrCheck } from './writeOrCheck.ts';

const root = join(import.meta.dirname, '..');

/** The generated blocks of each document. The text around them is written by hand. */
const blocksOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/contract.md': contractBlocks('en'),
  'docs/contrato.pt-BR.md': contractBlocks('pt'),
  'docs/events.md': { samples: eventSamples('en') },
  'docs/eventos.pt-BR.md': { samples: eventSamples('pt') },
  'docs/apps.md': { roles: roleTable('en') },
  'docs/aplicativos.pt-BR.md': { roles: roleTable('pt') },
  'docs/settings.md': settingBlocks('en'),
  'docs/configuracoes.pt-BR.md': settingBlocks('pt'),
};

await writeOrCheck(
  'scripts/writeDocuments.ts',
  Object.fromEntries(Object.entries(blocksOf).map(([path, blocks]) => [path, filled(path, blocks)])),
);

/** Fills what stands between `<!-- generated: name -->` and `<!-- end -->`. Each block stands in the document once. */
function filled(path: string, blocks: Readonly<Record<string, string>>): string {
  const found: string[] = [];
  const text = readFileSync(join(root, path), 'utf8').replace(
    /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => {
      found.push(name);
      if (!(name in blocks)) throw new Error(`${path} has a marker for "${name}", which nothing generates`);
      return `${start}\n${blocks[name]}\n\n${end}`;
    },
  );
  const missing = Object.keys(blocks).filter((name) => found.filter((each) => each === name).length !== 1);
  if (missing.length > 0) throw new Error(`${path} must have one marker for each of: ${missing.join(', ')}`);
  return text;
}
