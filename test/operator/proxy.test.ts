import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { hasProgram } from '../support/lacking.ts'
import { freePort, makeCertificate } from '../support/processes.ts'
import { startTestServer, type TestAgent, type TestServer } from '../support/server.ts'
import { addressOf, publish } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { deployFile } from './deploy-files.ts'

const hasProxy = hasProgram('nginx', '-v') && hasProgram('openssl', 'version')

interface ProxyResponse {
  status: number | undefined
  header: (name: string) => string | undefined
  body: string
}

/** Runs nginx with `server/deploy/nginx.conf` on free ports in a temporary folder. */
async function startProxy(upstream: string) {
  const folder = await temporaryFolder()
  const [plain, tls] = [await freePort(), await freePort()]
  makeCertificate(folder, 'skills.example.com')
  await mkdir(join(folder, 'cache'))
  const replaced: [string, string][] = [
    ['server 127.0.0.1:3000;', `server ${new URL(upstream).host};`],
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${tls} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/skillpass/', `${folder}/`],
    ['/run/nginx.pid', `${folder}/pid`],
    ['/var/cache/nginx/skillpass', `${folder}/cache`],
    ['/var/log/nginx/error.log', `${folder}/error.log`],
    // If root runs the tests, the default user of nginx cannot read the temporary folder.
    ['worker_processes auto', `${process.getuid?.() === 0 ? 'user root; ' : ''}worker_processes 1`],
    ['worker_rlimit_nofile 65536;', ''],
    ['proxy_cache_valid 200 10s', 'proxy_cache_valid 200 10m'],
    ['worker_connections 8192', 'worker_connections 256'],
  ]
  let text = await deployFile('nginx.conf')
  for (const [from, to] of replaced) {
    if (!text.includes(from)) throw new Error(`nginx.conf no longer has ${from}`)
    text = text.replaceAll(from, to)
  }
  const file = join(folder, 'nginx.conf')
  await writeFile(file, text)
  execFileSync('nginx', ['-t', '-q', '-c', file, '-p', folder, '-e', `${folder}/error.log`])
  const args = ['-c', file, '-p', folder, '-e', `${folder}/error.log`, '-g', 'daemon off;']
  const proxy = spawn('nginx', args, { stdio: 'ignore' })
  afterFile(async () => {
    const ended = once(proxy, 'exit')
    proxy.kill('SIGTERM')
    await ended
  })
  const address = `http://127.0.0.1:${plain}`
  await until('the proxy responds', () =>
    fetch(address, { redirect: 'manual' }).then(
      () => true,
      () => false,
    ),
  )
  const get = (path: string, headers: Record<string, string> = {}) =>
    new Promise<ProxyResponse>((resolve, reject) => {
      const call = { host: '127.0.0.1', port: tls, path, headers, rejectUnauthorized: false }
      request({ ...call, maxHeaderSize: 200_000 }, (res) => {
        let body = ''
        res.setEncoding('utf8').on('data', (chunk) => {
          body += chunk
        })
        res.once('end', () => {
          const header = (name: string) => res.headers[name]?.toString()
          resolve({ status: res.statusCode, header, body })
        })
      })
        .once('error', reject)
        .end()
    })
  return { get, plain: address }
}

describe.skipIf(!hasProxy)('the proxy of server/deploy/nginx.conf', () => {
  let server: TestServer
  let agent: TestAgent
  let proxy: Awaited<ReturnType<typeof startProxy>>
  let address: string

  beforeAll(async () => {
    server = await startTestServer({ env: { TRUST_PROXY: '1', RATE_LIMIT_READS_PER_MINUTE: '50' } })
    agent = await server.agent()
    const skill = await publish(agent, { readme: '# Tide tables\n\n1. Find the table.\n' })
    address = addressOf(skill)
    proxy = await startProxy(server.url)
  })

  test('the proxy redirects http to https', async () => {
    const response = await fetch(`${proxy.plain}/docs`, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      expect.stringMatching(/^https:.*\/docs$/),
    ])
  })

  test('the proxy forwards a task of the maximum length', async () => {
    // 8,000 characters, each nine characters long when percent-encoded.
    const task = encodeURIComponent('港'.repeat(8000))
    const { status } = await proxy.get(`/api/v1/skills/resolve?task=${task}`)
    expect(status).toBe(200)
  })

  test('rate limits behind the proxy ignore the X-Forwarded-For of a client', async () => {
    const remaining = async (claimed: string) => {
      const { header } = await proxy.get('/api/v1/skills', { 'X-Forwarded-For': claimed })
      return Number(header('x-ratelimit-remaining'))
    }
    const first = await remaining('192.0.2.1')
    expect(await remaining('192.0.2.2')).toBe(first - 1)
  })

  test('the proxy serves markdown from its cache, but forwards requests with Authorization', async () => {
    const markdown = `${address}?format=md`
    const first = await proxy.get(markdown)
    const second = await proxy.get(markdown)
    expect([first.header('x-cache'), second.header('x-cache')]).toEqual(['MISS', 'HIT'])
    expect(second.body).toBe(first.body)
    expect(second.body).toContain('# Tide tables')
    expect(second.header('etag')).toBe(first.header('etag'))
    expect(second.header('x-ratelimit-remaining')).toBeUndefined()
    const known = await proxy.get(markdown, { Authorization: `Bearer ${agent.apiKey}` })
    expect(known.header('x-cache')).toBe('BYPASS')
  })

  test('the proxy caches neither pages nor API responses', async () => {
    for (const path of [
      address,
      '/api/v1/skills',
      '/api/v1/skills?format=md',
      '/no/such/skill?format=md',
    ]) {
      await proxy.get(path, { Accept: 'text/html' })
      expect((await proxy.get(path, { Accept: 'text/html' })).header('x-cache'), path).not.toBe(
        'HIT',
      )
    }
  })

  test('the proxy hides the metrics', async () => {
    expect((await proxy.get('/metrics')).status).toBe(404)
  })
})
