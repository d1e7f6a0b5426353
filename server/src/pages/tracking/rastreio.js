// Keeps the tracking page fresh. The page is complete without it; this only replaces words and moves the map.
const main = document.querySelector('main');
const token = main.dataset.token;
const byId = (id) => document.getElementById(id);
const POLL_MS = 20_000;
const STALE_MS = 60_000;

let knownAt = Date.now();
let asking = false;
let askAgain = false;

async function refresh() {
  if (asking) {
    askAgain = true;
    return;
  }
  asking = true;
  try {
    const answer = await fetch(`/rastreio/${token}/estado`, {
      headers: { 'accept-language': document.documentElement.lang },
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

function show(view) {
  knownAt = Date.now();
  text('sentence', view.sentence);
  text('detail', view.detail);
  text('position', view.positionNote);
  text('updated', view.updated);
  showSteps(view.step);
  byId('driver').hidden = !view.driver;
  text('driver-name', view.driver?.name ?? '');
  text('driver-vehicle', view.driver?.vehicle ?? '');
  text('driver-plate', view.driver?.plate ?? '');
  byId('code').hidden = !view.code;
  text('code-digits', view.code ?? '');
  byId('map').dispatchEvent(
    new CustomEvent('moved', {
      detail: { driver: view.driverAt, destination: view.destination, isOld: view.isOld },
    }),
  );
  if (view.over) stop();
}

/** Only what changed is written, so that a screen reader hears news and nothing else. */
function text(id, value) {
  const element = byId(id);
  if (element && element.textContent !== value) element.textContent = value;
}

function showSteps(step) {
  const list = byId('steps');
  list.hidden = step === null;
  [...list.children].forEach((item, index) => {
    item.classList.toggle('done', step !== null && index <= step);
    if (index === step) item.setAttribute('aria-current', 'step');
    else item.removeAttribute('aria-current');
  });
}

const events = new EventSource(`/rastreio/${token}/eventos`);
events.onmessage = refresh;
for (const type of ['status', 'posicao', 'parada', 'reset']) events.addEventListener(type, refresh);
const poll = setInterval(refresh, POLL_MS);
const watch = setInterval(() => {
  if (Date.now() - knownAt < STALE_MS) return;
  const time = new Date(knownAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  text('updated', main.dataset.stale.replace('{time}', time));
}, 5_000);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});

function stop() {
  events.close();
  clearInterval(poll);
  clearInterval(watch);
}

// The map is heavy, so it comes last and only where somebody can see it.
const map = byId('map');
new IntersectionObserver((entries, observer) => {
  if (!entries.some((entry) => entry.isIntersecting)) return;
  observer.disconnect();
  import('/mapa/rastreio.js')
    .then(({ drawMap }) => drawMap(map, JSON.parse(map.dataset.view)))
    .catch(() => {
      map.hidden = true;
    });
}).observe(map);
