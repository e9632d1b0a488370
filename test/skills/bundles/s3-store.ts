import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AwsV4Signer } from 'aws4fetch'
import { sha256 } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import type { TestStore } from './store-tests.ts'

const user = { accessKeyId: 'tester', secretAccessKey: 'test+secret/=' } as const

/** A store in this process that takes what is signed as S3 asks for, and notes every request. */
export interface S3Store extends TestStore {
  /** Method of each request, in order. */
  readonly methods: string[]
  /** Answers every request with 503. */
  isFailing: boolean
}

/** Starts a store on a free port, until the end of the file's tests. */
export async function startS3Store(): Promise<S3Store> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (req, res) => {
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
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const [key, secret] = Object.values(user).map(encodeURIComponent)
  const store: S3Store = {
    methods: [],
    isFailing: false,
    url: `s3://${key}:${secret}@127.0.0.1:${port}/bucket/files?tls=off`,
    list: async () => [...objects.keys()],
  }
  afterFile(async () => {
    server.closeAllConnections()
    server.close()
  })
  return store
}

/** Why S3 would refuse a request; nothing for one that is signed and whole. */
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
