/**
 * Opens a map in a page: MapLibre from our own files, the configured style or our plain one, in the colours that
 * the person's device asks for, with its buttons in the page's language.
 *
 * @import { Map as MapLibreMap, MapOptions } from 'maplibre-gl'
 * @import { MapSettings } from '../installMap.ts'
 */
import { mapStyle, OVERLAY_SOURCES, overlay } from './mapStyle.js';
import { drawArrows } from './streetArrows.js';

/** @typedef {typeof import('maplibre-gl')} MapLibre */
/** @typedef {{ map: MapLibreMap, maplibre: MapLibre, settings: MapSettings }} OpenedMap */

const buttons = {
  pt: {
    'Map.Title': 'Mapa',
    'NavigationControl.ZoomIn': 'Aproximar',
    'NavigationControl.ZoomOut': 'Afastar',
    'NavigationControl.ResetBearing': 'Norte para cima',
    'AttributionControl.ToggleAttribution': 'Mostrar ou esconder a origem do mapa',
    'AttributionControl.MapFeedback': 'Comentar o mapa',
    'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl e a roda do mouse para aproximar o mapa',
    'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ e a roda do mouse para aproximar o mapa',
    'CooperativeGesturesHandler.MobileHelpText': 'Use dois dedos para mover o mapa',
    'ScaleControl.Meters': 'm',
    'ScaleControl.Kilometers': 'km',
  },
  en: {},
};

/**
 * Rejects where no map can be drawn, as in a browser without WebGL: the page must do without.
 *
 * @param {HTMLElement} element
 * @param {Partial<MapOptions>} [options]
 * @returns {Promise<OpenedMap>}
 */
export async function openMap(element, options = {}) {
  if (!document.createElement('canvas').getContext('webgl2')) throw new Error('no map without WebGL');
  const settings = /** @type {MapSettings} */ (await (await fetch('/mapa/config.json')).json());
  const [maplibre] = await Promise.all([
    /** @type {Promise<MapLibre>} */ (import(`/mapa/maplibre-gl.mjs?v=${settings.version}`)),
    addStylesheet(`/mapa/maplibre-gl.css?v=${settings.version}`),
  ]);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const scheme = () => (dark.matches ? 'dark' : 'light');
  const ourStyle = () => mapStyle({ scheme: scheme(), streets: settings.streets });
  const hasOrigin = settings.style !== null || settings.streets !== null;
  const map = new maplibre.Map({
    container: element,
    style: settings.style ?? ourStyle(),
    attributionControl: hasOrigin && { compact: false, customAttribution: [] },
    locale: document.documentElement.lang.startsWith('pt') ? buttons.pt : buttons.en,
    dragRotate: false,
    pitchWithRotate: false,
    ...options,
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  if (settings.style) {
    map.on('style.load', () => addOverlay(map, scheme()));
  } else {
    drawArrows(map);
    dark.addEventListener('change', () => {
      map.setStyle(ourStyle(), { transformStyle: keepOverlays });
    });
  }
  return { map, maplibre, settings };
}

/**
 * @param {MapLibreMap} map
 * @param {'light' | 'dark'} scheme
 */
function addOverlay(map, scheme) {
  const { sources, layers } = overlay(scheme);
  for (const [name, source] of Object.entries(sources)) if (!map.getSource(name)) map.addSource(name, source);
  for (const layer of layers) if (!map.getLayer(layer.id)) map.addLayer(layer);
}

/**
 * Other colours, the same things to show.
 *
 * @type {import('maplibre-gl').TransformStyleFunction}
 */
const keepOverlays = (previous, next) => ({
  ...next,
  sources: {
    ...next.sources,
    ...Object.fromEntries(
      Object.entries(previous?.sources ?? {}).filter(([name]) => OVERLAY_SOURCES.includes(name)),
    ),
  },
});

/** @param {string} address */
function addStylesheet(address) {
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.addEventListener('load', () => resolve(undefined));
    link.addEventListener('error', () => reject(new Error('no map without its style')));
    document.head.append(link);
  });
}
