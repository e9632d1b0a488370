/**
 * The requests of unmodified installers from npm for skills that `author-1` has published, as
 * `publishRecorded` publishes them. All are GET; each line has the path, `Accept` and the status of
 * the response. The long tests compare them with the requests of the real installers.
 */
export interface Recording {
  readonly command: string
  readonly requests: readonly string[]
}

const any = (status: number, path: string) => `${path} */* ${status}`
const json = (status: number, path: string) => `${path} application/json ${status}`

/** Both forms of the index, at the address and at the root. */
const indexes = (address: string, status = 200) => [
  any(status, `${address}/.well-known/agent-skills/index.json`),
  any(200, '/.well-known/agent-skills/index.json'),
  any(status, `${address}/.well-known/skills/index.json`),
  any(200, '/.well-known/skills/index.json'),
]

const skillMd = any(
  200,
  '/author-1/skills/single-file/.well-known/agent-skills/single-file/SKILL.md?version=1',
)
const archive = (slug: string, file: string) => [
  any(308, `/author-1/skills/${slug}/.well-known/agent-skills/${slug}/${file}`),
  any(200, `/author-1/skills/${slug}/${file}`),
]
const tarGz = archive('whole-folder', 'archive.tar.gz?version=1')
const zip = archive('long-path', 'archive.zip?version=1')

/** `skills` 1.5.18 and 1.7.4. The downloads of one command may have any order. */
export const skillsRecordings: readonly Recording[] = [
  { command: 'add /author-1', requests: [...indexes('/author-1'), skillMd, ...tarGz, ...zip] },
  {
    command: 'add /author-1/skills',
    requests: [...indexes('/author-1/skills'), skillMd, ...tarGz, ...zip],
  },
  {
    command: 'add /author-1/skills/whole-folder',
    requests: [...indexes('/author-1/skills/whole-folder'), ...tarGz],
  },
  {
    command: 'add /author-1/skills@single-file',
    requests: [...indexes('/author-1/skills@single-file'), skillMd],
  },
  {
    command: 'add /author-1/skills/long-path',
    requests: [...indexes('/author-1/skills/long-path'), ...zip],
  },
]

const start = json(200, '/.well-known/clawhub.json')
const api = '/clawhub/api/v1'
const owner = 'ownerHandle=author-1'
const download = (slug: string) => [
  any(308, `${api}/download?slug=${slug}&${owner}&version=1.0.0`),
  any(200, `/author-1/skills/${slug}/archive.zip?version=1`),
]
const install = (slug: string) => [
  start,
  json(200, `${api}/skills/${slug}?${owner}`),
  ...download(slug),
]

export const clawhubRecordings: readonly Recording[] = [
  {
    command: 'search single-file',
    requests: [start, json(200, `${api}/search?q=single-file&limit=25`)],
  },
  { command: 'install @author-1/single-file', requests: install('single-file') },
  { command: 'install @author-1/whole-folder', requests: install('whole-folder') },
  {
    command: 'install @author-1/long-path --version 1.0.0',
    requests: [
      start,
      json(200, `${api}/skills/long-path?${owner}`),
      json(200, `${api}/skills/long-path/versions/1.0.0?${owner}`),
      ...download('long-path'),
    ],
  },
  { command: 'install single-file', requests: [start, json(404, `${api}/skills/single-file`)] },
]
