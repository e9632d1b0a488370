/** The header and footer around every page; they need the palette and nothing else. */
export const frameCss = `
.frame { box-sizing: border-box; width: 100%; max-width: 72rem; margin-inline: auto; padding-inline: 1.5rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 1; padding: 0.5rem 0.75rem; background: var(--paper); color: var(--link); }
.skip:focus { top: 0.5rem; }

.site-header, .site-footer { font: 0.9375rem/1.55 var(--sans); color: var(--muted); background: var(--paper); }
.site-header { border-bottom: 1px solid var(--line); }
.site-header > .frame { display: flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 1.5rem; padding-block: 0.625rem; min-height: 3.75rem; }
.site-header ul, .site-footer ul { display: flex; flex-wrap: wrap; gap: 0.125rem 1.25rem; list-style: none; margin: 0; padding: 0; }
.site-header a, .site-footer a { color: var(--muted); text-decoration: none; }
.site-header a { display: block; padding-block: 0.25rem; }
.site-header a:hover, .site-footer a:hover { color: var(--ink); text-decoration: underline; }
.site-header a[aria-current] { color: var(--ink); font-weight: 600; }
.site-header .brand { display: inline-flex; align-items: center; gap: 0.5rem; color: var(--ink); font-weight: 700; font-size: 1.0625rem; letter-spacing: -0.01em; }
.brand svg { display: block; fill: var(--accent); }
.who { display: flex; align-items: center; gap: 0.75rem; min-width: 0; margin: 0; margin-inline-start: auto; }
.who .name { color: var(--ink); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 14rem; }
.who form { margin: 0; }
.who button { font: inherit; color: var(--ink); background: none; border: 1px solid var(--edge); border-radius: 6px; padding: 0.125rem 0.625rem; cursor: pointer; white-space: nowrap; }
.who button:hover { border-color: var(--ink); }

.site-footer { border-top: 1px solid var(--line); font-size: 0.875rem; }
.site-footer > .frame { padding-block: 1.25rem; }

@media (max-width: 48rem) {
  .frame { padding-inline: 1rem; }
  .site-header nav { order: 1; flex-basis: 100%; }
  .site-header ul { gap: 0 1rem; }
}
`
