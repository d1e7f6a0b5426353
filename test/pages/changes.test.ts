import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes } from '../../server/src/pages/docs/changes.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote({ publicUrl: 'https://entregas.example' });

const read = async (path: string, language = 'pt-BR') => {
  const answer = await fetch(malote.url + path, { headers: { 'accept-language': language } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};
const allOf = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found]) => found!);

test('the list of changes begins with the newest and is dated', async () => {
  const days = changes.map(({ day }) => day);
  assert.deepEqual(days, days.toSorted().reverse());
  assert.equal(new Set(changes.map(({ name }) => name)).size, changes.length);
  for (const [language, long] of [
    ['pt-BR', '19 de novembro de 2026'],
    ['en', 'November 19, 2026'],
  ] as const) {
    const { status, text } = await read('/docs/mudancas', language);
    assert.equal(status, 200);
    assert.match(text, /<section id="0\.1\.0">/);
    assert.ok(text.includes(`<time datetime="2026-11-19">${long}</time>`), language);
  }
});

test('pages below /docs announce the feed of changes', async () => {
  for (const path of ['/docs/mudancas', '/docs/erros', '/docs/erros/bug'])
    assert.match(
      (await read(path)).text,
      /<link rel="alternate" type="application\/atom\+xml" title="[^"]+" href="\/docs\/mudancas\.atom\?idioma=pt">/,
    );
});

test('the feed has what Atom requires, under ids that stay', async () => {
  const portuguese = await read('/docs/mudancas.atom');
  assert.equal(portuguese.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const { text } = portuguese;
  assert.match(
    text,
    /^<\?xml version="1.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom"/,
  );
  const ids = allOf(text, /<id>([^<]+)<\/id>/g);
  assert.equal(ids.length, 1 + changes.length);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids)
    assert.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(ids.at(-1), 'urn:uuid:a8490924-ef65-55f4-a3ff-0f5f3d6be3e9');
  assert.equal(allOf(text, /<title>([^<]+)<\/title>/g).length, 1 + changes.length);
  const updated = allOf(text, /<updated>([^<]+)<\/updated>/g);
  assert.equal(updated.length, 1 + changes.length);
  for (const at of updated) assert.equal(new Date(at).toISOString().slice(0, 10), at.slice(0, 10));
  assert.match(text, /<author><name>Malote<\/name><\/author>/);
  assert.match(
    text,
    /<link rel="self" [^>]*href="https:\/\/entregas\.example\/docs\/mudancas\.atom\?idioma=pt"\/>/,
  );
  assert.match(
    text,
    /<link rel="alternate" [^>]*href="https:\/\/entregas\.example\/docs\/mudancas\?idioma=pt#0\.1\.0"\/>/,
  );
  const english = await read('/docs/mudancas.atom?idioma=en');
  assert.match(english.text, /xml:lang="en"/);
  assert.equal(
    allOf(english.text, /<id>([^<]+)<\/id>/g).some((id) => ids.includes(id)),
    false,
  );
});
