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

export function ReferencePage({ description, path, canonical, text }: ReferenceProps) {
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
