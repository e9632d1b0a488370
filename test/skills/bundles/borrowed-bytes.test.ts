import { describe, expect, test } from 'vitest'
import { file, named, publishBundle, upload } from '../../support/bundles.ts'
import { engines } from '../../support/databases.ts'
import { startTestServer, type TestAgent } from '../../support/server.ts'
import { ask, expectError, publish, unique } from '../../support/skills.ts'

describe.each(engines)('bytes of another agent on %s', async (engine) => {
  const quotas = { files: 1_000_000 }
  const server = await startTestServer({ engine, quotas })
  const [author, stranger] = [await server.agent('author'), await server.agent('stranger')]
  const secret = () => file('a.txt', unique('secret'))
  const bodyWith = (bytes: ReturnType<typeof file>) => ({
    ...{ name: 'x', slug: unique('borrowed') },
    files: [named(bytes)],
  })
  const publishAs = ({ apiKey: key }: TestAgent, bytes: ReturnType<typeof file>) =>
    ask(server, 'POST', '/api/v1/skills', { key, body: bodyWith(bytes) })

  /** Expects the same refusal as for bytes that nobody sent, in a new and in a known skill. */
  async function expectMissing(bytes: ReturnType<typeof file>) {
    const { id } = await publish(stranger)
    const withSize = (size: number) => ({ ...bodyWith(bytes), files: [{ ...named(bytes), size }] })
    for (const size of [bytes.bytes.length, 1]) {
      for (const [method, path] of [
        ['POST', '/api/v1/skills'],
        ['PUT', `/api/v1/skills/${id}`],
      ] as const) {
        const { name: _, slug: __, ...files } = withSize(size)
        const body = method === 'PUT' ? files : withSize(size)
        const call = ask(server, method, path, { key: stranger.apiKey, body })
        const { details } = await expectError(call, 'VALIDATION_ERROR')
        const [detail] = details ?? []
        expect(detail?.message).toMatch(/^"a.txt" has not been uploaded: send its bytes/)
      }
    }
  }

  test('bytes that another agent sent and did not publish count as missing until they are sent', async () => {
    const bytes = secret()
    await upload(author, [bytes])
    await expectMissing(bytes)
    await upload(stranger, [bytes])
    expect((await publishAs(stranger, bytes)).status).toBe(201)
    expect((await publishAs(author, bytes)).status).toBe(201)
  })

  test('bytes of a skill that everybody can read, and of each of its versions, can be used', async () => {
    const [first, second] = [secret(), secret()]
    const { id } = await publishBundle(author, [first])
    await upload(author, [second])
    const body = { files: [named(second)] }
    await author.client.registry.skills.update({ params: { id }, body })
    for (const bytes of [first, second]) {
      expect((await publishAs(stranger, bytes)).status).toBe(201)
    }
  })

  test('bytes of a hidden or deleted skill count as missing, except for its publisher', async () => {
    const [bytes, other] = [secret(), secret()]
    const deleted = await publishBundle(author, [other])
    await author.client.registry.skills.delete({ params: { id: deleted.id } })
    await expectMissing(other)
    expect((await publishAs(author, other)).status).toBe(201)
    const { id } = await publishBundle(author, [bytes])
    await server.moderate('skill hide', id)
    await expectMissing(bytes)
    await server.moderate('skill unhide', id)
    expect((await publishAs(stranger, bytes)).status).toBe(201)
  })

  test('an upload costs the same quota whether or not another agent has sent the bytes', async () => {
    const bytes = file('a.txt', `${unique('quota')}${'x'.repeat(300_000)}`)
    const others = await Promise.all([0, 1].map(() => server.agent('spender')))
    for (const agent of others) {
      await upload(agent, [bytes, bytes, bytes, bytes])
      const more = [0, 1].map((at) =>
        file('b.txt', `${unique('quota')}${'y'.repeat(300_000 + at)}`),
      )
      await upload(agent, more)
      await expect(upload(agent, [file('c.txt', 'z'.repeat(300_000))])).rejects.toThrow(
        /quota|files/,
      )
    }
  })
})
