import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { runSkillpass } from '../support/commands.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('tester')
await publish(agent, { slug: 'bread', description: 'Bakes bread. Use to bake bread or rolls.' })

const env = { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: agent.apiKey }
const run = (args: string[], variables = {}) =>
  runSkillpass(['test', ...args], { env: { ...env, ...variables } })

const descriptions = {
  tides: 'Reads tide tables. Use to find when a boat can enter a harbour.',
  nets: 'Mends fishing nets. Use to mend a torn net.',
}
type Slug = keyof typeof descriptions
const skillFile = (slug: Slug) =>
  `---\nname: ${slug}\ndescription: ${descriptions[slug]}\n---\n# T\n`

/** Creates a repository with both skills and these eval files. */
async function repositoryOf(files: Record<string, unknown>) {
  const folder = await temporaryFolder()
  const skills = ['tides', 'nets'] as const
  await writeFiles(folder, {
    ...Object.fromEntries(skills.map((slug) => [`skills/${slug}/SKILL.md`, skillFile(slug)])),
    ...Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]),
    ),
  })
  return folder
}

interface Shown {
  prompt: string
  passed: boolean
  expected: string[]
}

/** Runs the test of a folder and returns each prompt, the skills that it should lead to, and whether it passed. */
async function outcomesOf(folder: string, ...options: string[]) {
  const { out, code } = await run([folder, '--json', ...options])
  const { outcomes, failed } = JSON.parse(out)
  expect(code).toBe(failed === 0 ? 0 : 1)
  return outcomes.map(({ prompt, passed, expected }: Shown) => [prompt, expected, passed])
}

const [tide, net, bread] = ['when can a boat enter the harbour', 'mend a torn net', 'bake bread']

test.each([
  [
    'a list of queries',
    {
      skill_name: 'tides',
      queries: [
        { query: tide, should_trigger: true },
        { query: bread, should_trigger: false },
      ],
    },
  ],
  ['two lists', { skill_name: 'tides', should_trigger: [tide], should_not_trigger: [bread] }],
  [
    'lists for each skill',
    { skills: [{ name: 'tides', should_trigger: [tide], should_not_trigger: [bread] }] },
  ],
  [
    'a kind of prompt',
    {
      skill_name: 'tides',
      evals: [{ prompt: tide }, { prompt: bread, prompt_type: 'anti_trigger' }],
    },
  ],
  [
    'a category',
    {
      skill_name: 'tides',
      evals: [
        { prompt: tide, category: 'anti-pattern' },
        { prompt: bread, category: 'non-trigger' },
      ],
    },
  ],
  [
    'an expected skill',
    {
      cases: [
        { prompt: tide, expected: 'tides' },
        { prompt: bread, expected: 'none' },
      ],
    },
  ],
  [
    'expected skills',
    [
      { prompt: tide, expected_skills: ['tides'], forbidden_skills: [] },
      { prompt: bread, expected_skills: [], forbidden_skills: ['tides'] },
    ],
  ],
  [
    'acceptable skills',
    [
      { prompt: tide, expected_skill: 'other', acceptable_skills: ['sea:tides'] },
      { prompt: bread, expect: [] },
    ],
  ],
  [
    'relevant skills',
    {
      cases: [
        { prompt: tide, relevant_skills: ['tides'] },
        { prompt: bread, relevant_skills: [] },
      ],
    },
  ],
])('test reads prompts and what they should lead to from an eval file with %s', async (_, file) => {
  const folder = await repositoryOf({ 'evals/routing.json': file })
  expect(await outcomesOf(folder)).toEqual([
    [tide, ['tides'], true],
    [bread, [], true],
  ])
})

test('test exits with 1 if a prompt leads elsewhere, prints why, and writes JUnit XML', async () => {
  const folder = await repositoryOf({
    'skills/tides/evals/evals.json': { evals: [{ prompt: tide }, { prompt: net }] },
    'skills/nets/evals/trigger-evals.json': [{ query: `${net} <now>`, should_trigger: false }],
  })
  const junit = join(folder, 'junit.xml')
  const { code, out, err } = await run([folder, '--junit', junit], { COLUMNS: '80' })
  expect({ code, err }).toEqual({ code: 1, err: 'skillpass test: 2 of 3 prompts failed.\n' })
  expect(out).toMatch(
    /^failed +1 +\d+ % {2}mend a torn net <now>\n +leads to nets, and should not$/m,
  )
  expect(out).toMatch(/^passed +1 +\d+ % {2}when can a boat enter the harbour$/m)
  expect(out).toMatch(/^failed +- +- {2}mend a torn net\n +should lead to tides, not to nets$/m)
  const xml = await readFile(junit, 'utf8')
  expect(xml).toContain('tests="3" failures="2"')
  expect(xml).toContain('name="mend a torn net &#60;now&#62;"')
  expect(xml).toContain('<failure message="should lead to tides, not to nets"/>')
  expect(xml.match(/<testcase /g)).toHaveLength(3)
})

test('a folder is tested in place of its published version, which --published tests', async () => {
  await publish(agent, { slug: 'nets', description: descriptions.nets, readme: skillFile('nets') })
  const folder = await repositoryOf({})
  const nets = join(folder, 'skills/nets')
  await writeFiles(nets, {
    'SKILL.md': skillFile('nets').replace(descriptions.nets, 'Knits woollen socks. Use to knit.'),
    'mine.json': JSON.stringify([{ prompt: net }, { prompt: 'knit socks' }]),
  })
  const evals = ['--evals', join(nets, 'mine.json')]
  expect(await outcomesOf(nets, ...evals)).toEqual([
    [net, ['nets'], false],
    ['knit socks', ['nets'], true],
  ])
  expect(await outcomesOf(nets, ...evals, '--published')).toEqual([
    [net, ['nets'], true],
    ['knit socks', ['nets'], false],
  ])
  const { out } = await run([nets, ...evals, '--owner', 'somebody'])
  expect(out).toContain('should lead to nets, not to tester-1/skills/nets')
})

test('a test changes no rank, no count and no skill of the registry', async () => {
  const { resolve, search, stats } = server.client.registry.skills
  const [{ id } = { id: '' }] = (await search({ query: { q: 'bread' } })).data
  const state = async () =>
    JSON.stringify([
      await resolve({ query: { task: bread } }),
      await search({ query: {} }),
      await stats({ params: { id } }),
    ])
  const before = await state()
  const folder = await repositoryOf({ 'evals/evals.json': [{ prompt: bread }, { prompt: tide }] })
  await run([folder, '--threshold', '0'])
  expect(await state()).toBe(before)
})

test('test names a folder without skills or prompts, and a file that is not JSON', async () => {
  const empty = await temporaryFolder()
  expect(await run([empty])).toMatchObject({ code: 1, err: expect.stringContaining('no SKILL.md') })
  const folder = await repositoryOf({})
  expect((await run([folder])).err).toContain('has no prompts. Write them to evals/')
  await writeFiles(folder, { 'evals/evals.json': '{' })
  expect((await run([folder])).err).toContain('evals.json is not JSON')
  await writeFile(join(folder, 'evals/evals.json'), '[{"prompt":"x"}]')
  expect((await run([folder, '--top', '51'])).code).toBe(1)
  expect((await run([folder, '--top', 'all'])).code).toBe(2)
})
