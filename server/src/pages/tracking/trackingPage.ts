import type { Central } from '../../centrals/central.ts';
import type { Language } from '../../http/language.ts';
import { Html, html } from '../html.ts';
import { trackingStyle } from './style.ts';
import type { TrackingView } from './trackingView.ts';
import { trackingWords } from './words.ts';

interface PageOptions {
  central: Central;
  view: TrackingView;
  language: Language;
  token: string;
  address: string;
}

/** The whole page, readable without script; /rastreio.js only keeps it fresh. */
export function trackingPage({ central, view, language, token, address }: PageOptions): string {
  const words = trackingWords[language];
  const body = html`
    <main data-token="${token}" data-over="${view.over ? '1' : ''}" data-stale="${words.stale}">
      <header><p class="central">${central.name}</p></header>
      <h1 id="sentence" aria-live="polite">${view.sentence}</h1>
      <p id="detail" class="detail">${view.detail}</p>
      ${steps(view, language)}
      <section class="map" aria-label="${words.map}">
        <div id="map" data-view="${JSON.stringify(mapData(view))}"></div>
        <p id="position" class="note">${view.positionNote}</p>
      </section>
      ${code(view, language)}
      ${driver(view, language)}
      <section class="card">
        <h2>${words.destination}</h2>
        <p>${address}</p>
      </section>
      <section class="card">
        <h2>${words.help}</h2>
        <p>${central.settings.supportText || words.helpDefault}</p>
      </section>
      <footer><p id="updated">${view.updated}</p></footer>
    </main>`;
  return layout(words.title, central.settings.brandColor, language, body, !view.over);
}

const mapData = ({ driverAt, destination, isOld }: TrackingView) => ({
  driver: driverAt,
  destination,
  isOld,
});

function steps(view: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  const reached = view.step;
  if (reached === null) return html`<ol id="steps" class="steps" hidden></ol>`;
  const items = words.steps.map(
    (name, index) =>
      html`<li class="${index <= reached ? 'done' : ''}" ${index === reached ? new Html('aria-current="step"') : ''}><span>${name}</span></li>`,
  );
  return html`<ol id="steps" class="steps" aria-label="${words.stepsLabel}">${items}</ol>`;
}

function driver({ driver: who }: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  return html`<section class="card" id="driver" ${who ? '' : new Html('hidden')}>
        <h2>${words.driver}</h2>
        <p class="name" id="driver-name">${who?.name}</p>
        <dl><dt>${words.vehicle}</dt><dd id="driver-vehicle">${who?.vehicle}</dd>
        <dt>${words.plate}</dt><dd id="driver-plate">${who?.plate}</dd></dl>
      </section>`;
}

function code({ code: digits }: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  return html`<section class="card code" id="code" ${digits ? '' : new Html('hidden')}>
        <h2>${words.code}</h2>
        <p class="digits" id="code-digits">${digits}</p>
        <p>${words.codeHint}</p>
      </section>`;
}

export function messagePage(
  message: { title: string; text: string },
  color: string,
  language: Language,
): string {
  const body = html`<main><h1>${message.title}</h1><p class="detail">${message.text}</p></main>`;
  return layout(message.title, color, language, body, false);
}

function layout(title: string, color: string, language: Language, body: Html, live: boolean): string {
  return html`<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <meta name="color-scheme" content="light dark">
    <meta name="theme-color" content="${color}">
    <title>${title}</title>
    <style>${new Html(trackingStyle(color))}</style>
    ${live ? new Html('<script src="/rastreio.js" type="module"></script>') : ''}
  </head>
  <body>${body}</body>
</html>`.text;
}
