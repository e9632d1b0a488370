import { SkillsIndex } from '@skillpass/contract'
import { catchUp } from '@skillpass/server/registry/catalogue/change-feed'
import { isInstallableSlug } from '@skillpass/server/registry/frontmatter/complete'
import { importSkills } from '@skillpass/server/registry/import/import'
import { readSkills as readImported } from '@skillpass/server/registry/import/read'
import { describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { sha256 } from '../support/bundles.ts'
import { corpusMissing, readSkills } from '../support/corpus.ts'
import { reportFigure } from '../support/rounds.ts'
import { startTestServer } from '../support/server.ts'
import { writeJsonl } from '../support/skills.ts'

/** Lines of front matter that no YAML parser takes, and some that all take. */
const lines = [
  'license: MIT',
  'author: @somebody',
  'note: first: second',
  'note: "never closed',
  "note: 'never closed",
  'tools: [Read, Write',
  'tools: {Read: yes',
  'license: MIT\nlicense: ISC',
  'metadata:\n  a: 1\n  a: 2',
  'metadata:\n\t- tab',
  'version: !semver 1.0',
  'see: *nothing',
  'run: `ls`',
  'share: %half',
  'a line of prose',
  '...\nmore: text',
]

/** What `npx skills` takes for front matter. */
const frontmatter = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/

/** Runs a task for each item, a few at a time. */
async function eachOf<T>(items: Iterable<T>, task: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  const work = async () => {
    for (let next = left.next(); !next.done; next = left.next()) await task(next.value)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}

const missing = corpusMissing()

describe.skipIf(missing !== undefined)(`real skills (${missing ?? 'all of them'})`, () => {
  test('what installers get of every real skill, whatever is broken in its front matter, parses without an error', async () => {
    const server = await startTestServer()
    const written = readSkills().map(({ id, name, description, readme, ...fields }, at) => {
      const text = description.replace(/\s+/g, ' ')
      const head = `---\nname: ${name}\ndescription: ${text}\n${lines[at % lines.length]}\n---\n`
      return { ...fields, name, description, readme: head + readme }
    })
    const file = await writeJsonl(written)
    await importSkills(server.ctx, [file], { as: 'importer' })
    await catchUp(server.ctx)
    const counts = { installed: 0, repaired: 0, replaced: 0, refused: 0 }
    const broken: string[] = []
    const items = []
    for await (const item of readImported([file])) if (item.kind === 'skill') items.push(item.skill)
    await eachOf(items, async ({ owner, repo, slug, readme }) => {
      const index = await server.http(
        `/${owner}/${repo}/${slug}/.well-known/agent-skills/index.json`,
      )
      if (!isInstallableSlug(slug)) {
        expect(index.status).toBe(404)
        counts.refused++
        return
      }
      const [entry] = SkillsIndex.parse(await index.json()).skills
      const bytes = Buffer.from(await (await server.http(entry?.url ?? '')).arrayBuffer())
      const text = bytes.toString()
      const doc = parseDocument(frontmatter.exec(text)?.[1] ?? '')
      const { name, description } = doc.toJS() ?? {}
      const isSound =
        doc.errors.length + doc.warnings.length === 0 &&
        name === slug &&
        typeof description === 'string' &&
        description.trim() !== '' &&
        description.length <= 1024 &&
        entry?.digest === `sha256:${sha256(bytes)}`
      if (!isSound) broken.push(`${owner}/${repo}/${slug}`)
      counts.installed++
      if (text.endsWith(readme) && text !== readme) counts.replaced++
      else if (text !== readme) counts.repaired++
    })
    const { installed, repaired, replaced, refused } = counts
    reportFigure(
      `${installed} real skills handed out without an error: ${repaired} repaired, ${replaced} with new front matter above the old; ${refused} with a slug that installers refuse`,
    )
    expect(broken).toEqual([])
    expect(installed + refused).toBe(11_970)
  })
})
