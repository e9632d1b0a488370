/** The page that resolves a task: its form, the skills with their confidence, the words' weights. */
export const resolveCss = `
.field > textarea.prose { font: inherit; line-height: 1.5; }
h1 + .lede { margin-top: 0.375rem; }
.resolve { margin-top: 1.25rem; max-width: 52rem; }
.settings { display: flex; flex-wrap: wrap; align-items: end; gap: 0.75rem 1.25rem; margin-top: 0.875rem; }
.settings .field { width: 10.5rem; }
.settings .button { padding: 0.5rem 1.375rem; font-size: 1rem; border-width: 1px; line-height: 1.55; }
.answer { margin-top: 2rem; }
.answer .empty { padding-top: 0; }
.answer .empty > p { margin-top: 0.375rem; }
.answer .section-head { margin-bottom: 0.625rem; }

.resolved > li { gap: 0.25rem 1.25rem; padding-block: 1.125rem; }
.resolved > li > :is(.copy, .glance, .why) { grid-column: 1 / -1; }
.resolved .rank { color: var(--muted); font-variant-numeric: tabular-nums; }
.resolved .glance { margin-top: 0.25rem; font-size: 0.875rem; }
.resolved .copy { font-size: 0.9375rem; }
.confidence { grid-column: 2; grid-row: 1 / span 2; width: 9rem; display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; font-variant-numeric: tabular-nums; }
.confidence label { color: var(--muted); font-size: 0.8125rem; }
meter { appearance: none; display: block; overflow: hidden; width: 100%; height: 6px; border: 0; background: var(--line); }
meter::-webkit-meter-inner-element { display: block; height: 100%; }
meter::-webkit-meter-bar { position: static; height: 100%; border: 0; border-radius: 0; background: none; }
meter::-webkit-meter-optimum-value { background: var(--accent); }
meter::-moz-meter-bar { background: var(--accent); }

.why { font-size: 0.9375rem; margin-top: 0.25rem; }
.why summary, .panel summary { cursor: pointer; color: var(--muted); }
.why .facts { grid-template-columns: fit-content(40%) minmax(0, 1fr); margin-block: 0.5rem; gap: 0.125rem 1rem; }
.why .facts > div { display: contents; }
.why .facts dt { color: var(--ink); font-weight: 600; }
.why p { overflow-wrap: anywhere; }

.weights { width: 100%; font-size: 0.9375rem; }
.weights th { font-weight: inherit; text-align: start; overflow-wrap: anywhere; padding-block: 0.125rem; padding-inline-end: 0.75rem; }
.weights td { width: 10rem; text-align: end; font-variant-numeric: tabular-nums; }
.weights svg { display: inline-block; width: 6rem; height: 6px; margin-inline-end: 0.625rem; vertical-align: 0.125em; }
.weights .level { fill: var(--accent); }
.panel summary { margin-top: 0.375rem; font-size: 0.9375rem; }

@media (max-width: 40rem) {
  .resolved > li { grid-template-columns: minmax(0, 1fr); }
  .resolved .confidence { grid-column: 1; grid-row: auto; }
}
`
