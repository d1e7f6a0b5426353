import { createHash } from 'node:crypto';
import { CHANGES_PATH } from '../../api/http/deprecation.ts';
import type { Language } from '../../api/http/envelope.ts';
import { type Html, html } from '../html.ts';
import { type Change, changes } from './changes.ts';
import type { Reader } from './docsPage.ts';
import { docsWords } from './docsWords.ts';

const FEED_PATH = `${CHANGES_PATH}.atom`;

export function changesPage({ language, suffix }: Reader): {
  title: string;
  description: string;
  main: Html;
} {
  const words = docsWords[language];
  const entries = changes.map(
    (change) => html`<section id="${change.name}">
        <h2>${change[language].title}</h2>
        <p class="note"><time datetime="${change.day}">${written(change.day, language)}</time></p>
        ${itemsOf(change, language)}
      </section>`,
  );
  return {
    title: words.changesTitle,
    description: words.changesLead,
    main: html`<main>
      <h1>${words.changesTitle}</h1>
      <p class="lead">${words.changesLead} <a href="${FEED_PATH}${suffix}">${words.feed}</a></p>
      ${entries}
    </main>`,
  };
}

const itemsOf = (change: Change, language: Language): Html =>
  html`<ul>${change[language].items.map((item) => html`<li>${item}</li>`)}</ul>`;

const written = (day: string, language: Language): string =>
  Temporal.PlainDate.from(day).toLocaleString(docsWords[language].tag, { dateStyle: 'long' });

/** The same list as an Atom feed (RFC 4287). Its ids stay the same wherever the service is reached. */
export function changesFeed(language: Language, publicUrl: string): string {
  const words = docsWords[language];
  const page = publicUrl + CHANGES_PATH;
  const query = `?idioma=${language}`;
  const entries = changes.map(
    (change) => html`
  <entry>
    <id>${idOf(`${change.name} ${language}`)}</id>
    <title>${change[language].title}</title>
    <updated>${change.day}T00:00:00Z</updated>
    <link rel="alternate" type="text/html" href="${page}${query}#${change.name}"/>
    <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${itemsOf(change, language)}</div></content>
  </entry>`,
  );
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.tag}">
  <id>${idOf(language)}</id>
  <title>Malote: ${words.changesTitle}</title>
  <updated>${changes[0]!.day}T00:00:00Z</updated>
  <author><name>Malote</name></author>
  <link rel="self" type="application/atom+xml" href="${publicUrl}${FEED_PATH}${query}"/>
  <link rel="alternate" type="text/html" href="${page}${query}"/>${entries}
</feed>
`.text;
}

/** A UUID made of a name (RFC 9562, version 5). */
function idOf(name: string): string {
  const bytes = createHash('sha1').update(`malote ${CHANGES_PATH} ${name}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  const parts = [0, 8, 12, 16, 20].map((start, index, all) => digits.slice(start, all[index + 1]));
  return `urn:uuid:${parts.join('-')}`;
}
