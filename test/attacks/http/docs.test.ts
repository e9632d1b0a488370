import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'

const server = await startTestServer()
const secure = await startTestServer({
  env: { BASE_URL: 'https://skillpass.test', AUTH_URL: 'https://auth.test' },
})

const scripts = (html: string) => html.match(/<script\b[^>]*>[\s\S]*?<\/script>/gi) ?? []

test('the documentation runs only scripts from its own files', async () => {
  const response = await server.http('/docs/')
  expect(response.status).toBe(200)
  const directives = response.headers.get('content-security-policy')?.split(/; */)
  expect(directives).toEqual(expect.arrayContaining(["script-src 'self'", "base-uri 'none'"]))
  const html = await response.text()
  expect(scripts(html).length).toBeGreaterThan(0)
  for (const script of scripts(html)) {
    expect(script).toMatch(
      /^<script\b[^>]*\bsrc="\/(docs|assets)\/[\w.-]+(\?v=\w+)?"[^>]*>\s*<\/script>$/,
    )
  }
  expect(html).not.toMatch(/\son\w+=|javascript:/i)
})

test.each([
  ...['/docs/', '/openapi.json', '/api/v1/health', '/api/v1/skills/search', '/api/v1/none'],
  ...['/', '/search', '/agents/nobody', '/nothing', '/a/b/c', '/health/live'],
])('%s is served with security headers and without the name of the software', async (path) => {
  for (const Accept of ['*/*', 'text/html']) {
    const { headers } = await server.http(path, { headers: { Accept } })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-frame-options')).toMatch(/^(DENY|SAMEORIGIN)$/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('content-security-policy')).not.toMatch(/script-src[^;]*unsafe|unsafe-eval/)
    // Scalar in /docs/ styles its elements inline.
    if (path !== '/docs/') {
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:/)
    }
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('server')).toBe(false)
    // Over plain http it would lock out a host without https.
    expect(headers.has('strict-transport-security')).toBe(false)
  }
})

test('a server with an https address sends Strict-Transport-Security', async () => {
  const { headers } = await secure.http('/')
  expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
})
