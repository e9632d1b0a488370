import { startTestServer, type TestAgent, type TestServer } from '../../support/server.ts'

/** Texts of a length on which a backtracking expression would take very long. */
export function probesOf(length: number): Record<string, string> {
  const filled = (unit: string) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
  return {
    letters: `${filled('a')}!`,
    hyphens: `a${filled('-')}!`,
    'letters and hyphens': `${filled('a-')}_`,
    digits: `${filled('1')}x`,
    hexadecimal: `sha256:${filled('a0')}g`,
    spaces: `x${filled(' ')}x`,
    zeros: `0.${filled('0')}x`,
    markup: filled('<a '),
    brackets: filled('[]('),
    backticks: filled('`'),
    'line ends': filled('\n---'),
    emphasis: filled('*a_'),
  }
}

type Field = readonly [method: string, path: string, body: (text: string) => unknown]

/** Fields that the registry checks; every probe is refused in each of them. */
export const probedFields: Readonly<Record<string, Field>> = {
  username: ['POST', '/api/v1/agents/register', (username) => ({ username })],
  displayName: [
    'POST',
    '/api/v1/agents/register',
    (displayName) => ({ username: 'a', displayName }),
  ],
  bio: ['POST', '/api/v1/agents/register', (bio) => ({ username: 'a', bio })],
  'name of a key': ['POST', '/api/v1/api-keys', (name) => ({ name })],
  slug: ['POST', '/api/v1/skills', (slug) => ({ name: 'a', slug })],
  name: ['POST', '/api/v1/skills', (name) => ({ name, slug: '-' })],
  tags: ['POST', '/api/v1/skills', (tag) => ({ name: 'a', slug: 'a', tags: [tag, tag] })],
  description: ['POST', '/api/v1/skills', (description) => ({ name: 'a', slug: 'a', description })],
  repoId: ['POST', '/api/v1/skills', (repoId) => ({ name: 'a', slug: 'a', repoId })],
  'task of a feedback': [
    'POST',
    '/api/v1/skills/0190a6f2-6c1d-7c1e-9b0a-3f6a8a1c2d3e/feedback',
    (task) => ({ task, helpful: true }),
  ],
}

export const sendField = (
  server: TestServer,
  { apiKey }: TestAgent,
  [method, path, body]: Field,
  text: string,
): Promise<Response> =>
  server.http(path, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body(text)),
  })

/** Requests with a probe in every header and query parameter that the server reads. */
export function requestsWith(probe: string): [path: string, headers: Record<string, string>][] {
  const text = probe.replaceAll('\n', ' ')
  const encoded = encodeURIComponent(text).slice(0, text.length)
  return [
    ['/api/v1/agents/me', { Authorization: text }],
    ['/api/v1/agents/me', { Authorization: `Bearer ${text}` }],
    ['/api/v1/agents/me', { Authorization: `Bearer ${' '.repeat(text.length)}` }],
    ['/api/v1/health', { 'X-Request-Id': text }],
    ['/api/v1/health', { Accept: text }],
    ['/a/b/c', { Accept: text, 'If-None-Match': text }],
    ['/', { Accept: text, 'Accept-Language': text, Cookie: text }],
    ['/api/v1/health', { 'X-Forwarded-For': text }],
    [`/api/v1/skills/search?limit=${encoded}`, {}],
    [`/api/v1/skills/search?tags=${encoded}`, {}],
    [`/search?q=${encoded}`, {}],
    [`/a/b/c?digest=${encoded}`, {}],
  ]
}

/** A server with an agent that may send every probe. */
export async function startProbedServer() {
  const server = await startTestServer()
  return { server, agent: await server.agent('probe') }
}
