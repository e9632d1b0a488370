/** The page of a skill, and the readme inside it. */
export const skillCss = `
.crumbs { font-size: 0.9375rem; color: var(--muted); }
.crumbs ol { display: flex; flex-wrap: wrap; list-style: none; padding: 0; }
.crumbs li + li::before { content: '/'; padding-inline: 0.4em; color: var(--edge); }
.crumbs li { overflow-wrap: anywhere; }
.masthead { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; margin-bottom: 1.5rem; }
.masthead h1 { margin-block: 0.25rem 0.375rem; overflow-wrap: anywhere; }
.masthead .lede { color: var(--ink); font-size: 1rem; max-width: 52rem; }
.masthead .tags { margin-top: 0.75rem; }
.masthead .command { margin-top: 0.875rem; max-width: 52rem; }
.masthead ~ .hint { margin-bottom: 0.625rem; }
.masthead .hint { margin-top: 0.375rem; font-size: 0.875rem; color: var(--muted); }
.masthead + .skills { margin-top: -1.5rem; }
.masthead + .skills > li:first-child { border-top: 0; }
.glance { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; padding: 0; margin-top: 0.875rem; font-size: 0.9375rem; color: var(--muted); font-variant-numeric: tabular-nums; }
.glance li { display: flex; align-items: center; gap: 0.375rem; }
.glance strong { color: var(--ink); font-weight: 600; }
.panel > h2 { margin-bottom: 0.625rem; padding-bottom: 0.375rem; border-bottom: 1px solid var(--line); font-size: 1rem; }
.panel .hint { font-size: 0.875rem; color: var(--muted); margin-block: 0.625rem 0.25rem; }
.trust { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.125rem 0.875rem; align-items: center; margin-bottom: 0.875rem; }
.trust .score { font-size: 2rem; line-height: 1; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -0.02em; }
.trust .words { font-size: 0.9375rem; line-height: 1.35; }
.trust svg { grid-column: 1 / -1; width: 100%; height: 6px; margin-top: 0.5rem; }
.trust .track { fill: var(--line); }
.trust .level { fill: var(--accent); }
.versions { list-style: none; padding: 0; font-size: 0.9375rem; }
.versions li { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0 0.75rem; padding-block: 0.3125rem; }
.versions li + li { border-top: 1px solid var(--line); }
.versions .muted { text-align: end; }
.versions .digest { grid-column: 1 / -1; color: var(--muted); font-size: 0.75rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.votes { list-style: none; padding: 0; font-size: 0.9375rem; }
.votes li { padding-block: 0.4375rem; }
.votes li + li { border-top: 1px solid var(--line); }
.votes .task { overflow-wrap: anywhere; }
.votes .verdict { font-weight: 600; }
.votes .yes { color: var(--good); }
.votes .no { color: var(--bad); }
.votes .verdict svg { display: inline-block; vertical-align: -0.1em; margin-inline-end: 0.25rem; }
.votes small { font-size: 0.8125rem; color: var(--muted); }

.verdict-banner { border-radius: 8px; background: var(--warnGround); padding: 0.875rem 1.125rem; margin-bottom: 1.5rem; }
.verdict-banner.warning { background: var(--badGround); }
.verdict-banner h2 { color: var(--warn); display: flex; align-items: center; gap: 0.5rem; font-size: 1.0625rem; margin-bottom: 0.375rem; }
.verdict-banner.warning h2 { color: var(--bad); }
.verdict-banner ul { padding-inline-start: 1.125rem; margin-top: 0.5rem; font-size: 0.9375rem; }
.verdict-banner li { overflow-wrap: anywhere; }
.verdict-banner li + li { margin-top: 0.375rem; }
.verdict-banner code { display: block; background: var(--paper); border: 1px solid var(--line); border-radius: 3px; padding: 0.25rem 0.5rem; margin-top: 0.25rem; font-size: 0.8125rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.verdict-mark.notice { color: var(--warn); }
.verdict-mark.warning { color: var(--bad); font-weight: 600; }

.files > h2 { font-size: 1.0625rem; margin-bottom: 0.25rem; }
.tree { list-style: none; padding: 0; margin-top: 0.5rem; font-size: 0.9375rem; }
.tree .tree { margin: 0; padding-inline-start: 1.25rem; }
.tree li { padding-block: 0.1875rem; }
.tree .file { display: flex; justify-content: space-between; gap: 0.75rem; }
.tree .file a { overflow-wrap: anywhere; }
.tree .file span { white-space: nowrap; font-variant-numeric: tabular-nums; }
.tree summary { cursor: pointer; color: var(--muted); }
.masthead .digest { color: var(--muted); font-size: 0.75rem; overflow-wrap: anywhere; margin-top: 0.5rem; }
.source { display: flex; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); font-size: 0.8125rem; line-height: 1.5; }
.source pre { margin: 0; padding-block: 0.75rem; }
.source .line-numbers { padding-inline: 0.75rem; color: var(--muted); text-align: end; user-select: none; border-inline-end: 1px solid var(--line); }
.source .line-numbers span { display: block; }
.source .line-numbers :target { color: var(--accent); font-weight: 700; }
.source .code { flex: 1; min-width: 0; overflow-x: auto; padding-inline: 0.875rem; }
.source :is(.hljs-comment, .hljs-quote, .hljs-meta) { color: var(--muted); }
.source :is(.hljs-keyword, .hljs-built_in, .hljs-literal, .hljs-tag, .hljs-name, .hljs-section) { color: var(--link); }
.source :is(.hljs-string, .hljs-regexp, .hljs-symbol, .hljs-addition) { color: var(--good); }
.source :is(.hljs-number, .hljs-attr, .hljs-attribute, .hljs-variable, .hljs-template-variable) { color: var(--warn); }
.source :is(.hljs-title, .hljs-strong) { font-weight: 600; }
.change { margin-top: 1.5rem; }
.change h2 { font-size: 1rem; overflow-wrap: anywhere; }
.change .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; margin-top: 0.5rem; font-size: 0.8125rem; line-height: 1.5; }
.hunk { margin: 0; min-width: max-content; }
.hunk span { display: block; padding-inline: 0.75rem; }
.hunk .place { color: var(--muted); background: var(--raised); }
.hunk .added { background: var(--goodGround); }
.hunk .removed { background: var(--badGround); }
.versions .changes { grid-column: 1 / -1; font-size: 0.8125rem; }

.frontmatter { font-size: 0.875rem; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); padding: 0.75rem 1rem; margin-bottom: 1.5rem; }
.frontmatter > div { display: contents; }
.frontmatter dd { white-space: pre-wrap; }
.readme { max-width: 48rem; }
.readme > :first-child { margin-top: 0; }
.readme :is(p, ul, ol, blockquote, pre, .scroll) { margin-block: 0 1rem; }
.readme :is(ul, ol) { padding-inline-start: 1.625rem; }
.readme li > :is(p, ul, ol) { margin-bottom: 0.375rem; }
.readme li + li { margin-top: 0.25rem; }
.readme :is(h2, h3, h4, h5, h6) { margin-block: 1.75rem 0.625rem; overflow-wrap: anywhere; }
.readme h2 { font-size: 1.5rem; letter-spacing: -0.01em; }
.readme h3 { font-size: 1.25rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
.readme h4 { font-size: 1.0625rem; }
.readme :is(h5, h6) { font-size: 1rem; color: var(--muted); }
.readme pre { background: var(--raised); border: 1px solid var(--line); border-radius: 4px; padding: 0.75rem 0.875rem; font-size: 0.8125rem; line-height: 1.5; }
.readme :not(pre) > code { background: var(--raised); border-radius: 3px; padding: 0.1em 0.3em; overflow-wrap: anywhere; }
.readme blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line); color: var(--muted); }
.readme .comment { border: 1px dashed var(--edge); border-radius: 8px; color: var(--muted); font-size: 0.9375rem; }
.readme div.comment { padding: 0.5rem 0.75rem; margin-block: 0 1rem; }
.readme span.comment { padding: 0 0.375rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.comment strong { color: var(--ink); }
.readme .comment pre { background: none; border: 0; padding: 0; margin: 0.25rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.readme hr { border: 0; border-top: 1px solid var(--line); margin-block: 1.75rem; }
.readme .scroll { overflow-x: auto; }
.readme table { font-size: 0.9375rem; }
.readme :is(th, td) { border: 1px solid var(--line); padding: 0.3125rem 0.625rem; text-align: start; vertical-align: top; }
.readme th { background: var(--raised); font-weight: 600; }
.reference .readme h3 { font-size: 1rem; border: 0; margin-block: 1.25rem 0.25rem; padding: 0; }
.reference .readme :is(h2, h3):target { background: var(--raised); }
.readme .left { text-align: start; }
.readme .center { text-align: center; }
.readme .right { text-align: end; }
.readme .nowhere { text-decoration: underline dotted; text-underline-offset: 0.18em; }
.readme pre.plain { white-space: pre-wrap; overflow-wrap: anywhere; }

/* On a phone the command stands before the readme and the rest after it, in the order of the source. */
@media (min-width: 60.01rem) {
  .columns.skill { grid-template-rows: auto 1fr; }
  .columns.skill > .text { grid-row: 1 / span 2; grid-column: 1; }
  .columns.skill > :not(.text) { grid-column: 2; }
}
@media (max-width: 40rem) {
  .readme h2 { font-size: 1.3125rem; }
  .readme h3 { font-size: 1.125rem; }
}
`
