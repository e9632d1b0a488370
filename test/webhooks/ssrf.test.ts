import { type AddressInfo, createServer, type LookupFunction } from 'node:net'
import { checkDeauthorizationUrl } from '@skillpass/server/internal/oauth/addresses'
import {
  type OutboundResult,
  sendRequest,
} from '@skillpass/server/internal/runtime/outbound/send-request'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { declare, generalApp } from '../support/apps.ts'
import { allowAndRemove, hookApp } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { reportFigure } from '../support/rounds.ts'
import { words } from '../support/words.ts'
import { attempted, receiverForFile, setAddress } from './fixture.ts'

const { receiver } = await receiverForFile()

let port = 0
let hits = 0
/** Counts connections of any protocol. */
const canary = createServer((socket) => {
  hits++
  socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
})
beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve))
  port = (canary.address() as AddressInfo).port
})
afterAll(() => void canary.close())

/** Addresses that webhooks must not reach; `PORT` is the canary's. */
const spellings = words(`
  https://127.0.0.1:PORT/ https://127.1:PORT/ https://2130706433:PORT/ https://0x7f.1:PORT/
  https://0177.0.0.1:PORT/ https://127.0.0.1.:PORT/ https://%31%32%37.0.0.1:PORT/ https://0:PORT/
  https://[::1]:PORT/ https://[::ffff:7f00:1]:PORT/ https://[64:ff9b::7f00:1]:PORT/
  https://[2002:7f00:1::]:PORT/ https://[fe80::1]:PORT/ https://10.0.0.1:PORT/
  https://169.254.169.254/latest/meta-data/ https://168.63.129.16/ https://255.255.255.255:PORT/
  https://LOCALHOST:PORT/ https://localhost.:PORT/ https://hooks.localhost:PORT/
  https://intranet:PORT/ https://metadata.google.internal/ https://printer.local:PORT/
  https://user:secret@hooks.example.com:PORT/ https://hooks.example.com:22/
  http://hooks.example.com/ file:///etc/passwd
`)
const inside = (spelling: string) => spelling.replace('PORT', String(port))

const post = (url: string, lookup?: LookupFunction) =>
  sendRequest({ url, headers: {}, body: '{}', allowsPrivate: false, lookup })

/** A lookup that returns these addresses in turn, and then repeats the last one. */
function resolver(...answers: string[]): { lookup: LookupFunction; asked: () => number } {
  let asked = 0
  return {
    asked: () => asked,
    lookup: (_, options, callback) => {
      const address = answers[Math.min(asked++, answers.length - 1)] ?? ''
      const family = address.includes(':') ? 6 : 4
      // As a real lookup, it answers later. Without IPv6, connecting fails at once.
      setImmediate(() => {
        if (options.all) callback(null, [{ address, family }])
        else callback(null, address, family)
      })
    },
  }
}

const isRefused = ({ kind }: OutboundResult) => kind === 'not-allowed'

test(`${spellings.length} spellings of private addresses are refused at registration and at sending`, async () => {
  const before = hits
  for (const spelling of spellings) {
    const url = inside(spelling)
    expect([url, checkDeauthorizationUrl(url, false)]).toEqual([url, expect.any(String)])
    expect([url, isRefused(await post(url))]).toEqual([url, true])
  }
  reportFigure(`${spellings.length} spellings: ${hits - before} hits on the canary`)
  expect(hits).toBe(before)
})

test('a name that resolves to a private address is refused when connecting', async () => {
  const url = inside('https://hooks.example.com:PORT/')
  const before = hits
  const addresses = [
    ...['127.0.0.1', '0.0.0.0', '10.0.0.1', '169.254.169.254', '168.63.129.16', '::1'],
    ...['::ffff:127.0.0.1', 'fc00::1', '64:ff9b::7f00:1', '2002:7f00:1::', '::7f00:1'],
  ]
  for (const address of addresses) {
    const { lookup, asked } = resolver(address)
    expect([address, isRefused(await post(url, lookup))]).toEqual([address, true])
    expect(asked()).toBe(1)
  }
  // A sender that resolved once to check and again to connect would use the second address.
  for (const answers of [
    ['127.0.0.1', '203.0.113.1'],
    ['::1', '203.0.113.1'],
  ]) {
    expect(isRefused(await post(url, resolver(...answers).lookup))).toBe(true)
  }
  expect(hits).toBe(before)
})

test('a name is resolved once for each connection, so that rebinding reaches nothing', async () => {
  const url = inside('https://hooks.example.com:PORT/')
  const before = hits
  // An unassigned public address.
  const rebinding = resolver('2000::1', '::1')
  const controller = new AbortController()
  const sending = sendRequest({
    url,
    headers: {},
    body: '{}',
    allowsPrivate: false,
    signal: controller.signal,
    lookup: (name, options, callback) => {
      rebinding.lookup(name, options, callback)
      // The test does not wait for a connection to the public address.
      setImmediate(() => controller.abort())
    },
  })
  expect((await sending).kind).toBe('failed')
  expect(rebinding.asked()).toBe(1)
  expect(isRefused(await post(url, rebinding.lookup))).toBe(true)
  expect(hits).toBe(before)
})

test('a server that does not allow private addresses sends no event there', async () => {
  const server = await startOAuthServer({ env: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off' } })
  const declared = generalApp('Inside', [], { deauthorizationUrl: receiver.url('/') })
  await expect(declare(server, { apps: [declared] })).rejects.toThrow(
    'apps[0].deauthorizationUrl: must be https',
  )
  const app = await hookApp(server, receiver, {}, 'https://hooks.example.com/')
  await setAddress(server, app, receiver.url(app.path))
  await allowAndRemove(server, app)
  expect((await attempted(server, app, 1)).attempts).toMatchObject([
    { status: null, error: 'The address must be https.' },
  ])
  expect(receiver.validations(app.path)).toEqual([])
})

test('a redirect to a private address is not followed', async () => {
  const server = await startOAuthServer()
  const app = await hookApp(server, receiver)
  const before = hits
  receiver.answer(app.path, (response) => {
    response.writeHead(302, { location: inside('http://127.0.0.1:PORT/') }).end()
  })
  await allowAndRemove(server, app)
  expect((await attempted(server, app, 1)).attempts).toMatchObject([
    {
      status: 302,
      error: 'The endpoint returned 302 instead of 200 or 204. Redirects are not followed.',
    },
  ])
  expect(hits).toBe(before)
})
