import type { IncomingMessage } from 'node:http'
import { AwsV4Signer } from 'aws4fetch'
import { expect, test } from 'vitest'
import { file, named, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { serveHttp } from '../../support/http-server.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, unique } from '../../support/skills.ts'

const user = { accessKeyId: 'tester', secretAccessKey: 'test+secret/=' } as const

/**
 * Starts a store that accepts requests with valid S3 signatures until the end of the file's tests.
 */
async function startS3Store() {
  const objects = new Map<string, Buffer>()
  const served = await serveHttp(async (req, res) => {
    const body = Buffer.concat(await req.toArray())
    const { method = '', url: path = '' } = req
    store.methods.push(method)
    if (store.isFailing) return res.writeHead(503).end()
    const fault = await faultOf(req, body)
    if (fault !== undefined) return res.writeHead(403).end(fault)
    if (method === 'PUT') {
      objects.set(path, body)
      return res.end()
    }
    if (method === 'DELETE') {
      objects.delete(path)
      return res.writeHead(204).end()
    }
    const object = objects.get(path)
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? '') ?? []
    if (!object || start === undefined) return res.writeHead(404).end()
    return res.writeHead(206).end(object.subarray(Number(start), Number(end) + 1))
  })
  const [key, secret] = Object.values(user).map(encodeURIComponent)
  const store = {
    /** `BLOB_URL` of an empty bucket. */
    url: served.url.replace('http://', `s3://${key}:${secret}@`).concat('/bucket/files?tls=off'),
    keys: () => [...objects.keys()],
    /** Method of each request, in order. */
    methods: [] as string[],
    /** Makes every request fail with 503. */
    isFailing: false,
  }
  return store
}

/** Returns why S3 would refuse a request, or undefined. */
async function faultOf({ method = '', url, headers }: IncomingMessage, body: Buffer) {
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  if (method === 'PUT' && headers['content-length'] !== String(body.length)) {
    return 'MissingContentLength'
  }
  const { authorization = '' } = headers
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  const signed = names.flatMap((name): [string, string][] =>
    name === 'host' ? [] : [[name, String(headers[name])]],
  )
  const signer = new AwsV4Signer({
    ...user,
    service: 's3',
    region: 'us-east-1',
    method,
    url: `http://${headers.host}${url}`,
    headers: signed,
    datetime: String(headers['x-amz-date']),
  })
  const expected = (await signer.sign()).headers.get('authorization')
  return authorization === expected ? undefined : 'SignatureDoesNotMatch'
}

const large = new Uint8Array(700_000).map((_, at) => at % 251)

const { url, keys } = await startS3Store()
const before = await startTestServer()
const author = await before.agent('author')
const first = await publishBundle(author, [file('early.bin', large)])
const { database, clock } = before
const server = await startTestServer({ database, clock, env: { BLOB_URL: url } })
const agent = { ...author, client: server.clientFor(author.apiKey) }

const read = (skill: string, path: string, headers: Record<Lowercase<string>, string> = {}) => {
  const params = { owner: author.username, repo: 'skills', skill, path }
  return server.client.registry.rawSkill.file({ params, headers })
}

test('an object store holds each file as one object and returns it whole and in ranges', async () => {
  const late = file('late.bin', new Uint8Array([...large, 1]))
  const empty = file('empty.txt', '')
  const skill = await publishBundle(agent, [late, empty])
  expect(keys()).toHaveLength(2)
  await upload(agent, [late])
  expect(keys()).toHaveLength(2)
  expect(Buffer.compare(await read(skill.slug, 'late.bin'), late.bytes)).toBe(0)
  expect(await read(skill.slug, 'empty.txt')).toHaveLength(0)
  const range = await read(skill.slug, 'late.bin', { range: 'bytes=262143-262145' })
  expect([...range]).toEqual([...late.bytes.subarray(262_143, 262_146)])
})

test('files in the database are moved to the object store and stay readable', async () => {
  expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
  const count = keys().length
  await server.runJob('moving blobs')
  expect(keys()).toHaveLength(count + 1)
  const { read: chunks } = server.ctx.db
  expect(await chunks.selectFrom('blob_chunks').select('digest').execute()).toEqual([])
  expect(Buffer.compare(await read(first.slug, 'early.bin'), large)).toBe(0)
})

test('an unused file is removed from the object store after a day', async () => {
  const spare = file('spare.txt', unique('spare'))
  await upload(agent, [spare])
  const isThere = () => keys().some((key) => key.includes(sha256(spare.bytes)))
  expect(isThere()).toBe(true)
  server.clock.advance(2 * 86_400_000)
  await server.runJob('removing old records')
  expect(isThere()).toBe(false)
})

test('an upload is UNAVAILABLE and stores nothing when the object store fails three times', async () => {
  const store = await startS3Store()
  store.isFailing = true
  const server = await startTestServer({ env: { BLOB_URL: store.url } })
  const { apiKey: key } = await server.agent('author')
  const one = file('a.txt', 'one')
  const path = `/api/v1/blobs/${sha256(one.bytes)}`
  await expectError(ask(server, 'PUT', path, { key, body: 'one' }), 'UNAVAILABLE')
  expect(store.methods).toEqual(['PUT', 'PUT', 'PUT'])
  const body = { name: 'x', slug: unique('none'), files: [named(one)] }
  await expectError(ask(server, 'POST', '/api/v1/skills', { key, body }), 'VALIDATION_ERROR')
})
