/** The parts pages are built of: search, lists, facts, commands, notices. */
export const partsCss = `
.search { display: block; flex: 1; max-width: 34rem; }
.search form { display: flex; }
.search input { flex: 1; min-width: 0; font: inherit; font-size: 1rem; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-inline-end: 0; border-radius: 4px 0 0 4px; padding: 0.375rem 0.75rem; }
.search input::placeholder { color: var(--muted); opacity: 1; }
.search input:focus-visible { outline-offset: -2px; outline-color: var(--focus); }
.button, .search button { font: inherit; font-size: 0.9375rem; font-weight: 600; color: var(--buttonInk); background: var(--button); border: 1px solid var(--button); border-radius: 4px; padding: 0.375rem 1rem; cursor: pointer; text-decoration: none; }
.search button { border-radius: 0 4px 4px 0; }
.search.large { max-width: 44rem; }
.search.large input { padding: 0.625rem 0.875rem; }
.search.large button { padding-inline: 1.375rem; }

.columns { display: grid; grid-template-columns: minmax(0, 1fr) 22rem; gap: 2rem 2.75rem; align-items: start; }
.columns > * { min-width: 0; }
.stack > * + * { margin-top: 1.75rem; }
.hero { padding-block: 2.25rem 3rem; }
.hero h1 { font-size: 2.5rem; line-height: 1.12; letter-spacing: -0.022em; text-wrap: wrap; }
.latest { margin-top: 3rem; }
.hero > * + * { margin-top: 1rem; }
.hero .lede { margin-top: 0.5rem; }
.search-head { margin-top: 0.75rem; }
.failure { max-width: 40rem; padding-block: 1.5rem; }
.failure > * + * { margin-top: 1rem; }
.stack > h2 + *, .stack > section > h2 + * { margin-top: 0.625rem; }
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1rem; justify-content: space-between; }
.lede { font-size: 1.125rem; color: var(--muted); max-width: 44rem; }

.skills { list-style: none; padding: 0; }
.skills > li { border-top: 1px solid var(--line); padding-block: 0.875rem; display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.125rem 1.25rem; }
.skills > li:last-child { border-bottom: 1px solid var(--line); }
.skills :is(h2, h3) { font-size: 1rem; }
.skills :is(h2, h3) a { text-decoration: none; }
.skills :is(h2, h3) a:hover { text-decoration: underline; }
.skills .address { grid-column: 1; color: var(--muted); font-size: 0.8125rem; }
.skills .about { grid-column: 1 / -1; font-size: 0.9375rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-clamp: 2; overflow: hidden; max-width: 52rem; margin-top: 0.125rem; }
.skills .tags { grid-column: 1 / -1; margin-top: 0.375rem; }
.counts { grid-column: 2; grid-row: 1 / span 2; display: flex; gap: 0.875rem; justify-content: end; align-items: start; color: var(--muted); font-size: 0.875rem; font-variant-numeric: tabular-nums; white-space: nowrap; list-style: none; padding: 0.125rem 0 0; }
.counts li { display: flex; align-items: center; gap: 0.3rem; min-width: 3.25rem; justify-content: end; }

.tags { display: flex; flex-wrap: wrap; gap: 0.3125rem 0.375rem; list-style: none; padding: 0; font-size: 0.8125rem; }
.tags li { max-width: 100%; }
.tags a { display: block; overflow-wrap: anywhere; color: var(--muted); background: var(--raised); border: 1px solid var(--line); border-radius: 3px; padding: 0 0.4375rem; line-height: 1.5; text-decoration: none; }
.tags a:hover { color: var(--ink); border-color: var(--edge); }

.command { display: flex; align-items: start; gap: 0.5rem; background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: 0.625rem 0.75rem; font-size: 0.8125rem; line-height: 1.55; }
.command pre { flex: 1; min-width: 0; font-size: inherit; white-space: pre-wrap; overflow-wrap: anywhere; overflow: visible; }
.command code { font-size: inherit; }
.command button { font: inherit; font-family: var(--sans); color: var(--muted); background: none; border: 0; border-radius: 3px; padding: 0 0.25rem; min-width: 4rem; text-align: end; cursor: pointer; }
.command button:hover { color: var(--ink); text-decoration: underline; }
pre.command { display: block; white-space: pre-wrap; overflow-wrap: anywhere; }
.links { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; font-size: 0.9375rem; }

.numbers { display: flex; flex-wrap: wrap; gap: 0.25rem 2rem; font-variant-numeric: tabular-nums; }
.numbers > div { display: flex; flex-direction: row-reverse; align-items: baseline; gap: 0.375rem; justify-content: start; }
.numbers dt { color: var(--muted); font-size: 0.9375rem; }
.numbers dd { font-weight: 650; font-size: 1.0625rem; }

.facts { display: grid; grid-template-columns: fit-content(45%) minmax(0, 1fr); gap: 0.3125rem 1rem; font-size: 0.9375rem; }
.facts dt { color: var(--muted); overflow-wrap: anywhere; }
.facts dd { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }

.notice { border: 1px solid var(--line); border-inline-start: 3px solid var(--accent); border-radius: 3px; padding: 0.75rem 1rem; background: var(--raised); }
.notice ul { padding-inline-start: 1.125rem; margin-top: 0.375rem; }
.empty { padding: 1.5rem 0; max-width: 40rem; }
.empty ul { padding-inline-start: 1.25rem; margin-top: 0.5rem; }

.facets { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; font-size: 0.9375rem; margin-block: 1rem; }
.facets ul { display: flex; flex-wrap: wrap; gap: 0.375rem 1rem; list-style: none; padding: 0; align-items: center; }
.facets nav { margin-inline-start: auto; display: flex; gap: 0.75rem; }
.facets [aria-current] { color: var(--ink); font-weight: 650; text-decoration: none; }
.chip { overflow-wrap: anywhere; display: inline-flex; align-items: center; gap: 0.375rem; border: 1px solid var(--edge); border-radius: 3px; padding: 0 0.4375rem; color: var(--ink); text-decoration: none; }
.chip:hover { border-color: var(--ink); }

.pager { display: flex; justify-content: space-between; align-items: center; gap: 1rem; margin-top: 1.25rem; font-size: 0.9375rem; }
.pager > :first-child { flex: 1; }
.pager > :last-child { flex: 1; text-align: end; }

@media (max-width: 60rem) {
  .columns { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 40rem) {
  .hero { padding-block: 1rem 2rem; }
  .hero h1 { font-size: 1.875rem; }
  .counts { grid-column: 1; grid-row: auto; justify-content: start; }
  .counts li { min-width: 0; }
  .skills .counts { order: 1; padding-top: 0.375rem; }
  .facets nav { margin-inline-start: 0; }
  .facets ul { gap: 0.375rem 0.75rem; }
}
`
