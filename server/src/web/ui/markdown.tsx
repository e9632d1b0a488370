import { visibleLine } from '@skillpass/contract'
import MarkdownIt, { type Token } from 'markdown-it'
import { Page } from './layout.tsx'

const markdown = new MarkdownIt()

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

// Long lines scroll, so the keyboard must reach them.
markdown.renderer.rules.fence = (tokens, at) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(tokens[at]?.content ?? '')}</code></pre>\n`

interface ReferenceProps {
  description: string
  path: string
  canonical?: string
  /** Markdown that begins with the page's title. */
  text: string
}

function ReferencePage({ description, path, canonical, text }: ReferenceProps) {
  const [, title = '', rest = ''] = /^# ([^\n]*)\n(.*)$/s.exec(text) ?? []
  return (
    <Page title={title} description={description} markdownUrl={`${path}.md`} canonical={canonical}>
      <div class="stack reference">
        <header>
          <h1>{title}</h1>
        </header>
        <div class="readme" dangerouslySetInnerHTML={{ __html: markdown.render(rest) }} />
      </div>
    </Page>
  )
}

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
  text.replace(/\]\([^)#]*\/docs\/[\w/-]+/g, '$&.md')

/** Joins markdown blocks with empty lines, skipping absent ones. */
export const blocks = (...parts: readonly (string | false | undefined)[]): string =>
  `${parts.filter((part) => part).join('\n\n')}\n`
