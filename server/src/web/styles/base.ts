/** Elements as they look without a class. */
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
.muted { color: var(--muted); }
main { flex: 1; padding-block: 1.75rem 3.5rem; }
main:focus { outline: none; }

@media (max-width: 40rem) {
  h1 { font-size: 1.5rem; }
}
@media (prefers-reduced-motion: no-preference) {
  html { scroll-behavior: smooth; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --raised: #fff; --muted: #333; --link: #000; }
  .site-header, .site-footer, .skip, .search, .pager, .facets { display: none; }
  main { padding: 0; }
  pre { white-space: pre-wrap; }
}
`
