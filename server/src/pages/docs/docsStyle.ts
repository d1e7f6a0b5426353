/** The style of all pages below /docs but the reference; light and dark schemes use the same tokens. */
export const docsStyle = `
:root{color-scheme:light dark;--ground:#fff;--card:#f1f3f4;--text:#16191d;--soft:#525960;--line:#cbd0d6;--accent:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ground:#101316;--card:#1f252b;--text:#eceff2;--soft:#b3bbc4;--line:#3d454d;--accent:#7ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.band{border-bottom:1px solid var(--line)}
.band nav,main{max-width:48rem;margin:0 auto;padding:0 16px}
.band nav{display:flex;flex-wrap:wrap;gap:0 20px;align-items:center;font-size:16px}
@media (max-width:30rem){.band nav{gap:0 10px}}
.band a{display:inline-flex;align-items:center;min-height:44px}
.band .name{font-weight:700;color:var(--text);text-decoration:none}
.band .other{margin-left:auto}
main{padding:20px 16px 48px}
a{color:var(--accent)}
h1{margin:0 0 4px;font-size:1.7rem;line-height:1.25;text-wrap:pretty}
h1 code{font-size:inherit;font-weight:inherit}
h2{margin:28px 0 6px;font-size:1.15rem}
p,ul,dl{margin:0 0 12px}
ul{padding-left:1.2rem}
li{margin:2px 0}
dt{font-weight:600}
dd{margin:0 0 10px;color:var(--soft)}
.lead{color:var(--soft);margin-bottom:20px}
.note{color:var(--soft)}
code,pre{font:15px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:0;padding:14px 16px;border-radius:10px;background:var(--card);white-space:pre-wrap}
.list{list-style:none;padding:0}
.list li{padding:6px 0;border-top:1px solid var(--line)}
.list a{font-weight:600}
summary{padding:10px 0;cursor:pointer;color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media print{.band{display:none}}
`;
