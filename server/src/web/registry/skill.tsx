import type { RegistryContext } from '../../catalogue/catalogue.ts'
import type { SkillAddress } from '../../catalogue/require-skill.ts'
import { listFiles } from '../../skills/files.ts'
import { serializeDetail, serializeManifest, serializeVersions } from '../../skills/serialize.ts'
import { getSkillByAddress, listVersions } from '../../skills/skills.ts'
import { isInstallableSlug } from '../../text/skill-file/complete.ts'
import { serializeFeedback, summarizeFeedback } from '../../votes/feedback.ts'
import { FileTree } from '../files/file-tree.tsx'
import { type RenderedReadme, renderReadme } from '../readme/render.ts'
import { copyScript } from '../ui/assets.ts'
import { Page } from '../ui/layout.tsx'
import { Command, CountItem, Facts, percent, Section, shellQuote, Time } from '../ui/parts.tsx'
import { addressOf, type Detail, ownerPath, repositoryPath, skillPath } from './data.ts'
import { CopyOf, Tags, TrustGlance } from './skill-list.tsx'
import { FeedbackPanel, SourcePanel, TrustPanel, VersionsPanel } from './skill-panels.tsx'
import { VerdictBanner } from './verdict.tsx'

export async function skillPage(ctx: RegistryContext, params: SkillAddress) {
  const { baseUrl } = ctx.config
  const skill = serializeDetail(ctx, await getSkillByAddress(ctx, params))
  const versions = serializeVersions(await listVersions(ctx, skill.id)).data
  const feedback = serializeFeedback(await summarizeFeedback(ctx, skill.id))
  const current = versions.find(({ version }) => version === skill.version)
  const files = current?.fileCount ? await listFiles(ctx, skill.id, undefined) : undefined
  const readme = await renderReadme(skill.readme, skill.digest)
  const address = addressOf(skill)
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
          {files && <FileTree at={skillPath(skill)} manifest={serializeManifest(ctx, files)} />}
          <Readme {...readme} />
        </div>
        <aside class="stack" aria-label="About this skill">
          <TrustPanel skill={skill} />
          <SourcePanel skill={skill} />
          <VersionsPanel skill={skill} versions={versions} />
          <FeedbackPanel {...feedback} />
          <p>
            <a href={`${skillPath(skill)}/report`}>Report this skill</a>
          </p>
        </aside>
      </div>
    </Page>
  )
}

const Masthead = ({ skill }: { skill: Detail }) => (
  <header class="masthead">
    <nav class="crumbs mono" aria-label="Address">
      <ol>
        <li>
          <a href={ownerPath(skill.repo.owner)}>{skill.repo.owner}</a>
        </li>
        <li>
          <a href={repositoryPath(skill.repo)}>{skill.repo.name}</a>
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
      <CountItem icon="star" value={skill.repo.starCount} one="star" />
      <li>
        <a href={skill.fetchUrl}>Markdown</a>
      </li>
    </ul>
  </header>
)

const InstallPanel = ({ skill, baseUrl }: { skill: Detail; baseUrl: string }) => (
  <Section id="use" title="Install" class="panel">
    {isInstallableSlug(skill.slug) ? (
      <Command text={`npx skills add ${baseUrl}${skillPath(skill)}`} />
    ) : (
      <p class="hint">
        <code>npx skills</code> accepts only slugs of up to 64 characters from a-z, 0-9 and single
        inner hyphens. Fetch this skill instead.
      </p>
    )}
    <p class="hint">The markdown only:</p>
    <Command text={`curl -fsSL ${shellQuote(skill.fetchUrl)} -o SKILL.md`} />
    <p class="hint">With the command line, in a clone of Skillpass:</p>
    <Command text={`SKILLPASS_URL=${baseUrl} npx skillpass add ${addressOf(skill)}`} />
  </Section>
)

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
