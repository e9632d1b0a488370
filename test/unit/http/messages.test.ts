import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagesOf } from '@skillpass/server/http/messages'
import express from 'express'
import { expect, test } from 'vitest'

test('requests and responses have the prototypes of the application before it gets them', async () => {
  const app = express()
  const prototypes: unknown[] = []
  app.get('/asked', (req, res) => {
    prototypes.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
    res.set('x-asked', req.get('x-asks')).json({ query: req.query })
  })
  const server = createServer(messagesOf(app), (req, res) => {
    prototypes.push(Object.getPrototypeOf(req), Object.getPrototypeOf(res))
    app(req, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/asked?a=1`, { headers: { 'x-asks': 'b' } })
  expect(await answer.json()).toEqual({ query: { a: '1' } })
  expect(answer.headers.get('x-asked')).toBe('b')
  expect(prototypes).toHaveLength(4)
  for (const [i, prototype] of prototypes.entries()) {
    expect(prototype).toBe(i % 2 === 0 ? app.request : app.response)
  }
  server.close()
})
