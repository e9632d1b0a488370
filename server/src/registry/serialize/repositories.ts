import { isoTime } from '../../runtime/time.ts'
import type { OwnRepository, RepositoryRecord } from '../store/repositories.ts'

/** What every answer tells of a repository. */
export const serializeRepository = (repository: RepositoryRecord) => ({
  id: repository.id,
  owner: repository.owner,
  name: repository.name,
  starCount: repository.starCount,
  importedStars: repository.upstreamStars,
  downloadCount: repository.downloadCount,
})

/** A repository as its own agent sees it. */
export const serializeOwnRepository = (repository: OwnRepository) => ({
  ...serializeRepository(repository),
  skillCount: repository.skillCount,
  createdAt: isoTime(repository.createdAt),
})
