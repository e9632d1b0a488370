/** Pages to look things up in: each entry has an anchor. */
export const referenceCss = `
.reference article { padding-block: 0.75rem; border-top: 1px solid var(--line); scroll-margin-top: 1rem; }
.reference article:target { background: var(--raised); box-shadow: -0.75rem 0 var(--raised), 0.75rem 0 var(--raised); }
.reference article h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
.reference article p { margin: 0.25rem 0 0; max-width: 44rem; }
.reference article div + div { margin-top: 0.75rem; }
.reference article ul { margin: 0.25rem 0 0; padding-inline-start: 1.25rem; }
.reference h2 + .muted { margin: 0.25rem 0 0.75rem; }
`
