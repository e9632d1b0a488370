/** The developer console: fields, choices, credentials. */
export const consoleCss = `
.console { max-width: 52rem; }
.console section > * + * { margin-top: 0.75rem; }
.console section > .cards + * { margin-top: 0.75rem; }
.console form.stack > * + * { margin-top: 1.25rem; }
.crumbs + h1 { margin-top: 0.125rem; }
.badges { display: flex; flex-wrap: wrap; gap: 0.375rem; }
h1 + .badges { margin-top: 0.5rem; }
.badge.bad { color: var(--bad); border-color: currentColor; }
.row-head > .button { flex: none; }
.console a.button { display: inline-block; }

.tabs { margin-top: 1.25rem; border-bottom: 1px solid var(--line); }
.tabs ul { display: flex; flex-wrap: wrap; gap: 0 1.375rem; list-style: none; padding: 0; }
.tabs a { display: block; color: var(--muted); text-decoration: none; padding-block: 0.5rem; border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a:hover { color: var(--ink); }
.tabs a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--accent); }

.start { background: var(--raised); border-radius: 6px; padding: 1.5rem 1.75rem; max-width: 44rem; }
.cards { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.card { border: 1px solid var(--line); border-radius: 6px; padding: 1.125rem 1.25rem; min-width: 0; overflow-wrap: anywhere; }
.card > * + * { margin-top: 0.625rem; }
.credentials { display: grid; gap: 0.625rem; }
.credentials dt { color: var(--muted); font-size: 0.8125rem; }
.credentials code { word-break: break-all; }
.secret { user-select: all; -webkit-user-select: all; background: var(--raised); border-radius: 3px; padding: 0.125rem 0.3125rem; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
.rotate > * + * { margin-top: 0.5rem; }
.button.danger { color: var(--bad); border-color: currentColor; }

.hint { color: var(--muted); font-size: 0.875rem; }
.mistake { color: var(--bad); font-size: 0.9375rem; white-space: pre-line; }
.field { border: 0; margin: 0; padding: 0; min-width: 0; }
.field > label, .field > legend { display: block; padding: 0; font-weight: 600; font-size: 0.9375rem; }
.field > h2 { font-size: 1.125rem; }
.field > input, .field > textarea { display: block; width: 100%; max-width: 34rem; color: var(--ink); background: var(--paper); border: 1px solid var(--edge); border-radius: 4px; padding: 0.5rem 0.75rem; margin-top: 0.375rem; }
.field > input { font: inherit; }
.field > textarea { max-width: none; font-family: var(--mono); font-size: 0.875rem; line-height: 1.6; resize: vertical; }
.field > [aria-invalid] { border-color: var(--bad); outline: 1px solid var(--bad); outline-offset: -2px; }
.field ::placeholder { color: var(--muted); opacity: 1; }
.tick { display: grid; grid-template-columns: 1.125rem minmax(0, 1fr); gap: 0.625rem; align-items: start; margin-top: 0.5rem; }
.tick input { width: 1.125rem; height: 1.125rem; margin: 0.2rem 0 0; accent-color: var(--button); }
.tick label { cursor: pointer; }

.setting { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1.25rem; border-block: 1px solid var(--line); padding-block: 0.75rem; }
.setting .tick { margin: 0; }

.picks { margin-top: 1.25rem; }
.picks ul { list-style: none; padding: 0; }
.picks li { border-top: 1px solid var(--line); }
.picks li:last-child { border-bottom: 1px solid var(--line); }
.pick { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1.25rem; align-items: center; border: 0; margin: 0; padding: 0.5rem 0; min-width: 0; }
.pick legend { float: left; grid-column: 1; grid-row: 2; padding: 0; }
.pick > p { grid-column: 1; }
.pick .segments { grid-column: 2; grid-row: 1 / span 2; }
.pick .mistake { grid-column: 1 / -1; grid-row: 3; }
.pick .name, .changes .name, .rows p.name { color: var(--muted); font-size: 0.8125rem; overflow-wrap: anywhere; }
.segments { display: flex; }
.segments > span { position: relative; }
.segments input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.segments label { display: block; font-size: 0.875rem; color: var(--muted); border: 1px solid var(--edge); padding: 0.1875rem 0.75rem; margin-inline-start: -1px; }
.segments > span:first-child label { border-start-start-radius: 4px; border-end-start-radius: 4px; margin: 0; }
.segments > span:last-child label { border-start-end-radius: 4px; border-end-end-radius: 4px; }
.segments input:checked + label { background: var(--button); border-color: var(--button); color: var(--buttonInk); }
.segments .off input:checked + label { background: var(--raised); border-color: var(--edge); color: var(--ink); }
.segments input:focus-visible + label { outline: 2px solid var(--focus); outline-offset: 2px; }

.register:has(#type-server-to-server:checked, #type-chatbot:checked) .for-general { display: none; }
.register:has(#type-chatbot:checked) .for-scopes { display: none; }
.register:has(#type-server-to-server:checked) .segments .optional { display: none; }
.register:has(#type-general:checked):has(#level-user:checked) :is(.reach-admin, .reach-master) { display: none; }
.register .for-bots { display: none; }
.register:has(#type-chatbot:checked) .for-bots { display: block; }

.changes { list-style: none; padding: 0; }
.changes ul { list-style: none; padding: 0; }
.changes > li { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); gap: 0.25rem 1.25rem; border-top: 1px solid var(--line); padding-block: 0.75rem; }
.changes > li:last-child { border-bottom: 1px solid var(--line); }
.changes li li + li { margin-top: 0.375rem; }
.changes .name { display: block; }
.attempts { margin-top: 0.5rem; font-size: 0.9375rem; }
.attempts summary { cursor: pointer; color: var(--link); width: fit-content; }
.attempts ol { padding-inline-start: 1.5rem; margin-top: 0.25rem; }

@media (max-width: 40rem) {
  .tabs ul { flex-wrap: nowrap; overflow: auto hidden; gap: 0.625rem; font-size: 0.875rem; }
  .tabs a { margin-bottom: 0; }
  .cards { grid-template-columns: minmax(0, 1fr); }
  .pick { grid-template-columns: minmax(0, 1fr); }
  .pick .segments { grid-column: 1; grid-row: 3; margin-top: 0.375rem; }
  .pick .mistake { grid-row: 4; }
  .changes > li { grid-template-columns: minmax(0, 1fr); }
}
`
