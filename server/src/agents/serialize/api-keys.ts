import { serializeTimes } from '../../http/serialize.ts'
import type { ApiKeyRecord } from '../store/api-keys.ts'

/** An API key, without its secret. */
export const serializeApiKey = (key: ApiKeyRecord) =>
  serializeTimes(key, ['createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'])
