import { createHash } from 'node:crypto'
import { loadConfig } from '@skillpass/server/testing'

/**
 * The encryption key of test servers. It is the same in every process, because nodes that share a
 * database share it.
 */
export const encryptionKey = createHash('sha256').update('skillpass tests').digest('base64')

/** The three public addresses that production requires, all at one origin. */
export const addressesAt = (url: string) => ({ BASE_URL: url, AUTH_URL: url, API_URL: url })

/**
 * Switches off rate limits, quotas, the limit on keys and load shedding, so that tests meet only
 * the limits they set.
 */
export const noLimits = {
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  RATE_LIMIT_DOWNLOADS_PER_MINUTE: '0',
  RATE_LIMIT_REGISTRATIONS_PER_HOUR: '0',
  RATE_LIMIT_AUTHORIZE_PER_MINUTE: '0',
  RATE_LIMIT_RESOURCE_PER_MINUTE: '0',
  QUOTA_FACTOR: '0',
}

/** Returns the configuration of a test server on any port, without limits, log and snapshots. */
export const configOf = ({ url }: { readonly url: string }, env: Record<string, string> = {}) =>
  loadConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: url,
    ENCRYPTION_KEY: encryptionKey,
    SNAPSHOT_DIR: 'off',
    ...noLimits,
    LOG_LEVEL: 'silent',
    ...env,
  })

/** `COLUMNS` of commands, so that a test finds a sentence of their output on one line. */
export const wide = '10000'
