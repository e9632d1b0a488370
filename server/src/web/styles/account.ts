/** The pages on which people sign in, allow apps and look after them. */
export const accountCss = `
.sheet { max-width: 37rem; margin: 1rem auto 0; border: 1px solid var(--line); border-radius: 6px; padding: 1.75rem 2rem; overflow-wrap: anywhere; }
.sheet.narrow { max-width: 25rem; }
.sheet.wide { max-width: 46rem; }
.sheet > * + * { margin-top: 1.25rem; }
.sheet h1 { font-size: 1.5rem; }
.sheet header p { margin-top: 0.25rem; }
.sheet h2 { font-size: 1rem; }
.sheet section > * + * { margin-top: 0.5rem; }
.sheet form.stack > * + * { margin-top: 1.25rem; }
.maker { color: var(--muted); }
.badge { display: inline-block; font-size: 0.75rem; line-height: 1.5; color: var(--muted); border: 1px solid var(--line); border-radius: 3px; padding: 0 0.375rem; white-space: nowrap; vertical-align: 0.1em; }
.maker .badge { margin-inline-start: 0.5rem; }
.badge.strong { color: var(--accent); border-color: currentColor; }
.deciding { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.125rem 1rem; border-block: 1px solid var(--line); padding-block: 0.625rem; font-size: 0.9375rem; }
.after { color: var(--muted); font-size: 0.875rem; }
.after strong { color: var(--ink); }
.aside { background: var(--raised); border-radius: 4px; padding: 0.875rem 1rem; font-size: 0.9375rem; }
.refusal { border-inline-start: 3px solid var(--bad); background: var(--raised); color: var(--bad); border-radius: 3px; padding: 0.5rem 0.875rem; }

.scopes { list-style: none; padding: 0; }
.scopes li { display: grid; grid-template-columns: 1.125rem minmax(0, 1fr); gap: 0.75rem; align-items: start; padding-block: 0.375rem; }
.scopes li > svg { margin-top: 0.3rem; color: var(--good); justify-self: center; }
.scopes input { width: 1.125rem; height: 1.125rem; margin: 0.2rem 0 0; accent-color: var(--button); }
.scopes label { display: block; cursor: pointer; }
.scopes .name { display: block; color: var(--muted); font-size: 0.8125rem; }

.button.plain { background: none; color: var(--ink); border-color: var(--edge); }
.button.plain:hover { border-color: var(--ink); }
.sheet .button { padding-block: 0.5rem; font-size: 1rem; }
.decide { display: flex; gap: 0.75rem; justify-content: end; }
.decide .button { min-width: 8rem; text-align: center; }
.choices { display: flex; gap: 0.5rem; }

.fields { display: grid; }
.fields label { font-weight: 600; font-size: 0.9375rem; margin-bottom: 0.25rem; }
.fields input:not([type=hidden]) { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 4px; padding: 0.5rem 0.75rem; margin-bottom: 1rem; min-width: 0; }
.fields input::placeholder { color: var(--muted); opacity: 1; }
.fields input.code { font-size: 1.375rem; letter-spacing: 0.12em; text-align: center; text-transform: uppercase; }
p.code { font-size: 1.75rem; font-weight: 650; letter-spacing: 0.1em; }

.compare { border: 1px solid var(--line); border-radius: 4px; padding: 0.75rem 1rem; }
.compare dt { font-size: 0.8125rem; color: var(--muted); }
.compare dd + dt { margin-top: 0.625rem; }
.compare mark { background: var(--bad); color: var(--paper); border-radius: 2px; padding-inline: 0.125rem; }

.list { max-width: 48rem; }
.rows { list-style: none; padding: 0; }
.rows > li { border-top: 1px solid var(--line); padding-block: 1rem; }
.rows > li:last-child { border-bottom: 1px solid var(--line); }
.row-head { display: flex; justify-content: space-between; align-items: start; gap: 0.5rem 1.25rem; }
.row-head > div { min-width: 0; overflow-wrap: anywhere; }
.rows h2 { font-size: 1.125rem; }
.rows .muted { font-size: 0.9375rem; }
.rows .scopes { margin-top: 0.5rem; }
.rows .row-head ~ p, .rows .scopes + p { margin-top: 0.75rem; }
.list header .lede, .console header .lede { margin-top: 0.375rem; }
.list section > * + * { margin-top: 0.625rem; }

@media (max-width: 40rem) {
  .sheet { border: 0; padding: 0; margin-top: 0; }
  .decide .button { flex: 1; min-width: 0; }
  .row-head { flex-wrap: wrap; }
}
`
