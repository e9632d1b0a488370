// Puts the built contract into the client's own dist: @skillpass/contract is not published, so the
// tarball must carry it. Source maps stay out, since the sources they name do too.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const from = fileURLToPath(new URL('../contract/dist', import.meta.url))
const to = fileURLToPath(new URL('./dist/contract', import.meta.url))

rmSync(to, { recursive: true, force: true })
cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.map') })
for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|ts)$/.test(name)) continue
  const path = join(to, name)
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''))
}
