/** A meeting's page, and the indicator of apps that read or hear it. */
export const meetingCss = `
.meeting { max-width: 42rem; }
.state-line { display: flex; align-items: center; gap: 0.625rem; min-height: 2.25rem; margin-bottom: 0.5rem; }
.state-line .badge { font-size: 0.875rem; padding: 0.0625rem 0.5rem; }
.badge.live { color: var(--good); border-color: currentColor; font-weight: 600; }
.meeting .agenda { white-space: pre-line; }
.meeting .passcode { font-family: var(--mono); }
.meeting .facts { grid-template-columns: fit-content(40%) minmax(0, 1fr); }

.indicator { position: relative; display: inline-flex; }
.indicator a { display: block; color: var(--buttonInk); background: var(--button); border-radius: 50%; padding: 0.3125rem; }
.indicator a:focus-visible { border-radius: 50%; }
.indicator .waves { fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; }
.indicator .tip { position: absolute; z-index: 1; top: calc(100% + 0.5rem); inset-inline-start: -0.5rem; width: max-content; max-width: min(28rem, 60vw); color: var(--paper); background: var(--ink); border-radius: 4px; padding: 0.5rem 0.75rem; font-size: 0.875rem; visibility: hidden; }
.indicator:hover .tip, .indicator:focus-within .tip { visibility: visible; }
.indicator .access { display: block; }
.indicator .access + .access { margin-top: 0.375rem; }

.accesses { border-top: 1px solid var(--line); padding-top: 1rem; }
.accesses ul { padding-inline-start: 1.125rem; }
.accesses h2:target { outline: none; }
`
