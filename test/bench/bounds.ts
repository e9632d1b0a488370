import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@skillpass/client'
import { file, publishBundle } from '../support/bundles.ts'
import { makeFolder } from '../support/cleanup.ts'
import { toolCall } from '../support/mcp.ts'
import { readMetrics } from '../support/processes.ts'
import { type BenchServer, registerOne, startBenchServer } from './processes.ts'
import { printTable } from './table.ts'

const readers = 200
const oddAddresses = 50_000

type Skill = Awaited<ReturnType<typeof publishBundle>>

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`

function post(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const addressOf = ({ repo, slug }: Skill) => `/${repo.owner}/${repo.name}/${slug}`

/** Requests with the largest responses. */
const requests: Record<string, (skill: Skill) => string> = {
  read_skill_file: ({ id }) => post(toolCall('read_skill_file', { id, path: 'controls.txt' })),
  'resources/read': (skill) => {
    const uri = `skill://${skill.repo.owner}/${skill.repo.name}/1/${skill.slug}/controls.txt`
    return post({ method: 'resources/read', params: { uri } })
  },
  get_skill: ({ id }) => post(toolCall('get_skill', { id })),
  'skill by id': ({ id }) => get(`/api/v1/skills/${id}`),
  file: (skill) => get(`${addressOf(skill)}/files/random.bin`),
  archive: (skill) => get(`${addressOf(skill)}/archive.tar.gz`),
  'page of a file': (skill) => get(`${addressOf(skill)}/view/page.txt`),
  'page of a skill': (skill) => get(addressOf(skill)),
}

const repeated = (text: string, length: number) => text.repeat(length / text.length)

/** Texts that take long to lint, with the length of a readme or of a file. */
const slowTexts: Record<string, (length: number) => string> = {
  fences: (length) => repeated('- ```\n', length),
  quotes: (length) => repeated('> > - ```\n', length),
  commands: (length) => repeated('wget x/f0x1.zzz\n', length),
  links: (length) => repeated('![a b](c) [a](<b ', length),
  definitions: (length) => repeated('[a]: b "c\n', length),
  tags: (length) => repeated('<p hidden a b c d>\n', length),
  escapes: (length) => `---\na: "${repeated('\\x41', length - 20)}"\n---\n`,
  comments: (length) => `---\n${repeated('a: b # *c* d\n', length - 20)}---\n`,
  words: (length) => Array.from({ length: length / 8 }, (_, at) => at.toString(36)).join(' '),
}

/**
 * `npm run bench -- bounds`: the memory of a server while 200 clients never read a response, and
 * after 50,000 addresses with long unknown parameters, and the longest event loop delay, also of
 * publications that take long to lint. `parts` are names of responses, `odd addresses` and
 * `publications`.
 */
export async function benchBounds(parts: readonly string[] | undefined): Promise<void> {
  const isWanted = (name: string) => parts?.includes(name) ?? true
  const rows: (string | number)[][] = []
  for (const [name, requestOf] of Object.entries(requests)) {
    for (const addresses of isWanted(name) ? [1, readers] : []) {
      const act = (server: BenchServer, skill: Skill) => stall(server, requestOf(skill), addresses)
      rows.push([name, addresses, ...(await measure(act))])
    }
  }
  if (isWanted('odd addresses'))
    rows.push(['odd addresses', 1, ...(await measure(sendOddAddresses))])
  if (isWanted('publications')) rows.push(...(await measurePublications()))
  const head = ['response', 'addresses', 'MB before', 'MB at most', 'longest hold ms']
  printTable(`${readers} clients that never read, and ${oddAddresses} odd addresses`, head, rows)
}

/** Returns the memory before and at most, infinite if the server died, and the longest hold. */
async function measure(act: (server: BenchServer, skill: Skill) => Promise<void>) {
  const { path: folder, remove } = await makeFolder()
  const server = await startBenchServer(folder, { isPinned: false })
  try {
    const skill = await publishLargest(server.url)
    const before = await residentMegabytes(server)
    await server.maxLoopDelay()
    let most = before
    const watching = setInterval(async () => {
      most = Math.max(most, await residentMegabytes(server).catch(() => Number.POSITIVE_INFINITY))
    }, 200)
    await act(server, skill)
    clearInterval(watching)
    return [before, most, await server.maxLoopDelay().catch(() => Number.NaN)]
  } finally {
    await server.stop()
    await remove()
  }
}

/** Publishes each slow text as a readme, as its next version, and as three files. */
async function measurePublications() {
  const { path: folder, remove } = await makeFolder()
  const server = await startBenchServer(folder, { isPinned: false })
  try {
    const apiKey = await registerOne(server.url, 'publisher')
    const client = createClient({ baseUrl: server.url, apiKey, retries: 0, timeoutMs: 0 })
    const agent = { id: '', username: '', apiKey, client }
    const rows: (string | number)[][] = []
    for (const [name, textOf] of Object.entries(slowTexts)) {
      const readme = textOf(250 * 1024)
      const before = await residentMegabytes(server)
      const holdOf = async (work: () => Promise<unknown>) => {
        await server.maxLoopDelay()
        await work()
        return server.maxLoopDelay()
      }
      const ids: string[] = []
      const publish = async () => {
        ids.push((await publishBundle(agent, [], { slug: name, readme })).id)
      }
      const update = () =>
        client.registry.skills.update({
          params: { id: ids[0] ?? '' },
          body: { readme: `# A\n\n${readme}` },
        })
      const files = [1, 2, 3].map((at) => file(`${at}.md`, textOf(4 * 1024 ** 2 - 64)))
      const holds = [
        ['readme', await holdOf(publish)],
        ['update', await holdOf(update)],
        ['files', await holdOf(() => publishBundle(agent, files, { slug: `${name}-files` }))],
      ] as const
      const after = await residentMegabytes(server)
      for (const [what, hold] of holds) rows.push([`${name}, ${what}`, 1, before, after, hold])
    }
    return rows
  } finally {
    await server.stop()
    await remove()
  }
}

async function residentMegabytes({ url }: BenchServer): Promise<number> {
  const bytes = /^process_resident_memory_bytes (\S+)/m.exec(await readMetrics(url))?.[1]
  return Number(bytes) / 1024 ** 2
}

/** Publishes a skill with the largest files that the registry accepts. */
async function publishLargest(url: string): Promise<Skill> {
  const apiKey = await registerOne(url, 'publisher')
  const client = createClient({ baseUrl: url, apiKey, retries: 0 })
  const files = [
    file('controls.txt', '\u0001'.repeat(4 * 1024 ** 2)),
    file('page.txt', '\u0001\n'.repeat(9_000)),
    file('random.bin', randomBytes(4 * 1024 ** 2)),
  ]
  const readme = randomBytes(190 * 1024).toString('base64')
  return publishBundle({ id: '', username: '', apiKey, client }, files, { slug: 'largest', readme })
}

/** Sends a request on many connections, and reads only the beginning of each response. */
async function stall({ url }: BenchServer, request: string, addresses: number) {
  const port = Number(new URL(url).port)
  const sockets = Array.from({ length: readers }, (_, at) =>
    connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (at % addresses)}` }),
  )
  const begun = sockets.map(async (socket) => {
    socket.on('error', () => {}).write(request)
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    socket.pause()
  })
  await Promise.all(begun)
  await pause(2000)
  for (const socket of sockets) socket.destroy()
}

async function sendOddAddresses({ url }: BenchServer) {
  const filler = 'x'.repeat(90_000)
  let sent = 0
  const send = async () => {
    while (sent < oddAddresses) {
      const response = await fetch(`${url}/api/v1/skills/search?q=largest&${filler}=${sent++}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 8 }, send))
}
