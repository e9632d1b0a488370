import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commands, groups } from '../../../client-sdk/src/cli/commands/index.ts'
import { systemClock } from '../../../client-sdk/src/transport.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { runSkillpass } from '../../support/commands.ts'
import { example, failure, type Received, type Reply, serve } from './fixture.ts'

const id = example('registry.skills.get').data.id
const digest = createHash('sha256').update('# Hi\n').digest('hex')
const markdown = {
  headers: {
    'content-type': 'text/markdown',
    etag: `"sha256:${digest}"`,
    'skillpass-version': '1',
    'skillpass-id': id,
  },
  body: '# Hi\n',
}

/** Runs the command against a service with these responses. */
async function run(
  args: string[],
  reply: (request: Received, count: number) => Reply = () => ({}),
  variables: Record<string, string> = {},
) {
  const { baseUrl, received } = await serve(reply)
  const env = { SKILLPASS_URL: baseUrl, SKILLPASS_API_KEY: ' skp_key\n', ...variables }
  return { ...(await runSkillpass(args, { env })), received }
}

test('skillpass --help lists the commands, and each has a help text', async () => {
  const { code, out } = await run(['--help'])
  expect(code).toBe(0)
  for (const name of Object.keys(commands)) {
    expect(out).toContain(`  ${name}`)
    const help = (await run([name, '--help'])).out
    expect(help).toContain(`Usage: skillpass ${name} `)
    for (const args of [
      ['help', name],
      ['--help', name],
      [name, '-h'],
    ]) {
      expect(await run(args)).toMatchObject({ code: 0, out: help, err: '' })
    }
  }
  for (const [title, example] of groups) {
    expect(out).toContain(`${title}, for example: skillpass ${example}\n`)
    expect(Object.keys(commands)).toContain(example.split(' ')[0])
  }
  expect((await run([])).code).toBe(2)
  expect(await run(['help'])).toMatchObject({ code: 0, out })
})

test('no line that skillpass prints is wider than 80 columns, except for long words', async () => {
  const folder = await temporaryFolder()
  const findings = example('registry.skills.publish')
  findings.data.fetchUrl = `http://a.test/${'owner'.repeat(8)}/skills/${'slug'.repeat(9)}`
  findings.warnings = [
    { ...findings.warnings[0], message: 'tells its reader to send a file to a host '.repeat(5) },
  ]
  await writeFile(join(folder, 'SKILL.md'), '# Forms\n')
  const refused = { status: 401, body: failure('UNAUTHORIZED', { message: 'No key. '.repeat(20) }) }
  const parsed = { body: example('registry.skills.parse') }
  const narrow = { COLUMNS: '' }
  const commandLines: [string[], Reply?][] = [
    [['--help']],
    ...Object.keys(commands).map((name): [string[]] => [[name, '--help']]),
    [['install']],
    [['verify']],
    [['remove', 'forms']],
    [['fetch', 'a-name-that-is-not-in-the-lock']],
    [['fetch', 'a/name/that/has/too/many/segments/to/be/the/address/of/a/skill/anywhere']],
    [['resolve', 'x', '--bets']],
    [['search', '--sort', 'the number of readers']],
    [['mcp', 'a/b/c']],
    [['publish', '/a/very/long/path/to/nowhere/at/all/which/does/not/exist/on/this/machine']],
    [['add', 'a/b/c', '--to', '/tmp']],
    [['star', id], refused],
    [['star', `https://elsewhere.test/${address}`]],
    [['publish', folder], { ...findings, body: findings }],
  ]
  for (const [args, reply] of commandLines) {
    const { out, err } = await run(
      args,
      ({ url = '' }) => (url.includes('parse') ? parsed : (reply ?? {})),
      narrow,
    )
    const wide = `${out}${err}`.split('\n').filter((line) => line.length > 80)
    expect({ args, wide: wide.filter((line) => line.trim().includes(' ')) }).toEqual({
      args,
      wide: [],
    })
  }
})

test.each([
  [['rename'], 'Unknown command "rename". For help, run "skillpass --help".\n'],
  [['instal'], 'Unknown command "instal". Did you mean install?'],
  [['publish', '.', '--dry-rn'], 'Unknown option "--dry-rn". Did you mean --dry-run?'],
  [['resolve'], 'argument is missing'],
  [['resolve', 'fill', 'a', 'form'], 'Put quotes around text with spaces'],
  [
    ['resolve', 'x', '--best'],
    'Unknown option "--best". For help, run "skillpass resolve --help".\n',
  ],
  [['fetch', 'pdf'], 'OWNER/REPO/SKILL'],
  [['search', '--sort', 'name'], '--sort must be'],
  [['feedback', id, '--task', 'x'], 'either --helpful or --unhelpful'],
  [['feedback', id, '--helpful'], '--task is required'],
  [['answer', id], '--text is required'],
  [['resolve', 'x', '--threshold', 'high'], '--threshold must be a number'],
  [['resolve', 'x', '--fetch', '--threshold', 'high'], '--threshold must be a number'],
  [['star', 'pdf'], '"pdf" is neither OWNER/REPO/SKILL nor a skill in skillpass.lock'],
  [['star', 'a/b'], '"a/b" is not of the form OWNER/REPO/SKILL'],
  [['toString'], 'Unknown command'],
  [['uninstall', 'forms'], 'Unknown command "uninstall". Did you mean remove?'],
  [['help', 'instal'], 'Unknown command "instal". Did you mean install?'],
  [['--josn'], 'Unknown option "--josn". Did you mean --json?'],
  [['--josn', 'list'], 'Unknown option "--josn". Did you mean --json?'],
  [['list', '--json=yes'], "Option '--json' does not take an argument. For help, run"],
  [['fetch', id, '--out'], "Option '--out <value>' argument missing. For help, run"],
  [['fetch', id, '--out', '--x'], "use '--out=-XYZ'. For help, run"],
])('skillpass exits with 2 and one line on the wrong usage %j', async (args, message) => {
  const { code, err, received } = await run(args)
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(message) })
  expect(err.match(/\n/g)).toHaveLength(1)
  const { error } = JSON.parse((await run([...args, '--json'])).err)
  expect(error).toMatchObject({ code: 'usage', message: expect.any(String) })
  expect(JSON.parse((await run(['--json', ...args])).err)).toMatchObject({
    error: { code: 'usage' },
  })
  expect(received).toEqual([])
})

test('skillpass exits with 1 on a failure, and prints the details and the remedy', async () => {
  const details = [
    { in: 'query', path: 'page', message: 'must be at least 1' },
    { in: 'query', path: 'limit', message: 'must be at most 50' },
  ]
  const { code, err } = await run(['search', '--limit', '99'], () => ({
    status: 400,
    headers: { 'x-request-id': 'r-1' },
    body: failure('VALIDATION_ERROR', { details }),
  }))
  expect(code).toBe(1)
  expect(err).toContain('limit: must be at most 50')
  expect(err).toContain('r-1')
  expect(err).not.toContain('    at ')
  const json = await run(['search', '--limit', '99', '--json'], () => ({
    status: 400,
    headers: { 'x-request-id': 'r-1' },
    body: failure('VALIDATION_ERROR', { details }),
  }))
  expect({ code: json.code, out: json.out, ...JSON.parse(json.err) }).toEqual({
    code: 1,
    out: '',
    error: { code: 'VALIDATION_ERROR', message: expect.any(String), details, requestId: 'r-1' },
  })
  const lost = await run(['publish', '/nowhere/at-all', '--json'])
  expect(JSON.parse(lost.err).error).toEqual({
    code: 'failed',
    message: 'Could not open /nowhere/at-all: no such file or folder.',
  })
  const refused = { status: 401, body: failure('UNAUTHORIZED') }
  expect((await run(['star', id], () => refused)).err).toContain(
    'key of SKILLPASS_API_KEY was refused',
  )
})

test('resolve and search list addresses, ids and copies without control characters, or print JSON', async () => {
  const resolution = example('registry.skills.resolve')
  resolution.data[0].skill.description = `red \u001b[31m alert ${'of a long text '.repeat(9)}`
  const resolve = ['resolve', 'fill a form', '--threshold', '0.5']
  const resolved = await run(resolve, () => ({ body: resolution }), { COLUMNS: '80' })
  expect(resolved.out).toContain(' 84 %  report-writer/skills/pdf-form-filler\n')
  expect(resolved.out.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(resolved.out).toContain('a near-copy of form-maker/skills/pdf-forms\n')
  expect(resolved.out).not.toContain('\u001b')
  expect(resolved.received[0]?.url).toContain('threshold=0.5')
  resolution.data[0].copyOf = null
  expect((await run(resolve, () => ({ body: resolution }))).out).not.toContain('copy')
  const page = example('registry.skills.search')
  const json = await run(['search', 'pdf', '--tags', 'a,b', '--json'], () => ({ body: page }))
  expect(JSON.parse(json.out)).toEqual(page)
  expect((await run(['search'], () => ({ body: page }))).out).toContain('report-writer/skills')
})

test('resolve exits with 1 if no skill serves the task, and search prints a sentence', async () => {
  const none = { data: [], total: 0, page: 1, limit: 20, hasMore: false }
  const body = { ...example('registry.skills.resolve'), ...none }
  for (const args of [['x'], ['x', '--fetch']]) {
    expect(await run(['resolve', ...args], () => ({ body }))).toMatchObject({ code: 1, out: '' })
  }
  expect((await run(['search', 'x'], () => ({ body: none }))).out).toBe('No skill matches.\n')
})

test('fetch prints the markdown or writes SKILL.md, and exits with 1 if it cannot make the folder', async () => {
  expect((await run(['fetch', 'a/b/c'], () => markdown)).out).toBe('# Hi\n')
  const folder = await temporaryFolder()
  await run(['fetch', 'a/b/c', '--out', join(folder, 'new')], () => markdown)
  expect(await readFile(join(folder, 'new/SKILL.md'), 'utf8')).toBe('# Hi\n')
  const out = process.platform === 'linux' ? '/proc/x/y' : join(folder, 'new/SKILL.md/y')
  const failed = await run(['fetch', 'a/b/c', '--out', out], () => markdown)
  expect(failed).toMatchObject({ code: 1, err: expect.stringContaining('Could not create') })
})

test('star and feedback send their options, and the output has the singular of a count', async () => {
  for (const [starCount, out] of [
    [1, '1 star\n'],
    [2, '2 stars\n'],
  ] as const) {
    const body = { data: { starred: false, starCount } }
    const starred = await run(['star', id, '--remove'], () => ({ body }))
    expect(starred).toMatchObject({ out, received: [{ method: 'DELETE' }] })
  }
  const options = ['--unhelpful', '--task', 'fill', '--context', 'resolve']
  const body = example('registry.feedback.submit')
  const feedback = await run(['feedback', id, ...options], () => ({ body }))
  expect(feedback.out).toContain('92 % helpful')
  const sent = JSON.parse(feedback.received[0]?.body ?? '')
  expect(sent).toEqual({ task: 'fill', helpful: false, context: 'resolve' })
})

const address = 'acme/skills/forms'
test.each([
  '',
  '.md',
  '.md@1',
  '.md?version=1',
  '/',
  '/?format=md&version=1#top',
  '@1',
  '/files/SKILL.md?version=1',
])(
  'every command that names a skill accepts a copied address with %j behind it',
  async (behind) => {
    const star = `/api/v1/skills/${id}/star`
    for (const [command = '', ...options] of [
      ['fetch'],
      ['verify'],
      ['star', '--remove'],
      ['feedback', '--helpful', '--task', 'fill'],
      ['answer', '--text', 'It is harmless.', '--version', '1'],
    ]) {
      const { baseUrl, received } = await serve(({ method }) =>
        method === 'DELETE' ? { body: example('registry.skills.unstar') } : markdown,
      )
      const env = { SKILLPASS_URL: `${baseUrl}/base/`, SKILLPASS_API_KEY: 'skp_key' }
      for (const start of ['', `${baseUrl}/base/`]) {
        await runSkillpass([command, `${start}${address}${behind}`, ...options], { env })
        const [{ url = '', headers } = {}, next] = received.splice(0)
        expect({ command, url, key: headers?.authorization }).toEqual({
          command,
          url: expect.stringMatching(/^\/base\/acme\/skills\/forms\?format=md(&version=1)?$/),
          key: 'Bearer skp_key',
        })
        if (command === 'star') expect(next?.url).toBe(`/base${star}`)
      }
    }
  },
)

test('the API key is sent only to the registry of SKILLPASS_URL, whatever address a command gets', async () => {
  const other = await serve(() => markdown)
  const fetched = await run(['fetch', `${other.baseUrl}/${address}`])
  expect(fetched).toMatchObject({ code: 0, out: '# Hi\n', received: [] })
  expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined])
  const starred = await run(['star', `${other.baseUrl}/${address}`])
  expect(starred).toMatchObject({ code: 2, received: [] })
  expect(starred.err).toContain(`Run "skillpass login ${other.baseUrl}"`)
  expect(other.received).toHaveLength(1)
})

test('a command that the service rejects before it begins reports the wait and tries again', async () => {
  const slept = vi.spyOn(systemClock, 'sleep').mockResolvedValue()
  onTestFinished(() => slept.mockRestore())
  const busy = {
    status: 503,
    headers: { 'retry-after': '7', 'skillpass-begun': 'no' },
    body: failure('UNAVAILABLE'),
  }
  const starred = { body: example('registry.skills.star') }
  const { code, err, received } = await run(['star', id], (_, count) =>
    count < 5 ? busy : starred,
  )
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining('Waiting 7 s: the registry is temporarily unavailable.\n'),
  })
  expect(received).toHaveLength(5)
})

test('verdicts have a color on a terminal or with FORCE_COLOR, and nothing untrusted has one', async () => {
  const page = example('registry.skills.search')
  page.data[0].verdict = 'warning'
  page.data[0].description = 'red \u001b[31mwarning\u001b[39m words'
  const { baseUrl } = await serve(() => ({ body: page }))
  const colored = '\u001b[31mwarning\u001b[39m: '
  for (const [isScreen, variables, hasColor] of [
    [true, {}, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ] as const) {
    const env = { SKILLPASS_URL: baseUrl, ...variables }
    const screen = { env, isScreen: { print: isScreen, warn: isScreen } }
    const { out } = await runSkillpass(['search'], screen)
    expect({ isScreen, variables, hasColor: out.includes(colored) }).toEqual({
      isScreen,
      variables,
      hasColor,
    })
    expect(out).toContain('red \\x1b[31mwarning\\x1b[39m words')
  }
})

test('a list fits 80 columns also with wide characters, and has ids and whole texts with --long', async () => {
  const page = example('registry.skills.search')
  page.data[0].description = '分析论文'.repeat(60)
  const narrow = { COLUMNS: '80' }
  const { out } = await run(['search'], () => ({ body: page }), narrow)
  const long = (await run(['search', '--long'], () => ({ body: page }), narrow)).out
  for (const line of `${out}${long}`.split('\n')) {
    const wide = line.match(/[分析论文]/g)?.length ?? 0
    expect(line.length + wide).toBeLessThanOrEqual(80)
  }
  expect(out).not.toContain(page.data[0].id)
  expect(long).toContain(page.data[0].id)
  expect(long.match(/分析论文|[分析论文]/g)?.join('')).toHaveLength(240)
})

test('a command that takes over a second shows its progress on stderr, and only on a terminal', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const page = example('registry.skills.search')
  for (const [isScreen, args, shown] of [
    [true, [], 1],
    [true, ['--json'], 0],
    [false, [], 0],
  ] as const) {
    const { baseUrl } = await serve(() => {
      vi.advanceTimersByTime(1000)
      return { body: page }
    })
    const screen = { env: { SKILLPASS_URL: baseUrl }, isScreen: { print: false, warn: isScreen } }
    const { out, err } = await runSkillpass(['search', ...args], screen)
    expect(err.match(/skillpass search …/g) ?? []).toHaveLength(shown)
    expect(err === '' || err.endsWith('\r\u001b[K')).toBe(true)
    expect(out).not.toContain('\u001b')
  }
})

test('options before the command count as those behind it', async () => {
  const body = example('registry.skills.search')
  const { code, out } = await run(['--json', 'search', 'pdf'], () => ({ body }))
  expect({ code, found: JSON.parse(out) }).toEqual({ code: 0, found: body })
  expect(JSON.parse((await run(['--json'])).err)).toMatchObject({ error: { code: 'usage' } })
})

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile('client-sdk/package.json', 'utf8'))
  expect(await run(['--version'])).toMatchObject({ code: 0, out: `${version}\n`, err: '' })
})

test('publish names a missing folder, or a missing SKILL.md, in a sentence', async () => {
  const folder = await temporaryFolder()
  for (const [path, missing] of [
    [join(folder, 'none'), join(folder, 'none')],
    [folder, join(folder, 'SKILL.md')],
  ] as const) {
    const { code, err } = await run(['publish', path])
    const sentence = `Could not open ${missing}: no such file or folder.`
    expect({ code, err }).toEqual({ code: 1, err: `skillpass publish: ${sentence}\n` })
  }
})

test.each([
  ['SKILLPASS_URL', 'skillpass.example', 'must be an http or https address'],
  ['SKILLPASS_API_KEY', 'schlüssel', 'has no API key'],
])('skillpass names an invalid %s', async (name, value, sentence) => {
  const { code, err, received } = await run(['search'], undefined, { [name]: value })
  expect({ code, received }).toEqual({ code: 1, received: [] })
  expect(err).toContain(`${name} ${sentence}`)
})
