import * as sdk from '@skillpass/client'
import { type RegistryErrorCode, registryErrors } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { clientOf, example, failure, type Reply } from './fixture.ts'

const html = { 'content-type': 'text/html' }

/** Returns the error of a search with this response. */
async function errorOf(reply: Reply): Promise<unknown> {
  const { registry } = await clientOf(() => reply, { retries: 0 })
  return registry.skills.search().then(
    () => expect.fail('The call was expected to fail.'),
    (error: unknown) => error,
  )
}

const codes = Object.entries(registryErrors)

test.each(codes)('the registry error %s has its own class', async (code, { status }) => {
  const headers = { 'x-request-id': 'r-1' }
  const error = await errorOf({ status, headers, body: failure(code) })
  const type = sdk.registryErrorClasses[code as RegistryErrorCode]
  expect(error).toBeInstanceOf(type)
  expect(error).toBeInstanceOf(sdk.SkillpassError)
  expect(error).toMatchObject({
    name: type.name,
    code,
    status,
    request: 'GET /api/v1/skills/search',
    requestId: 'r-1',
    message: `This is ${code}.`,
  })
  expect(sdk).toHaveProperty(type.name, type)
})

test('ValidationError has the details of the refused request', async () => {
  const details = [{ in: 'query', path: 'limit', message: 'at most 50' }]
  const error = await errorOf({ status: 400, body: failure('VALIDATION_ERROR', { details }) })
  expect(error).toMatchObject({ details })
})

test('an error has the seconds to wait, from the body or otherwise from Retry-After', async () => {
  const body = failure('RATE_LIMITED', { retryAfter: 12 })
  const headers = { 'retry-after': '7' }
  expect(await errorOf({ status: 429, body, headers })).toMatchObject({ retryAfter: 12 })
  expect(await errorOf({ status: 503, body: failure('UNAVAILABLE'), headers })).toMatchObject({
    retryAfter: 7,
  })
})

test('a response that a route declares for an error status becomes the error of that status', async () => {
  const body = { ...example('registry.health.check'), status: 'unavailable' }
  const { registry } = await clientOf(() => ({ status: 503, body }), { retries: 0 })
  const check = registry.health.check()
  await expect(check).rejects.toThrow(sdk.UnavailableError)
  await expect(check).rejects.toMatchObject({ body })
})

test.each([
  ['an error page of a proxy', { status: 502, headers: html, body: '<h1>Bad gateway</h1>' }],
  ['a page with status 200', { headers: html, body: '<h1>Log in to this network</h1>' }],
  ['broken JSON', { headers: { 'content-type': 'application/json' }, body: '{"data":' }],
  ['an undeclared status', { status: 202, body: {} }],
  ['an error of another shape', { status: 404, body: { message: 'Not Found' } }],
])('%s throws UnexpectedResponseError', async (_, reply) => {
  const error = await errorOf(reply)
  expect(error).toBeInstanceOf(sdk.UnexpectedResponseError)
  expect(error).toBeInstanceOf(sdk.TransportError)
  expect(error).toMatchObject({ status: 'status' in reply ? reply.status : 200 })
})
