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

/** The page's whole style; light and dark schemes use the same tokens. */
export function trackingStyle(color: string): string {
  const brand = brandOf(color);
  return `
:root{color-scheme:light dark;--band:${brand.ground};--onband:${brand.onGround};--accent:${brand.onLight};--ground:#fff;--card:${LIGHT_GROUND};--text:#16191d;--soft:#525960;--line:#cbd0d6;--old:#6b7279}
@media (prefers-color-scheme:dark){:root{--accent:${brand.onDark};--ground:#101316;--card:${DARK_GROUND};--text:#eceff2;--soft:#b3bbc4;--line:#3d454d;--old:#8b949d}}
*{box-sizing:border-box}
[hidden]{display:none!important}
body{margin:0;background:var(--ground);color:var(--text);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.band{background:var(--band);color:var(--onband);padding:10px 0;font-size:16px;font-weight:600}
.band p,main{max-width:34rem;margin:0 auto;padding:0 16px}
main{padding:20px 16px 32px}
h1{margin:0 0 8px;font-size:1.6rem;line-height:1.25;white-space:pre-line;text-wrap:pretty;font-variant-numeric:tabular-nums}
.detail{margin:0 0 16px;color:var(--soft)}
.detail:empty,.note:empty,.attempts:empty{display:none}
.attempts{margin:12px 0;padding:10px 14px;border-left:5px solid var(--accent);border-radius:6px;background:var(--card);white-space:pre-line}
.shop{display:block;font-weight:400}
.vehicle{display:flex;gap:8px;align-items:center}
.vehicle svg{flex:none;fill:var(--soft)}
.links{display:flex;flex-wrap:wrap;gap:8px;margin-top:10px!important}
.links a{display:inline-flex;align-items:center;min-height:48px;padding:0 18px;border:2px solid var(--accent);border-radius:10px;color:var(--accent);font-weight:600;text-decoration:none}
.steps{display:grid;grid-template-columns:repeat(4,minmax(0,1fr));gap:6px;list-style:none;margin:20px 0;padding:0}
.steps li{border-top:5px solid var(--line);border-radius:3px;padding-top:8px;font-size:16px;line-height:1.25;color:var(--soft)}
.steps li.done{border-color:var(--accent)}
.steps li[aria-current]{font-weight:600;color:var(--text)}
.away{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:30rem){.steps{position:relative;padding-bottom:2rem}.steps li{padding:0}.steps li span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.steps li[aria-current] span{left:0;bottom:0;width:auto;height:auto;clip-path:none}}
.map{margin:0 0 16px}
#map{height:280px;border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden}
.note{margin:8px 0 0;color:var(--soft)}
.card{background:var(--card);border-radius:12px;padding:14px 16px;margin:0 0 12px}
.card h2{margin:0 0 2px;font-size:16px;font-weight:600;color:var(--soft)}
.card p{margin:0}
.photo img{max-width:100%;border-radius:8px}
.name{font-size:1.3rem;font-weight:600}
.plate{display:inline-block;margin-top:8px;padding:2px 10px;border:2px solid var(--line);border-radius:6px;background:var(--ground);font-weight:700;letter-spacing:.08em;font-variant-numeric:tabular-nums}
.digits{font-size:3rem;font-weight:700;letter-spacing:.18em;font-variant-numeric:tabular-nums;line-height:1.3}
footer{color:var(--soft);font-size:16px}
footer p{margin:0}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.sign{display:grid;place-items:center;fill:var(--onband)}
.sign.driver{width:44px;height:44px;border-radius:50%;background:var(--band);border:3px solid #fff;box-shadow:0 1px 6px #0006}
.sign.driver.old{background:var(--old);fill:var(--ground);border-style:dashed}
.sign.destination{z-index:1}
.sign.destination svg{width:40px;height:40px;fill:var(--accent);stroke:var(--ground);stroke-width:1;filter:drop-shadow(0 1px 2px #0006)}
#map .maplibregl-ctrl-attrib,#map .maplibregl-ctrl-scale,#map .maplibregl-cooperative-gesture-screen{font:16px/1.4 system-ui,sans-serif;color:var(--text)}
#map .maplibregl-ctrl-attrib{font-size:13px;background:var(--ground);padding:0 8px;border-radius:8px 0 0}
#map .maplibregl-ctrl-attrib a{color:var(--text)}
#map .maplibregl-ctrl-scale{font-size:12px;background:var(--ground);border-color:var(--soft)}
#map .maplibregl-ctrl-group{background:var(--ground)}
#map .maplibregl-ctrl-group button{width:48px;height:48px}
@media (prefers-color-scheme:dark){#map .maplibregl-ctrl-icon{filter:invert(1)}}
@media print{.band{color:var(--text);background:none}.map{display:none}}
`;
}
