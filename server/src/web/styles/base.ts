/** Elements as they look without a class, and the frame of every page. */
export const baseCss = `
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.55 var(--sans); background: var(--paper); color: var(--ink); scroll-padding-top: 1rem; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; overflow-wrap: break-word; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 0; font-weight: 650; text-wrap: balance; }
h1 { font-size: 1.75rem; letter-spacing: -0.015em; }
h2 { font-size: 1.125rem; }
h3 { font-size: 1rem; }
p, ul, ol, dl, dd, figure { margin: 0; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
code, pre, kbd, .mono { font-family: var(--mono); font-size: 0.875em; font-variant-ligatures: none; }
pre { margin: 0; overflow-x: auto; }
pre code { font-size: 1em; }
table { border-collapse: collapse; }
svg { display: block; fill: currentColor; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.muted { color: var(--muted); }
.frame { width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: 1.25rem; }

.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; padding: 0.5rem 0.75rem; background: var(--paper); color: var(--link); }
.skip:focus { top: 0.5rem; }

.cover { background: var(--cover); color: var(--coverInk); }
.cover :focus-visible { outline-color: var(--coverInk); }
.cover > .frame { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.25rem; padding-block: 0.5rem; min-height: 3.75rem; }
.cover a { color: var(--coverInk); text-decoration: none; }
.cover a:hover { text-decoration: underline; }
.brand { display: inline-flex; align-items: center; gap: 0.5rem; font-weight: 650; font-size: 1.0625rem; letter-spacing: -0.01em; }
.cover nav ul { display: flex; gap: 1.125rem; list-style: none; padding: 0; font-size: 0.9375rem; }
.cover nav { margin-inline-start: auto; }
.cover nav a { color: var(--coverMuted); padding-block: 0.375rem; }
.cover nav a:hover, .cover nav a[aria-current] { color: var(--coverInk); }

main { flex: 1; padding-block: 1.75rem 3.5rem; }
main:focus { outline: none; }
.foot { border-top: 1px solid var(--line); font-size: 0.875rem; color: var(--muted); }
.foot > .frame { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding-block: 1rem; }
.foot a { color: inherit; }
.foot p { margin-inline-end: auto; }

@media (max-width: 40rem) {
  .frame { padding-inline: 1rem; }
  h1 { font-size: 1.5rem; }
  .cover .search { order: 1; flex-basis: 100%; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --raised: #fff; --muted: #333; --link: #000; }
  .cover, .foot, .skip, .search, .pager, .facets { display: none; }
  main { padding: 0; }
  pre { white-space: pre-wrap; }
}
`
