import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { COMPRESSED_ENDINGS } from '../../server/src/pages/keptFile.ts';

const SENT = '**/*.{js,mjs,css,svg,png}';

/** Writes each file that browsers ask for in the encodings that they accept, as small as can be. */
export async function compressFiles(root: string, folders: readonly string[]): Promise<void> {
  const compressed: Promise<void>[] = [];
  for await (const path of glob(
    folders.map((folder) => `${folder}/${SENT}`),
    { cwd: root },
  ))
    compressed.push(compressFile(join(root, path)));
  await Promise.all(compressed);
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    writeFile(path + COMPRESSED_ENDINGS.br, await promisify(brotliCompress)(content, { params })),
    writeFile(path + COMPRESSED_ENDINGS.gzip, await promisify(gzip)(content, { level: 9 })),
  ]);
}
