import type { Language } from '../../api/http/envelope.ts';
import type { Central } from '../../centrals/central.ts';
import { Html, html } from '../html.ts';
import { trackingStyle } from './brand.ts';
import { helpOf } from './helpLinks.ts';
import type { TrackedJourney } from './trackedJourneyStore.ts';
import type { TrackingView } from './trackingView.ts';
import { fill, trackingWords } from './trackingWords.ts';

interface PageOptions {
  central: Central;
  view: TrackingView;
  language: Language;
  token: string;
  address: string;
  shop: TrackedJourney['shop'];
}

/** The whole page, readable without script; /rastreio.js only updates it. */
export function trackingPage({ central, view, language, token, address, shop }: PageOptions): string {
  const words = trackingWords[language];
  const main = html`<main data-token="${token}" data-stale="${words.stale}">
      <h1 id="sentence" aria-live="polite">${view.sentence}</h1>
      <p id="detail" class="detail" aria-live="polite">${view.detail}</p>
      <p id="attempts" class="attempts" aria-live="polite">${view.attempts}</p>
      ${steps(view, language)}
      ${view.over ? '' : map(view, language)}
      ${driver(view, language)}
      ${code(view, language)}
      ${photo(view, language)}
      <section class="card">
        <h2>${words.destination}</h2>
        <p>${address}</p>
      </section>
      ${help(shop?.supportText || central.settings.supportText, language)}
      <footer><p id="updated">${view.updated}</p></footer>
    </main>`;
  const shopName = shop && fill(words.orderedFrom, { shop: shop.name });
  const { title, preview } = words;
  return layout({ title, preview, central, shopName, language, main, isLive: !view.over });
}

/** The text as the central or the company wrote it; a number in it can be tapped. */
function help(written: string, language: Language): Html {
  const words = trackingWords[language];
  const { text, call, chat } = helpOf(written);
  return html`<section class="card">
        <h2>${words.help}</h2>
        <p>${text || words.helpDefault}</p>
        ${call && html`<p class="links"><a href="${call}">${words.call}</a>${chat && html` <a href="${chat}" target="_blank" rel="noreferrer">WhatsApp</a>`}</p>`}
      </section>`;
}

/** Hidden until the script has something to draw. */
function map(view: TrackingView, language: Language): Html {
  const { driverAt, destination, isOld, time, icon } = view;
  const data = JSON.stringify({ driverAt, destination, isOld, time, icon });
  return html`<section class="map" aria-label="${trackingWords[language].map}">
        <div id="map" data-view="${data}" hidden></div>
        <p id="position" class="note">${view.positionNote}</p>
      </section>`;
}

function steps({ step: reached }: TrackingView, language: Language): Html {
  if (reached === null) return html``;
  const words = trackingWords[language];
  const items = words.steps.map(
    (name, index) =>
      html`<li class="${index <= reached ? 'done' : ''}" ${index === reached && new Html('aria-current="step"')}><span>${name}</span></li>`,
  );
  return html`<ol id="steps" class="steps" aria-label="${words.stepsLabel}">${items}</ol>`;
}

function driver({ driver: who, icon }: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  return html`<section class="card" id="driver" ${!who && HIDDEN}>
        <h2>${words.driver}</h2>
        <p class="name" id="driver-name">${who?.name}</p>
        <p class="vehicle"><svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path id="driver-icon" d="${icon}"/></svg> <span id="driver-vehicle">${who?.vehicle}</span></p>
        <p id="driver-plated" ${!who?.plate && HIDDEN}><span class="away">${words.plate}</span> <span class="plate" id="driver-plate">${who?.plate}</span></p>
      </section>`;
}

function code({ code: digits }: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  return html`<section class="card" id="code" ${!digits && HIDDEN}>
        <h2>${words.code}</h2>
        <p class="digits" id="code-digits">${digits}</p>
        <p>${words.codeHint}</p>
      </section>`;
}

/** Empty until the script learns of the photo. */
function photo({ photo: path }: TrackingView, language: Language): Html {
  const words = trackingWords[language];
  return html`<section class="card photo" id="photo" aria-live="polite" ${!path && HIDDEN}>
        <h2>${words.photo}</h2>
        ${path && html`<img src="${path}" alt="${words.photo}">`}
      </section>`;
}

const HIDDEN = new Html('hidden');

/** For an unknown or expired link. For an expired link the central is still known. */
export function messagePage(
  message: { title: string; text: string },
  language: Language,
  central: Central | null,
): string {
  const main = html`<main>
      <h1>${message.title}</h1>
      <p class="detail">${message.text}</p>
      ${central?.settings.supportText && help(central.settings.supportText, language)}
    </main>`;
  const { title, text: preview } = message;
  return layout({ title, preview, central, shopName: null, language, main, isLive: false });
}

const NEUTRAL_COLOR = '#3a4450';

interface Layout {
  title: string;
  preview: string;
  central: Central | null;
  /** The name of the shop where the recipient ordered. */
  shopName: string | null;
  language: Language;
  main: Html;
  isLive: boolean;
}

function layout({ title, preview, central, shopName, language, main, isLive }: Layout): string {
  const color = central?.settings.brandColor ?? NEUTRAL_COLOR;
  return html`<!doctype html>
<html lang="${language === 'pt' ? 'pt-BR' : 'en'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex, nofollow">
    <meta name="theme-color" content="${color}">
    <title>${central ? `${title} · ${central.name}` : title}</title>
    <meta name="description" content="${preview}">
    <meta property="og:title" content="${title}">
    <meta property="og:description" content="${preview}">
    ${central && html`<meta property="og:site_name" content="${central.name}">`}
    <link rel="icon" href="data:,">
    <style>${new Html(trackingStyle(color))}</style>
    ${isLive && new Html('<script src="/rastreio.js" type="module"></script><noscript><meta http-equiv="refresh" content="30"></noscript>')}
  </head>
  <body>
    ${central && html`<header class="band"><p>${central.name}${shopName && html`<span class="shop">${shopName}</span>`}</p></header>`}
    ${main}
  </body>
</html>`.text;
}
