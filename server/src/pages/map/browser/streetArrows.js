/**
 * Small arrows along one-way streets, from the zoom at which a street is wide enough for them.
 *
 * @import { LayerSpecification, Map as MapLibreMap } from 'maplibre-gl'
 */

const PREFIX = 'arrow ';
const ZOOM_MIN = 15;
/** On the screen; the picture has twice as many dots, for sharp screens. */
const [WIDTH, HEIGHT, DOTS] = [20, 8, 2];
const HEAD = 7;

/**
 * @param {string} color
 * @returns {LayerSpecification}
 */
export const arrowLayer = (color) => ({
  id: 'streets-one-way',
  type: 'symbol',
  source: 'streets',
  'source-layer': 'streets',
  minzoom: ZOOM_MIN,
  filter: ['==', ['get', 'oneway'], 'yes'],
  layout: {
    'symbol-placement': 'line',
    'symbol-spacing': 130,
    'icon-image': PREFIX + color,
    'icon-size': ['interpolate', ['linear'], ['zoom'], ZOOM_MIN, 0.7, 18, 1.2],
    'icon-rotation-alignment': 'map',
    'icon-keep-upright': false,
    'icon-padding': 6,
  },
});

/**
 * Draws the arrow when a layer first needs it, in the colour that its name ends with.
 *
 * @param {MapLibreMap} map
 */
export function drawArrows(map) {
  map.setMissingStyleImageResolver(async (id) => {
    if (id.startsWith(PREFIX) && !map.hasImage(id))
      map.addImage(id, arrow(id.slice(PREFIX.length)), { pixelRatio: DOTS });
  });
}

/** @param {string} color */
function arrow(color) {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [WIDTH * DOTS, HEIGHT * DOTS];
  const drawing = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  drawing.scale(DOTS, DOTS);
  drawing.fillStyle = color;
  drawing.fillRect(0, HEIGHT / 2 - 0.75, WIDTH - HEAD, 1.5);
  drawing.beginPath();
  drawing.moveTo(WIDTH - HEAD, 0.5);
  drawing.lineTo(WIDTH, HEIGHT / 2);
  drawing.lineTo(WIDTH - HEAD, HEIGHT - 0.5);
  drawing.fill();
  return drawing.getImageData(0, 0, canvas.width, canvas.height);
}
