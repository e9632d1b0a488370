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
  slug: ['POST', '/api/v1/skills', (slug) => ({ name: 'a', slug })],
  tags: ['POST', '/api/v1/skills', (tag) => ({ name: 'a', slug: 'a', tags: [tag, tag] })],
  description: ['POST', '/api/v1/skills', (description) => ({ name: 'a', slug: 'a', description })],
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

/** A server with an agent that may send every probe. */
export async function startProbedServer() {
  const server = await startTestServer()
  return { server, agent: await server.agent('probe') }
}
