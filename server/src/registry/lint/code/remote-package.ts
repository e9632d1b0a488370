import { rulesOf, type TextCheck } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'

export const remotePackageRules = rulesOf('notice', {
  'remote-package':
    'A package that comes from a bare address, and not from a registry, runs its code at installation and may be another one tomorrow.',
})

const install =
  /(?<![\w-])(?:pip[\d.]{0,4}|uv\s{1,4}pip|pipx|uv\s{1,4}tool|npm|pnpm|yarn|bun|npx|uvx|gem|cargo|go|rpm|dnf|yum|zypper)\s{1,4}(?:(?:install|localinstall|i|in|add|run|x|dlx)\s{1,4})?(?:--?[\w-]{1,30}(?:[= ][\w./-]{1,40})?\s{1,4}){0,4}["']?(?:[\w.-]{1,60}(?:\[[\w,]{1,40}\])?\s{0,2}@\s{0,2})?((?:git\+)?https?:\/\/[^\s"'`|;&)]{4,300})/g

/** Registries' own addresses, which options name. */
const registry =
  /^https?:\/\/(?:pypi\.org|[\w.-]*pythonhosted\.org|registry\.npmjs\.org|download\.pytorch\.org)\//
const option = /(?:index-url|registry|find-links|source|proxy)[= ]["']?$/

/** Finds packages that are installed from an address. */
export const findRemotePackages: TextCheck = ({ text }, report) => {
  if (!text.includes('://')) return
  eachMatch(install, text, (hit) => {
    const url = hit[1] ?? ''
    const before = hit[0].slice(0, -url.length)
    if (registry.test(url) || option.test(before)) return
    report(
      'remote-package',
      'installs a package from an address and not from a registry',
      hit.index,
    )
  })
}
