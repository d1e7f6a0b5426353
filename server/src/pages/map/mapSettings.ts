/** What /mapa/config.json tells a page about the maps it may draw. */
export interface MapSettings {
  /** Of MapLibre; part of the addresses of its files, which are kept for ever. */
  version: string;
  /** The configured style, if any. */
  style: string | null;
  /** Where the streets of the imported roads are, if there are any and no style takes their place. */
  streets: {
    /** With {z}, {x} and {y}. */
    tiles: string;
    zooms: [number, number];
    /** west, south, east, north */
    bounds: [number, number, number, number];
  } | null;
}
