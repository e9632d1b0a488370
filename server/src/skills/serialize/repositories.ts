import { serializeRepository } from '../../discovery/serialize/skills.ts'
import { isoTime } from '../../runtime/time.ts'
import type { OwnRepository } from '../store/repositories.ts'

/** A repository as its own agent sees it. */
export const serializeOwnRepository = (repository: OwnRepository) => ({
  ...serializeRepository(repository),
  skillCount: repository.skillCount,
  createdAt: isoTime(repository.createdAt),
})
