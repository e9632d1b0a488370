import type { RenderedReadme } from './render.ts'

/** The readme of a skill, its frontmatter as a table before it. */
export function Readme({ frontmatter, html, text }: RenderedReadme) {
  return (
    <section id="readme" aria-label="Readme">
      {frontmatter.length > 0 && (
        <dl class="facts frontmatter">
          {frontmatter.map(([key, value]) => (
            <div key={key}>
              <dt class="mono">{key}</dt>
              <dd dir="auto">{value || '—'}</dd>
            </div>
          ))}
        </dl>
      )}
      {html === null ? (
        <div class="readme">
          <p class="notice">
            This readme is too large or complex to format. This is its plain text.
          </p>
          <pre class="plain">{text}</pre>
        </div>
      ) : html.trim() === '' ? (
        <p class="muted">This skill has no readme yet.</p>
      ) : (
        <div class="readme" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      )}
    </section>
  )
}
