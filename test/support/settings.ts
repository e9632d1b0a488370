import { cost } from '@skillpass/server/platform/passwords'

/** The key that servers of the tests seal with: the same in every process, as on the nodes of one database. */
export const encryptionKey = Buffer.alloc(32, 'skillpass tests').toString('base64')

/** The three public addresses at one, which production asks for. */
export const addressesAt = (url: string) => ({ BASE_URL: url, AUTH_URL: url, API_URL: url })

const shipped = { ...cost }

/** A hundredth of the work for the passwords of the tests' users; a hash says what it was made with. */
export function lowerPasswordCost(N = 2 ** 10): void {
  Object.assign(cost, { N, p: 1 })
}

/** Passwords cost what they cost in production, until the file ends or somebody lowers it. */
export function raisePasswordCost(): void {
  Object.assign(cost, shipped)
}

/** Switches off every rate limit, quota, bound of keys and refusal under load, so that tests meet only those they set. */
export const noLimits = {
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: '0',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '0',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '0',
  QUOTA_FACTOR: '0',
}
