import type { Api } from '../../api/http/api.ts';
import type { ErrorKind, Language } from '../../api/http/envelope.ts';
import { errorHelp } from '../../api/http/errorHelp/errorHelp.ts';
import { families, familyOf, statusOf } from '../../api/http/errorHelp/families.ts';
import { kindsOf } from '../../api/http/openapiFailures.ts';
import { type Html, html } from '../html.ts';
import { ERRORS_PATH, type Reader } from './docsPage.ts';
import { docsWords, fillCount } from './docsWords.ts';
import { exampleOf } from './errorExample.ts';

interface Operation {
  method: string;
  path: string;
  hasKindInErrors: boolean;
  kinds: ReadonlySet<ErrorKind>;
}

/** The operations of these interfaces with the failures that they can answer with. */
export const operationsWithKinds = (apis: readonly Api[]): Operation[] =>
  apis.flatMap(({ base, endpoints, kindInErrors }) =>
    endpoints.map((endpoint) => ({
      method: endpoint.method,
      path: base + endpoint.path.replace(/:(\w+)/g, '{$1}'),
      hasKindInErrors: kindInErrors === true,
      kinds: new Set(kindsOf(endpoint)),
    })),
  );

export const isErrorKind = (text: string): text is ErrorKind => Object.hasOwn(errorHelp, text);

interface Content {
  title: string;
  description: string;
  main: Html;
}

export function errorIndex({ language, suffix }: Reader): Content {
  const words = docsWords[language];
  const kinds = Object.keys(errorHelp) as ErrorKind[];
  const sections = families.map((family) => {
    const items = kinds
      .filter((kind) => familyOf(kind) === family)
      .map(
        (kind) =>
          html`<li><a href="${ERRORS_PATH}/${kind}${suffix}"><code>${kind}</code></a> <span class="note">${statusOf(kind)}</span><br>${errorHelp[kind][language].meaning}</li>`,
      );
    return html`<h2 id="${family}">${words.families[family]}</h2>
      <ul class="list">${items}</ul>`;
  });
  return {
    title: words.errorsTitle,
    description: words.errorsLead,
    main: html`<main>
      <h1>${words.errorsTitle}</h1>
      <p class="lead">${words.errorsLead}</p>
      ${sections}
    </main>`,
  };
}

export function errorPage(kind: ErrorKind, all: readonly Operation[], { language, suffix }: Reader): Content {
  const words = docsWords[language];
  const help = errorHelp[kind][language];
  const operations = all.filter(({ kinds }) => kinds.has(kind));
  const isOnlyOfOperation =
    operations.length > 0 && operations.every(({ hasKindInErrors }) => hasKindInErrors);
  const { head, body } = exampleOf(kind, isOnlyOfOperation, language);
  return {
    title: kind,
    description: help.meaning,
    main: html`<main>
      <h1><code>${kind}</code></h1>
      <p class="lead">HTTP ${statusOf(kind)} · ${words.families[familyOf(kind)]}</p>
      <p>${help.meaning}</p>
      <h2>${words.when}</h2>
      <p>${help.when}</p>
      <h2>${words.remedy}</h2>
      <p>${help.remedy}</p>
      <h2>${words.example}</h2>
      <pre id="example">${head}

${body}</pre>
      <h2>${words.operations}</h2>
      ${listOperations(operations, all.length, language)}
      <p><a href="${ERRORS_PATH}${suffix}">${words.back}</a></p>
    </main>`,
  };
}

/** Longer lists are folded. */
const SHOWN_MAX = 12;

function listOperations(operations: readonly Operation[], countOfAll: number, language: Language): Html {
  const words = docsWords[language];
  if (operations.length === 0) return html`<p>${words.noOperations}</p>`;
  const items = operations.map(({ method, path }) => html`<li><code>${method} ${path}</code></li>`);
  const list = html`<ul id="operations">${items}</ul>`;
  if (operations.length <= SHOWN_MAX) return list;
  const title = operations.length === countOfAll ? words.allOperations : words.someOperations;
  return html`<details><summary>${fillCount(title, operations.length)}</summary>${list}</details>`;
}

export function unknownErrorPage({ language, suffix }: Reader): Content {
  const words = docsWords[language];
  return {
    title: words.unknownTitle,
    description: words.unknownText,
    main: html`<main>
      <h1>${words.unknownTitle}</h1>
      <p>${words.unknownText}</p>
      <p><a href="${ERRORS_PATH}${suffix}">${words.back}</a></p>
    </main>`,
  };
}
