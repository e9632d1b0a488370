import { visibleLine } from '@skillpass/contract'
import MarkdownIt, { type Token } from 'markdown-it'
import type { ComponentChildren } from 'preact'
import { copyScript, filterScript } from './assets.ts'
import { type NavLink, NavLinks } from './frame.tsx'
import { Page } from './layout.tsx'

/** Renders markdown of the documentation. */
export const markdown = new MarkdownIt()

const idOf = (title: string) =>
  /[a-z]/.test(title) ? title.toLowerCase().replaceAll(' ', '-') : title

/** Whether a heading consists of code, as that of an entry does. */
const isEntry = (title?: Token) =>
  title?.children?.length === 1 && title.children[0]?.type === 'code_inline'

// Headings are anchors, and entries link to themselves.
markdown.renderer.rules.heading_open = (tokens, at, options, _env, renderer) => {
  const title = tokens[at + 1]
  const id = idOf((title?.children ?? []).map(({ content }) => content).join(''))
  tokens[at]?.attrSet('id', id)
  return renderer.renderToken(tokens, at, options) + (isEntry(title) ? `<a href="#${id}">` : '')
}
markdown.renderer.rules.heading_close = (tokens, at, options, _env, renderer) =>
  (isEntry(tokens[at - 1]) ? '</a>' : '') + renderer.renderToken(tokens, at, options)

// A cell that begins with code is an anchor. The first cell of a row is its heading.
markdown.renderer.rules.td_open = (tokens, at, options, _env, renderer) => {
  const [cell, code] = [tokens[at], tokens[at + 1]?.children?.[0]]
  if (cell && tokens[at - 1]?.type === 'tr_open') {
    cell.tag = 'th'
    cell.attrSet('scope', 'row')
  }
  if (code?.type === 'code_inline' && /^[\w:]+$/.test(code.content)) {
    cell?.attrSet('id', code.content)
  }
  return renderer.renderToken(tokens, at, options)
}
markdown.renderer.rules.td_close = (tokens, at, options, _env, renderer) => {
  const [open, close] = [tokens[at - 2], tokens[at]]
  if (open && close) close.tag = open.tag
  return renderer.renderToken(tokens, at, options)
}

// A command has a copy button. An output scrolls, so the keyboard must reach it.
markdown.renderer.rules.fence = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {}
  const code = `<pre tabindex="0"><code>${markdown.utils.escapeHtml(content.trimEnd())}</code></pre>\n`
  return info === 'text' ? code : `<div class="command">${code}</div>`
}

interface ReferenceProps {
  description: string
  path: string
  canonical?: string
  /** Label of a box that filters the rows of the tables. */
  filter?: string | undefined
  /** Markdown that begins with the page's title. */
  text: string
  /** Content beside the text. */
  children?: ComponentChildren
}

function ReferencePage({ filter, text, children, ...page }: ReferenceProps) {
  const [, title = '', rest = ''] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? []
  return (
    <Page
      {...page}
      title={title}
      markdownUrl={`${page.path}.md`}
      scripts={[copyScript.url, ...(filter ? [filterScript.url] : [])]}
    >
      <DocsNav />
      <div class="reference">
        <header class="section-head">
          <h1>{title}</h1>
          {filter && <Filter label={filter} />}
        </header>
        <div class={children ? 'columns' : ''}>
          <div class="readme" dangerouslySetInnerHTML={{ __html: markdown.render(rest) }} />
          {children}
        </div>
      </div>
    </Page>
  )
}

/** A box that `assets/filter.js` shows and that filters the rows of the page. */
export const Filter = ({ label }: { label: string }) => (
  <search class="search filter" hidden>
    <label for="filter">{label}</label>
    <input id="filter" type="search" autocomplete="off" />
    <p class="hint" role="status" />
  </search>
)

const documents: readonly NavLink[] = [
  { label: 'API', path: '/docs' },
  { label: 'Guide', path: '/docs/guide' },
  { label: 'Publish a skill', path: '/docs/publish', of: 'registry' },
  { label: 'MCP', path: '/docs/mcp' },
  { label: 'Testing', path: '/docs/testing' },
  { label: 'Error codes', path: '/docs/errors' },
  { label: 'Scopes', path: '/docs/scopes' },
  { label: 'Lint rules', path: '/docs/lint', of: 'registry' },
]

/** Links to all pages of the documentation that this process serves. */
export const DocsNav = () => (
  <div class="tabs documents">
    <NavLinks label="Documentation" links={documents} />
  </div>
)

/** Representations of a reference text. */
export const reference = (props: ReferenceProps) => ({
  page: () => <ReferencePage {...props} />,
  markdown: () => linkMarkdown(props.text),
})

/** Escapes untrusted text for use within a line of markdown. */
export const inline = (text: string): string =>
  visibleLine(text)
    .trim()
    .replace(/[\\`*_[\]<>&~|]/g, '\\$&')

export const fullStop = (text: string): string => `${inline(text)}${/[.?!]$/.test(text) ? '' : '.'}`

/** A markdown link with untrusted text. */
export const link = (text: string, url: string): string =>
  `[${inline(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`

/** Turns links to documents into links to their markdown. */
export const linkMarkdown = (text: string): string =>
  text.replace(/\]\([^)#]*\/docs\b(\/[\w/-]+)?/g, '$&.md')

/** Joins markdown blocks with empty lines, skipping absent ones. */
export const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`

/** A markdown table. A cell that begins with code is an anchor of the page. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
