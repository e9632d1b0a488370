import type { ApiKeyRecord } from '../store/api-keys.ts'
import { serializeTimes } from './list.ts'

/** An API key, without its secret. */
export const serializeApiKey = (key: ApiKeyRecord) =>
  serializeTimes(key, ['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'])
