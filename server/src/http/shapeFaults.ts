import { POSITIONS_MAX, type ShapeFault } from '../areas/readShape.ts';

/** What can be wrong with an operating area's GeoJSON, in words. */
export const shapeFaults: Record<ShapeFault, { pt: string; en: string }> = {
  'not-a-polygon': {
    pt: 'deve ser um Polygon ou MultiPolygon GeoJSON com ao menos um anel',
    en: 'it must be a GeoJSON Polygon or MultiPolygon with at least one ring',
  },
  'bad-position': {
    pt: 'cada posição deve ser [longitude, latitude], em números',
    en: 'each position must be [longitude, latitude], as numbers',
  },
  'out-of-range': {
    pt: 'há coordenadas fora dos limites; a ordem é [longitude, latitude]',
    en: 'some coordinates are out of range; the order is [longitude, latitude]',
  },
  'over-antimeridian': {
    pt: 'passa do meridiano de 180°: divida a área nele, em um MultiPolygon',
    en: 'it runs over the meridian of 180°: cut the area there, as a MultiPolygon',
  },
  'too-many-positions': {
    pt: `tem mais de ${POSITIONS_MAX} posições; simplifique o contorno`,
    en: `it has more than ${POSITIONS_MAX} positions; simplify the outline`,
  },
  'too-few-positions': {
    pt: 'cada anel precisa de ao menos 4 posições, a última igual à primeira',
    en: 'each ring needs at least 4 positions, the last one equal to the first',
  },
  'ring-open': {
    pt: 'há um anel aberto: a última posição deve ser igual à primeira',
    en: 'a ring is open: its last position must equal its first',
  },
  'no-area': {
    pt: 'há um anel sem área: todas as posições estão em uma linha',
    en: 'a ring has no area: all its positions lie on one line',
  },
  'self-intersection': {
    pt: 'há um anel que cruza ou toca a si mesmo',
    en: 'a ring crosses or touches itself',
  },
  'rings-cross': {
    pt: 'há anéis que se cruzam ou compartilham um trecho',
    en: 'some rings cross or share a stretch',
  },
  'hole-outside': {
    pt: 'há um buraco fora do anel externo',
    en: 'a hole lies outside the outer ring',
  },
  'holes-overlap': { pt: 'há buracos sobrepostos', en: 'some holes overlap' },
  'too-complex': {
    pt: 'o contorno é complexo demais para ser verificado; simplifique-o',
    en: 'the outline is too complex to be checked; simplify it',
  },
};
