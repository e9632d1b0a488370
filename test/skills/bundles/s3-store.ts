import type { IncomingMessage } from 'node:http'
import { AwsV4Signer } from 'aws4fetch'
import { sha256 } from '../../support/bundles.ts'
import { serveHttp } from '../../support/http-server.ts'

const user = { accessKeyId: 'tester', secretAccessKey: 'test+secret/=' } as const

/**
 * Starts a store that accepts requests with valid S3 signatures until the end of the file's tests.
 */
export async function startS3Store() {
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
