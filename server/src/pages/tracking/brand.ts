/** A central may choose any colour; these variants guarantee readable contrast. */
export interface Brand {
  /** The chosen colour, for large areas. */
  ground: string;
  /** The readable text colour on it: black or white. */
  onGround: string;
  /** The colour, darkened or lightened until lines and text are readable on the page's backgrounds. */
  onLight: string;
  onDark: string;
}

/** The page's backgrounds in both schemes on which the brand's colour is the least visible. */
export const LIGHT_GROUND = '#f1f3f4';
export const DARK_GROUND = '#1f252b';
/** WCAG 2.2 AA for text. */
const CONTRAST_MIN = 4.5;

export function brandOf(color: string): Brand {
  return {
    ground: color,
    onGround: contrast(color, '#ffffff') >= contrast(color, '#000000') ? '#ffffff' : '#000000',
    onLight: readable(color, LIGHT_GROUND, '#000000'),
    onDark: readable(color, DARK_GROUND, '#ffffff'),
  };
}

function readable(color: string, ground: string, towards: string): string {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, towards, share);
    if (contrast(mixed, ground) >= CONTRAST_MIN) return mixed;
  }
  return towards;
}

/** WCAG 2.2 contrast: from 1 (equal) to 21 (black on white). */
export function contrast(left: string, right: string): number {
  const [low, high] = [luminance(left), luminance(right)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, towards: string, share: number): string {
  const target = channels(towards);
  const mixed = channels(color).map((value, index) => Math.round(value + (target[index]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
