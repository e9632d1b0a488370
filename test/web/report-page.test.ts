import { describe, expect, test } from 'vitest'
import { hasChromium } from '../support/browser.ts'
import { operate } from '../support/commands.ts'
import { hiddenFields, openSession } from '../support/people.ts'
import { reportsOn } from '../support/reports.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf } from '../support/skills.ts'
import { createVisitor, expectSound } from './visits.ts'

const server = await startTestServer({
  env: { TRUST_PROXY: 'loopback', RATE_LIMIT_REGISTRATIONS_PER_HOUR: '5' },
})
const agent = await server.agent('author')
const publish = async (slug: string) => {
  const body = { name: slug, slug, readme: `# ${slug}\n` }
  return (await agent.client.registry.skills.publish({ body })).data
}

/** Opens the form of a skill's report from a network. Returns a function that sends it. */
async function openReport(skill: { fetchUrl: string }, network: string) {
  const session = openSession(server)
  const path = `${new URL(skill.fetchUrl).pathname}/report`
  const from = { 'x-forwarded-for': network }
  const html = await (await session.get(path, from)).text()
  const send = (changes: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const form = { reason: 'malicious', text: 'Line 2 sends my keys away.', ...changes }
    return session.post(path, { ...hiddenFields(html, path), ...form }, { ...from, ...headers })
  }
  return { session, send, path }
}

test('a report without a text or a known reason, or with a long text, is refused', async () => {
  const skill = await publish('wordless')
  const { send } = await openReport(skill, '192.0.2.1')
  for (const text of ['', ' \r\n ', '\u200b', 'x'.repeat(501)]) {
    const answer = await send({ text })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('id="text-mistake"')
  }
  expect((await send({ reason: 'boring' })).status).toBe(400)
  expect(await reportsOn(server, skill)).toEqual([])
})

test('a report that another site or another browser sends is refused with 403', async () => {
  const skill = await publish('forged')
  const { send } = await openReport(skill, '192.0.2.2')
  expect((await send({ csrf: '' })).status).toBe(403)
  expect((await send({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const other = await openReport(await publish('forged-too'), '192.0.2.2')
  const answer = await other.session.post(`${new URL(skill.fetchUrl).pathname}/report`, {
    ...{ reason: 'spam', text: 'Look.' },
  })
  expect(answer.status).toBe(403)
  expect(await reportsOn(server, skill)).toEqual([])
})

test('a network has one open report per skill, a skill at most 20, and an hour 10 of a network', async () => {
  const skill = await publish('flooded')
  const first = await openReport(skill, '198.51.1.1')
  expect((await first.send()).status).toBe(303)
  const second = await openReport(skill, '198.51.1.1')
  expect((await second.send()).status).toBe(409)
  for (let at = 2; at <= 20; at++) {
    expect((await (await openReport(skill, `198.51.${at}.1`)).send()).status).toBe(303)
  }
  const late = await (await openReport(skill, '198.51.21.1')).send()
  expect(late.status).toBe(409)
  expect(await late.text()).toContain('Many readers have reported this skill')
  const others = await publish('others')
  const flood = await openReport(others, '198.51.99.1')
  for (let at = 0; at < 10; at++) await flood.send()
  expect((await flood.send()).status).toBe(429)
  expect(await reportsOn(server, skill)).toHaveLength(20)
  expect(await reportsOn(server, others)).toHaveLength(1)
  await server.moderate('skill hide', skill.id)
  expect(await reportsOn(server, skill)).toEqual([])
})

test('only the hash of the secret in the address of a report is stored', async () => {
  const skill = await publish('secretive')
  const { send, session } = await openReport(skill, '203.0.113.1')
  const address = (await send()).headers.get('location') ?? ''
  const page = await session.get(address)
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(page.headers.get('cache-control')).toBe('no-store')
  const secret = new URLSearchParams(address.split('?')[1]).get('key') ?? ''
  expect(secret).toMatch(/^skr_\w{36}$/)
  const rows = JSON.stringify(await server.ctx.db.read.selectFrom('reports').selectAll().execute())
  expect(rows).not.toContain(secret)
  for (const key of ['', `${secret}x`, secret.slice(0, -1), 'skr_'.padEnd(40, '0')]) {
    expect((await session.get(`/reports?key=${key}`)).status).toBe(404)
  }
  await server.moderate('skill hide', skill.id)
})

test('the list of reports fits 80 columns and names the reader or the agent', async () => {
  const skill = await publish('long-name-'.repeat(6).slice(0, 60))
  await (await openReport(skill, '203.0.113.2')).send({ text: `Look. ${'a word '.repeat(60)}` })
  const fan = await server.agent('fan')
  const body = { reason: 'spam', text: 'It sells wax.' } as const
  await fan.client.registry.reports.submit({ params: { id: skill.id }, body })
  const { out } = await operate({ url: server.database.url, env: { COLUMNS: '80' } }, 'reports')
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(out).toContain('a reader says: "Look.')
  expect(out).toContain(`${fan.username} says: "It sells wax."`)
  await server.moderate('skill hide', skill.id)
  expect((await fan.client.registry.notices.list({})).data[0]).toMatchObject({
    action: 'report.resolved',
    reason: 'The skill is hidden: A test.',
  })
})

describe.skipIf(!hasChromium)('a report in a browser', () => {
  test.each([true, false])(
    'a reader reports a skill and reads the decision, JavaScript %s',
    async (javaScriptEnabled) => {
      const skill = await publish(`melter-${javaScriptEnabled}`)
      const visit = createVisitor(server.url, { javaScriptEnabled })
      const { page } = await visit(addressOf(skill))
      await page.getByRole('link', { name: 'Report this skill' }).click()
      await page.getByRole('radio', { name: 'Impersonation' }).check()
      await page.getByLabel('What did you see?').fill('It pretends to be mine.')
      if (javaScriptEnabled)
        await expectSound({ page, complaints: [], requests: [] }, server.url, /^$/)
      await page.getByRole('button', { name: 'Send the report' }).click()
      expect(await page.getByRole('status').innerText()).toContain('has not decided yet')
      if (javaScriptEnabled)
        await expectSound({ page, complaints: [], requests: [] }, server.url, /^$/)
      expect(await reportsOn(server, skill)).toMatchObject([
        { reporter: null, reason: 'impersonation' },
      ])
      await server.moderate('skill hide', skill.id, 'It copies another name.')
      await page.reload()
      expect(await page.getByRole('status').innerText()).toContain(
        'The skill is hidden: It copies another name.',
      )
      await page.getByRole('link', { name: addressOf(skill).slice(1) }).click()
      expect(await page.locator('main').innerText()).toContain('It copies another name.')
    },
  )
})
