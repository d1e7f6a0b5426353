/** All of the page's style, light and dark from the same few tokens. */
export const trackingStyle = (brand: string): string => `
:root{--brand:${brand};--ground:#fff;--card:#f4f5f6;--text:#16191d;--soft:#565d66;--line:#d5d9de;--onbrand:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#101316;--card:#1a1e23;--text:#eceff2;--soft:#a8b0b9;--line:#333a42}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:17px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:34rem;margin:0 auto;padding:16px}
.central{margin:0 0 8px;color:var(--soft);font-size:16px}
h1{margin:0 0 4px;font-size:1.5rem;line-height:1.25}
.detail{margin:0 0 16px;color:var(--soft)}
.detail:empty{display:none}
.steps{display:grid;grid-template-columns:repeat(4,1fr);gap:4px;list-style:none;margin:0 0 16px;padding:0}
.steps[hidden]{display:none}
.steps li{border-top:4px solid var(--line);padding-top:6px;font-size:16px;line-height:1.2;color:var(--soft)}
.steps li.done{border-color:var(--brand);color:var(--text)}
.steps li[aria-current]{font-weight:600}
@media (max-width:26rem){.steps li:not([aria-current]) span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.steps li[aria-current]{white-space:nowrap}}
.map{margin:0 0 16px}
#map{height:260px;border-radius:12px;background:var(--card);overflow:hidden}
.note{margin:6px 0 0;color:var(--soft);font-size:16px}
.note:empty{display:none}
.card{background:var(--card);border-radius:12px;padding:12px 16px;margin:0 0 12px}
.card[hidden]{display:none}
.card h2{margin:0 0 4px;font-size:16px;font-weight:600;color:var(--soft)}
.card p{margin:0}
.name{font-size:1.25rem;font-weight:600}
dl{display:grid;grid-template-columns:auto 1fr;gap:2px 12px;margin:6px 0 0}
dt{color:var(--soft)}
dd{margin:0;font-variant-numeric:tabular-nums}
.digits{font-size:2.75rem;font-weight:700;letter-spacing:.2em;font-variant-numeric:tabular-nums;line-height:1.2}
footer{color:var(--soft);font-size:16px}
:focus-visible{outline:3px solid var(--brand);outline-offset:2px}
.maplibregl-ctrl-attrib{font-size:12px}
`;
