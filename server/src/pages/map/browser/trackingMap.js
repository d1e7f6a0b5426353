/**
 * The map of the tracking page: the courier and the destination, and nothing else.
 *
 * @import { LngLatLike, Marker } from 'maplibre-gl'
 */
import { openMap } from './openMap.js';

/** @typedef {{ lat: number, lng: number }} Position */
/**
 * `icon` is the path of the vehicle's picture.
 *
 * @typedef {{ driver: Position | null, destination: Position, isOld: boolean, icon?: string }} TrackedView
 */

const MOVE_MS = 1200;
const ZOOM_MAX = 16;
/** Farther than this a courier does not get between two reports: the marker jumps instead of racing. */
const JUMP_DEGREES = 0.02;

const words = document.documentElement.lang.startsWith('pt')
  ? { driver: 'Entregador', oldDriver: 'Última posição conhecida do entregador', destination: 'Destino' }
  : { driver: 'Courier', oldDriver: 'Last known position of the courier', destination: 'Destination' };

const DESTINATION_ICON =
  'M12 1a8 8 0 0 0-8 8c0 5.6 8 14 8 14s8-8.4 8-14a8 8 0 0 0-8-8m0 11a3 3 0 1 1 0-6 3 3 0 0 1 0 6';

/**
 * Draws the map and keeps it up with the element's `moved` events, whose detail is the next view.
 *
 * @param {HTMLElement} element
 * @param {TrackedView} first
 */
export async function drawMap(element, first) {
  let view = first;
  const hear = (/** @type {Event} */ event) => {
    view = /** @type {CustomEvent<TrackedView>} */ (event).detail;
  };
  element.addEventListener('moved', hear);
  const { map, maplibre } = await openMap(element, {
    ...framed(first),
    maxZoom: 18,
    // One finger scrolls the page, also where the map is.
    cooperativeGestures: true,
  });
  map.addControl(new maplibre.NavigationControl({ showCompass: false }), 'top-right');
  map.addControl(new maplibre.ScaleControl({ maxWidth: 96 }), 'top-left');

  const destination = new maplibre.Marker({
    element: sign('destination', DESTINATION_ICON),
    anchor: 'bottom',
  });
  destination.setLngLat(point(view.destination)).addTo(map);
  name(destination, words.destination);
  /** @type {Marker | undefined} */
  let driver;
  let moving = 0;
  // Whoever looked around goes on looking where they want to.
  let isFollowing = true;
  map.on('movestart', (event) => {
    if (event.originalEvent) isFollowing = false;
  });

  const show = () => {
    cancelAnimationFrame(moving);
    if (!view.driver) {
      driver?.remove();
      driver = undefined;
      return;
    }
    if (driver)
      moving = moveTo(driver, view.driver, (frame) => {
        moving = frame;
      });
    else {
      driver = new maplibre.Marker({ element: sign('driver', view.icon ?? '') });
      driver.setLngLat(point(view.driver)).addTo(map);
    }
    // Another driver may have another vehicle.
    driver
      .getElement()
      .querySelector('path')
      ?.setAttribute('d', view.icon ?? '');
    driver.getElement().classList.toggle('old', view.isOld);
    name(driver, view.isOld ? words.oldDriver : words.driver);
    if (isFollowing) map.fitBounds(boundsOf(view), { ...framing, duration: wantsMotion() ? MOVE_MS : 0 });
  };
  element.removeEventListener('moved', hear);
  element.addEventListener('moved', (event) => {
    hear(event);
    show();
  });
  show();
}

const framing = { padding: { top: 56, bottom: 60, left: 48, right: 64 }, maxZoom: ZOOM_MAX };

/** @param {TrackedView} view */
const framed = (view) => ({ bounds: boundsOf(view), fitBoundsOptions: framing });

/**
 * @param {TrackedView} view
 * @returns {[[number, number], [number, number]]}
 */
function boundsOf({ driver, destination }) {
  const all = driver ? [driver, destination] : [destination];
  const lngs = all.map(({ lng }) => lng);
  const lats = all.map(({ lat }) => lat);
  return [
    [Math.min(...lngs), Math.min(...lats)],
    [Math.max(...lngs), Math.max(...lats)],
  ];
}

/**
 * @param {Position} position
 * @returns {LngLatLike}
 */
const point = ({ lng, lat }) => [lng, lat];

const wantsMotion = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * From where the marker is to where the courier is known to be, and never beyond.
 *
 * @param {Marker} marker
 * @param {Position} to
 * @param {(frame: number) => void} next
 * @returns {number} the first frame, for ending it early
 */
function moveTo(marker, to, next) {
  const from = marker.getLngLat();
  const [lng, lat] = [to.lng - from.lng, to.lat - from.lat];
  if (!wantsMotion() || Math.hypot(lng, lat) > JUMP_DEGREES) {
    marker.setLngLat(point(to));
    return 0;
  }
  const start = performance.now();
  const step = (/** @type {number} */ now) => {
    const share = Math.min(1, Math.max(0, (now - start) / MOVE_MS));
    marker.setLngLat([from.lng + lng * share, from.lat + lat * share]);
    if (share < 1) next(requestAnimationFrame(step));
  };
  return requestAnimationFrame(step);
}

/**
 * @param {string} kind
 * @param {string} path
 */
function sign(kind, path) {
  const element = document.createElement('div');
  element.className = `sign ${kind}`;
  element.innerHTML = `<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path/></svg>`;
  element.querySelector('path')?.setAttribute('d', path);
  return element;
}

/**
 * @param {Marker} marker
 * @param {string} label
 */
function name(marker, label) {
  const element = marker.getElement();
  element.setAttribute('role', 'img');
  element.setAttribute('aria-label', label);
}
