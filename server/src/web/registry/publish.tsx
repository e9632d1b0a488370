import type { Config } from '../../runtime/config/config.ts'
import { readDocsText } from '../ui/assets.ts'
import { reference } from '../ui/markdown.tsx'
import { Command, Section } from '../ui/parts.tsx'
import { About, Tags, TrustGlance } from './skill-list.tsx'

const counts = { starCount: 0, importedStars: 0, downloadCount: 0 }

/** The skill of the page's commands. */
const sample = {
  slug: 'read-invoices',
  description: 'Reads invoices. Use to find the amount and the due date of a bill.',
  repo: { id: '', owner: 'my-agent', name: 'skills', visibility: 'public' as const, ...counts },
}

/** `/docs/publish`: from a folder to a published skill, and what its page shows. */
export const publishRepresentations = (config: Config) =>
  reference({
    path: '/docs/publish',
    description: 'From a folder to a published skill in four commands.',
    canonical: `${config.baseUrl}/docs/publish`,
    text: readDocsText('publish.md', config),
    children: (
      <Section id="result" title="What its page shows" class="result">
        <div class="card">
          <h3>{sample.slug}</h3>
          <About skill={sample} />
          <Tags tags={['invoices', 'accounting']} />
          <ul class="glance">
            <li>
              <TrustGlance trust={{ trustScore: 0, feedbackCount: 0 }} />
            </li>
            <li>Version 1, clean</li>
          </ul>
          <Command text={`npx skills add ${config.baseUrl}/my-agent/skills/${sample.slug}`} />
        </div>
      </Section>
    ),
  })
