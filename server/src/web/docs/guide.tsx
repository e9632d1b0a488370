import MarkdownIt from 'markdown-it'
import type { JSX } from 'preact'
import { Page } from '../ui/layout.tsx'

const markdown = new MarkdownIt()

/** Headings get anchors, so that the document can refer to a section. */
markdown.renderer.rules.heading_open = (tokens, at, options, _env, renderer) => {
  const title = tokens[at + 1]?.content ?? ''
  tokens[at]?.attrSet('id', title.toLowerCase().replaceAll(' ', '-'))
  return renderer.renderToken(tokens, at, options)
}

/** What the document says once for all operations, as a page. */
export function guidePage(description: string): JSX.Element {
  // The page's own heading is the h1.
  const html = markdown.render(description.replace(/^# /gm, '## '))
  return (
    <Page
      title="Guide to the API"
      description="Authentication, errors, webhooks and rate limits of Skillpass."
      markdownUrl="/docs/guide.md"
    >
      <div class="stack reference">
        <header>
          <h1>Guide to the API</h1>
        </header>
        <div class="readme" dangerouslySetInnerHTML={{ __html: html }} />
      </div>
    </Page>
  )
}
