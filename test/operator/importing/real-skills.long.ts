import { readSkills } from '@skillpass/server/internal/operator/importing/read'
import {
  installableMarkdown,
  readInstalledFields,
} from '@skillpass/server/internal/text/skill-file/complete'
import { describe, expect, test } from 'vitest'
import { realSkillsMissing, skillsFile } from '../../support/corpus.ts'
import { lintSkill } from '../../support/lint.ts'

/** Reads every skill of the corpus. */
async function* importedSkills() {
  for await (const item of readSkills([skillsFile])) {
    if (item.kind === 'refused') throw new Error(`${item.source} ${item.rule}`)
    yield item
  }
}

describe.skipIf(realSkillsMissing)(`real skills (${realSkillsMissing ?? skillsFile})`, () => {
  test('the memory of an import does not grow with the number of skills', async () => {
    const before = process.memoryUsage().rss
    let largest = before
    let count = 0
    for await (const _ of importedSkills()) {
      if (++count % 1000 === 0) largest = Math.max(largest, process.memoryUsage().rss)
    }
    expect((largest - before) / 2 ** 20).toBeLessThan(400)
  })

  test('the import refuses no real skill, respects the limits, and warns about known problems', async () => {
    const addresses = new Set<string>()
    const warned = new Map<string, number>()
    for await (const { skill, source, warnings } of importedSkills()) {
      const { owner, repo, slug, description, tags, name } = skill
      addresses.add(`${owner}/${repo}/${slug}`.toLowerCase())
      for (const { rule } of warnings) warned.set(rule, (warned.get(rule) ?? 0) + 1)
      if (!/^[a-z0-9-]{1,100}$/.test(slug) || description.length > 500) expect.fail(source)
      if (name.length > 100 || tags.length > 20) expect.fail(source)
    }
    expect(addresses.size).toBe(11_970)
    expect(Object.fromEntries(warned)).toEqual({
      'description-cut': 1670,
      'slug-changed': 63,
      'too-many-tags': 47,
      'tag-too-long': 2,
      'hidden-removed': 1,
    })
  })

  test('every real skill is served with installable frontmatter and its text', async () => {
    for await (const { skill } of importedSkills()) {
      const text = installableMarkdown(skill)
      const fields = readInstalledFields(text)
      expect(fields?.name).toBe(skill.slug)
      expect(fields?.description.length).toBeLessThanOrEqual(1024)
      expect(fields?.description.trim()).not.toBe('')
      expect(text).toContain(skill.readme.trim().slice(-60))
    }
  })

  test('each lint rule reports at most its expected share of real skills', async () => {
    const counts = new Map<string, number>()
    let skills = 0
    for await (const { skill } of importedSkills()) {
      skills += 1
      const names = new Set(lintSkill(skill).map(({ rule }) => rule))
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    const rate = (rule: string) => (counts.get(rule) ?? 0) / skills
    expect(rate('secret')).toBeLessThan(0.002)
    expect(rate('hidden-unicode')).toBeLessThan(0.003)
    expect(rate('pipe-to-shell')).toBeLessThan(0.02)
    expect(rate('description-no-trigger')).toBeLessThan(0.15)
  })
})
