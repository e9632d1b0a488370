import type { ComponentChildren, JSX } from 'preact'
import { Page } from '../ui/layout.tsx'

/** Entries of one kind, each at an anchor of its own name. */
export interface ReferenceSection {
  title: string
  about: string
  entries: readonly { name: string; body: ComponentChildren }[]
}

interface ReferenceProps {
  title: string
  description: string
  lede: ComponentChildren
  markdownUrl: string
  sections: readonly ReferenceSection[]
}

/** A page to look things up in. */
export function ReferencePage(props: ReferenceProps): JSX.Element {
  const { title, description, lede, markdownUrl, sections } = props
  return (
    <Page title={title} description={description} markdownUrl={markdownUrl}>
      <div class="stack reference">
        <header>
          <h1>{title}</h1>
          <p class="lede">{lede}</p>
        </header>
        {sections.map((section) => (
          <section key={section.title} aria-label={section.title}>
            <h2>{section.title}</h2>
            <p class="muted">{section.about}</p>
            {section.entries.map(({ name, body }) => (
              <article key={name} id={name}>
                <h3>
                  <a class="mono" href={`#${name}`}>
                    {name}
                  </a>
                </h3>
                {body}
              </article>
            ))}
          </section>
        ))}
      </div>
    </Page>
  )
}
