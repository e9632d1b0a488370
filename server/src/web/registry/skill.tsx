import type { RegistryContext } from '../../discovery/context.ts'
import { listFiles } from '../../skills/files.ts'
import { serializeManifest } from '../../skills/serialize/files.ts'
import { serializeDetail, serializeVersions } from '../../skills/serialize/skills.ts'
import { getSkillByAddress, listVersions } from '../../skills/skills.ts'
import { summarizeFeedback } from '../../trust/feedback.ts'
import { serializeFeedback } from '../../trust/serialize/feedback.ts'
import { FileTree } from '../files/file-tree.tsx'
import { type RenderedReadme, renderReadme } from '../readme/render.ts'
import { copyScript } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'
import { CountItem, Facts, percent, Time } from '../ui/parts.tsx'
import { InstallPanel } from './install.tsx'
import { ownerPath, repositoryPath, skillPath } from './paths.ts'
import type { Detail } from './registry-data.ts'
import { CopyOf, Tags } from './skill-list.tsx'
import { FeedbackPanel, SourcePanel, TrustPanel, VersionsPanel } from './skill-panels.tsx'
import { TrustGlance } from './trust.tsx'
import { VerdictBanner } from './verdict.tsx'

export async function skillPage(
  ctx: RegistryContext,
  params: { owner: string; repo: string; skill: string },
) {
  const { baseUrl } = ctx.config
  const skill = serializeDetail(ctx, await getSkillByAddress(ctx, params))
  const versions = serializeVersions(await listVersions(ctx, skill.id)).data
  const feedback = serializeFeedback(await summarizeFeedback(ctx, skill.id))
  const hasFiles = versions.some(
    ({ version, fileCount }) => version === skill.version && fileCount > 0,
  )
  const manifest = hasFiles && serializeManifest(ctx, await listFiles(ctx, skill.id, undefined))
  const readme = await renderReadme(skill.readme, skill.digest)
  const address = `${skill.repo.owner}/${skill.repo.name}/${skill.slug}`
  return (
    <Page
      title={`${skill.name} (${address})`}
      description={skill.description || `The skill ${address}, as markdown for agents.`}
      canonical={`${baseUrl}${skillPath(skill)}`}
      markdownUrl={skill.fetchUrl}
      scripts={[copyScript.url]}
    >
      <Masthead skill={skill} />
      <VerdictBanner skill={skill} />
      <div class="columns skill">
        <InstallPanel skill={skill} baseUrl={baseUrl} />
        <div class="text stack">
          {manifest && <FileTree at={skillPath(skill)} manifest={manifest} />}
          <Readme {...readme} />
        </div>
        <aside class="stack" aria-label="About this skill">
          <TrustPanel skill={skill} />
          <SourcePanel skill={skill} />
          <VersionsPanel skill={skill} versions={versions} />
          <FeedbackPanel feedback={feedback} />
        </aside>
      </div>
    </Page>
  )
}

function Masthead({ skill }: { skill: Detail }) {
  const { repo } = skill
  return (
    <header class="masthead">
      <nav class="crumbs mono" aria-label="Address">
        <ol>
          <li>
            <a href={ownerPath(repo.owner)}>{repo.owner}</a>
          </li>
          <li>
            <a href={repositoryPath(repo)}>{repo.name}</a>
          </li>
          <li aria-current="page">{skill.slug}</li>
        </ol>
      </nav>
      <h1 dir="auto">{skill.name}</h1>
      {skill.description && (
        <p class="lede" dir="auto">
          {skill.description}
        </p>
      )}
      <CopyOf original={skill.copyOf} />
      <Tags tags={skill.tags} />
      <ul class="glance">
        <li>
          <span>
            <a href="#versions">Version {skill.version}</a>, <Time at={skill.updatedAt} />
          </span>
        </li>
        <li>
          <TrustGlance trust={skill} />
        </li>
        {skill.helpfulRate !== null && (
          <li>
            <strong>{percent(skill.helpfulRate)}</strong> helpful
          </li>
        )}
        <CountItem icon="fetch" value={skill.fetchCount} one="fetch" many="fetches" />
        <CountItem icon="star" value={repo.starCount} one="star" />
        <li>
          <a href={skill.fetchUrl}>Markdown</a>
        </li>
      </ul>
    </header>
  )
}

/** The readme of a skill, below its frontmatter as a table. */
const Readme = ({ frontmatter, html, text }: RenderedReadme) => (
  <section id="readme" aria-label="Readme">
    {frontmatter.length > 0 && (
      <Facts
        class="facts frontmatter"
        facts={frontmatter.map(([key, value]) => [key, value || '—'])}
      />
    )}
    {html === null ? (
      <div class="readme">
        <p class="notice">This readme is too large or complex to format. This is its plain text.</p>
        <pre class="plain">{text}</pre>
      </div>
    ) : html.trim() === '' ? (
      <p class="muted">This skill has no readme yet.</p>
    ) : (
      <div class="readme" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
    )}
  </section>
)
