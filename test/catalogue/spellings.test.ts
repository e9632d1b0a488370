import { describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { publish, serverForTest } from '../support/skills.ts'

/** Tasks in two spellings: a compound as one word, and as two. */
const spellings = [
  ['convert timezones', 'convert time zones'],
  ['write a postmortem', 'write a post-mortem'],
  ['login to a site', 'log in to a site'],
  ['design the frontend', 'design the front end'],
  ['restore backups', 'restore a back-up'],
  ['review a pullrequest', 'review pull requests'],
  ['format a spreadsheet', 'format a spread-sheet'],
  ['audit my websites', 'audit my web site'],
  ['tune a database', 'tune data bases'],
  ['setup a linter', 'set up a linter'],
  ['send an email', 'send an e-mail'],
  ['explore a codebase', 'explore a code base'],
  ['draw workflows', 'draw a work flow'],
  ['keep a changelog', 'keep a change log'],
  ['plan a roadmap', 'plan a road map'],
  ['staff the oncall rotation', 'staff the on-call rotation'],
  ['announce downtime', 'announce down-time'],
  ['debug the wifi', 'debug the wi-fi'],
  ['read xray images', 'read x-ray images'],
  ['refactoring of modules', 're-factoring of modules'],
  ['sort a todo', 'sort a to-do'],
  ['detect utf8', 'detect utf-8'],
  ['decode base64', 'decode base 64'],
  ['configure OAuth2', 'configure OAuth 2'],
  ['build a nocode prototype', 'build a no-code prototype'],
  ['promote a standby replica', 'promote a stand-by replica'],
  ['bill a passthrough', 'bill a pass-through'],
  ['place a bypass valve', 'place a by-pass valve'],
  ['render 3d models', 'render 3-D models'],
  ['reuse components', 're-use components'],
] as const

describe.each([
  ['one word', 'two words', (pair: readonly [string, string]) => pair],
  ['two words', 'one word', ([one, two]: readonly [string, string]) => [two, one] as const],
])('a compound that skills write as %s and people as %s', async (_, __, order) => {
  const server = await startTestServer()
  const author = await server.agent('author')
  const pairs = spellings.map(order)
  for (const [written] of pairs) {
    const slug = written.toLowerCase().replace(/[^a-z\d]+/g, '-')
    const readme = `# How to ${written}\n\nFollow these steps to ${written}.\n`
    await publish(author, { slug, description: `Use to ${written}.`, readme })
  }
  const { skills } = server.client.registry

  test.each(pairs)('the skill "%s" is the best hit for "%s"', async (written, asked) => {
    const slug = written.toLowerCase().replace(/[^a-z\d]+/g, '-')
    const same = await skills.resolve({ query: { task: written } })
    const { data } = await skills.resolve({ query: { task: asked } })
    expect(data[0]?.skill.slug).toBe(slug)
    expect(data[0]?.confidence).toBeGreaterThan(0.6)
    expect(data[0]?.explanation.missing).toEqual([])
    const tokens = data[0]?.explanation.tokens.map(({ token }) => token) ?? []
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(same.data[0]?.skill.slug).toBe(slug)
    for (const q of [asked, asked.toUpperCase()]) {
      const found = await skills.search({ query: { q } })
      expect(found.data[0]?.slug, q).toBe(slug)
    }
    const shouted = await skills.resolve({ query: { task: asked.toUpperCase() } })
    expect(shouted.data[0]?.skill.slug).toBe(slug)
  })
})

test.each([
  ['wie konvertiere ich die Zeitzone für eine Liste von Daten', 'konvertiere zeitzone liste daten'],
  ['Kannst du mir bitte zeigen, wie man mit Python und Excel', 'zeigen man python excel'],
  [
    'Ich möchte jedes dieser PDFs, über die man jetzt sonst nichts weiß, währenddessen füllen',
    'man pdfs weiß währenddessen füllen',
  ],
  ['comment convertir les fuseaux dans une liste', 'convertir fuseaux liste'],
  ['cómo convertir las zonas del calendario para una lista', 'convertir zonas calendario lista'],
])('function words of other languages count nothing in "%s"', async (task, counted) => {
  const server = await serverForTest()
  const { tokenWeights } = await server.client.registry.skills.resolve({ query: { task } })
  expect(Object.keys(tokenWeights).sort()).toEqual(counted.split(' ').sort())
})
