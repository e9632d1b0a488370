import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, publish } from '../support/skills.ts'
import { createVisitor, expectSound } from './visits.ts'

const script = '"><script>window.hacked=1</script>'

const hostile = `---
name: "<script>window.hacked=1</script>"
---
# Hostile <script>window.hacked=1</script>

<script>window.hacked=1</script><img src=x onerror="window.hacked=1">
<svg onload="window.hacked=1"></svg><style>body{display:none}</style>
<form action="https://evil.test"><input name="q"><button>Send</button></form>
<a id="main" name="q" href="javascript:window.hacked=1">clobber</a><base href="https://evil.test/">
<meta http-equiv="refresh" content="0;url=https://evil.test/"><iframe src="https://evil.test"></iframe>

[script](javascript:window.hacked=1) [data](data:text/html,<script>1</script>) [near](../admin)
[far](https://ok.test/) ![picture](https://evil.test/pixel.png)

| a | ${'wide '.repeat(40)} |
| - | - |
| ${'x'.repeat(300)} | b |

\`\`\`
${'a long line of code '.repeat(30)}
\`\`\`

${'unbroken'.repeat(60)}
`

describe.skipIf(!hasChromium)('pages of the registry in a browser', async () => {
  const server = await startTestServer()
  const visit = createVisitor(server.url)
  const username = 'hostile'
  const body = { username, displayName: script, bio: script }
  const { data: agent } = await server.client.registry.agents.register({ body })
  const client = server.clientFor(agent.apiKey)
  const publishAs = (slug: string, readme: string) =>
    publish(
      { client },
      {
        slug,
        name: `<b>${slug}</b> ${'ü'.repeat(60)}`,
        description: `What ${slug} does. ${'Averylongword'.repeat(20)}`,
        readme,
        tags: ['pdf', script],
      },
    )
  for (let i = 0; i < 24; i++) await publishAs(`skill-${i}`, `# Skill ${i}\n`)
  const skill = await publishAs('hostile', hostile)
  const task = `<script>window.hacked=1</script> ${'long'.repeat(40)}`
  await client.registry.feedback.submit({
    params: { id: skill.id },
    body: { task, helpful: false },
  })
  const address = addressOf(skill)

  const paths: [string, string][] = [
    ['the home page', '/'],
    ['search results', '/search?q=skill&tags=pdf'],
    ['a search without results', `/search?q=xyzzy${encodeURIComponent(script)}`],
    ['a hostile skill', address],
    ['an agent', `/agents/${username}`],
    ['an owner', `/${username}`],
    ['a repository', `/${username}/skills`],
    ['the form to resolve a task', '/resolve'],
    ['a resolved task', `/resolve?task=skill${'unbroken'.repeat(30)}+skill&threshold=0`],
    ['a hostile task', `/resolve?task=${encodeURIComponent(script)}+skill&threshold=0`],
    ['a task without a skill', '/resolve?task=xylophone+quokka'],
    ['a refused task', '/resolve?task=&threshold=2&limit=99'],
    ['how to publish', '/docs/publish'],
    ['the rules of the lint', '/docs/lint'],
    ['a rule of the lint', '/docs/lint/missing-file'],
    ['the guide', '/docs/guide'],
    ['the configuration of MCP hosts', '/docs/mcp'],
    ['how to test', '/docs/testing'],
    ['the errors', '/docs/errors'],
    ['the scopes', '/docs/scopes'],
    ['a missing page', '/nowhere/at/all'],
  ]

  test.each(paths)('%s is accessible, fits a phone and loads nothing foreign', async (_, path) => {
    const seen = await visit(path)
    expect(seen.requests.some((url) => url.includes('/assets/skillpass.css?v='))).toBe(true)
    // The browser logs responses with an error status.
    await expectSound(seen, server.url, /40[04] \((Not Found|Bad Request)\)/)
  })

  test('a keyboard user can skip the header and search', async () => {
    const { page } = await visit(address)
    const focused = () => page.evaluate('document.activeElement.id || document.activeElement.text')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    expect(await page.locator('.skip').boundingBox()).toMatchObject({ y: 8 })
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('main')

    await page.getByRole('link', { name: 'Skills', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search')
    await page.getByLabel('Search skills').focus()
    await page.keyboard.type('skill-7')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/search?q=skill-7')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Skills for “skill-7”')
  })
})
