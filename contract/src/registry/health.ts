import { z } from 'zod'
import { metadata } from '../metadata.ts'
import { c } from '../router.ts'
import { Instant, string } from '../schemas.ts'
import { errorResponses } from './errors.ts'

const health = <S extends string, M extends z.ZodRawShape>(
  status: S,
  id: string,
  description: string,
  more: M,
) =>
  z
    .object({
      status: z.literal(status).meta({ description }),
      timestamp: Instant.describe('Time of the check.'),
      version: string('Version of the service.', '0.2.0'),
      ...more,
    })
    .meta({ id, description })

const { 429: RateLimited } = errorResponses()

/** Health of the service, for uptime monitors (spec/registry.md#reads). */
export const healthContract = c.router({
  check: {
    method: 'GET',
    path: '/api/v1/health',
    summary: 'Check the health of the service',
    description:
      'Returns 200 if the service can handle requests. Returns 503 until it has started, while the database does not respond, and while its schema is missing, older or newer. Health checks have a separate rate limit.',
    responses: {
      200: health('ok', 'Health', 'The service can handle requests.', {}),
      429: RateLimited,
      503: health(
        'unavailable',
        'Unhealthy',
        'The service has not started yet, or the database does not respond or has another schema.',
        {
          reason: string(
            'Why the schema of the database cannot be used.',
            'The database is unavailable: its schema is older than this Skillpass.',
          ).optional(),
        },
      ),
    },
    metadata: metadata({ auth: 'none', limit: 'health', tag: 'Health' }),
  },
})
