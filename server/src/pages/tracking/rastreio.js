/**
 * Keeps the tracking page fresh. The page is complete without it; this only replaces words and moves the map.
 *
 * @import { TrackingView } from './trackingView.ts'
 */
const POLL_MS = 20_000;
const STALE_MS = 60_000;
const PATIENCE_MS = 15_000;
/** Positions come every few seconds and move the map by themselves; the words follow more slowly. */
const WORDS_MS = 8_000;

const main = /** @type {HTMLElement} */ (document.querySelector('main'));
const { token, stale = '' } = main.dataset;
const byId = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const map = byId('map');
/** @type {Pick<TrackingView, 'driverAt' | 'destination' | 'isOld' | 'time' | 'icon'>} */
let known = JSON.parse(map.dataset.view ?? '{}');
let knownAt = Date.now();
let asking = false;
let askAgain = false;

const refresh = () => void ask();

async function ask() {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(`/rastreio/${token}/estado`, {
      headers: { 'accept-language': document.documentElement.lang },
      // A network that swallows a request must not be the last one that was asked.
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (answer.status === 404 || answer.status === 410) return location.reload();
    if (answer.ok) show((await answer.json()).data);
  } catch {
    // Offline: the page says how old it is.
  } finally {
    asking = false;
    if (askAgain) {
      askAgain = false;
      setTimeout(refresh, 500);
    }
  }
}

/** @param {TrackingView} view */
function show(view) {
  known = view;
  knownAt = Date.now();
  text('sentence', view.sentence);
  text('detail', view.detail);
  text('attempts', view.attempts);
  text('position', view.positionNote);
  text('updated', view.updated);
  showSteps(view.step);
  byId('driver').hidden = !view.driver;
  text('driver-name', view.driver?.name ?? '');
  text('driver-vehicle', view.driver?.vehicle ?? '');
  text('driver-plate', view.driver?.plate ?? '');
  byId('driver-icon').setAttribute('d', view.icon);
  byId('driver-plated').hidden = !view.driver?.plate;
  byId('code').hidden = !view.code;
  text('code-digits', view.code ?? '');
  showPhoto(view.photo);
  showMap();
  if (view.over) stop();
}

/**
 * Only what changed is written, so that a screen reader hears news and nothing else.
 *
 * @param {string} id
 * @param {string} value
 */
function text(id, value) {
  const element = byId(id);
  if (element.textContent !== value) element.textContent = value;
}

/** @param {number | null} step */
function showSteps(step) {
  const list = document.getElementById('steps');
  // A page that began without steps is loaded again when it has some.
  if (!list) return step === null ? undefined : location.reload();
  list.hidden = step === null;
  for (const [index, item] of [...list.children].entries()) {
    item.classList.toggle('done', step !== null && index <= step);
    if (index === step) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  }
}

/**
 * It may come after the handing over. Its address changes by the hour, the photo does not.
 *
 * @param {string | null} path
 */
function showPhoto(path) {
  const section = document.getElementById('photo');
  // The page may be of an earlier version than this script.
  if (!section) return;
  section.hidden = !path;
  if (!path || section.querySelector('img')) return;
  const image = new Image();
  image.alt = section.querySelector('h2')?.textContent ?? '';
  image.src = path;
  section.append(image);
}

let drawn = false;

/** The map is heavy, so it comes last, and only when there is a courier to be seen. */
function showMap() {
  const { driverAt, destination, isOld, icon } = known;
  const view = { driver: driverAt, destination, isOld, icon };
  if (drawn) {
    map.hidden = !driverAt;
    map.dispatchEvent(new CustomEvent('moved', { detail: view }));
  } else if (driverAt) {
    drawn = true;
    map.hidden = false;
    const address = '/mapa/rastreio.js';
    import(address).then(({ drawMap }) => drawMap(map, view)).catch(() => map.remove());
  }
}

const events = new EventSource(`/rastreio/${token}/eventos`);
for (const type of ['status', 'parada']) events.addEventListener(type, refresh);
events.addEventListener('posicao', (event) => {
  const { posicao } = JSON.parse(event.data);
  if (posicao) {
    known = { ...known, driverAt: { lat: posicao.lat, lng: posicao.lng }, isOld: false };
    text('position', '');
    showMap();
  }
  if (Date.now() - knownAt > WORDS_MS) refresh();
});
const poll = setInterval(refresh, POLL_MS);
const watch = setInterval(() => {
  if (Date.now() - knownAt > STALE_MS) text('updated', stale.replace('{time}', known.time));
}, 5_000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});

function stop() {
  events.close();
  clearInterval(poll);
  clearInterval(watch);
}

showMap();
