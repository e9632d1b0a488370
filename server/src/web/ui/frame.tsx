import type { ServiceName } from '../../config/checks.ts'
import { PostForm } from './account.tsx'
import { markPath } from './assets.ts'
import { homePath, useSite } from './site.ts'

interface Place {
  label: string
  path: string
  /** The service whose pages it stands among; absent where it is always there. */
  of?: ServiceName
  forAdmins?: true
}

const places: readonly Place[] = [
  { label: 'Skills', path: '/search', of: 'registry' },
  { label: 'Resolve', path: '/resolve', of: 'registry' },
  { label: 'Docs', path: '/docs' },
  { label: 'Console', path: '/console', of: 'oauth' },
  { label: 'Your apps', path: '/my/apps', of: 'oauth' },
  { label: 'Approvals', path: '/my/approvals', of: 'oauth', forAdmins: true },
]

const footerPlaces: readonly Place[] = [
  { label: 'Docs', path: '/docs' },
  { label: 'Error codes', path: '/docs/errors' },
  { label: 'Scope list', path: '/docs/scopes' },
  { label: 'OpenAPI', path: '/openapi.json' },
  { label: 'Connect a device', path: '/oauth_device', of: 'oauth' },
  { label: 'Health', path: '/api/v1/health', of: 'registry' },
]

function Places({ label, places }: { label: string; places: readonly Place[] }) {
  const { served, path, viewer } = useSite()
  const shown = places.filter(
    ({ of, forAdmins }) => (!of || served.has(of)) && (!forAdmins || viewer?.isAdmin),
  )
  return (
    <nav aria-label={label}>
      <ul>
        {shown.map((place) => (
          <li key={place.path}>
            <a href={place.path} aria-current={current(place.path, path)}>
              {place.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** How a place relates to the page that is shown: it is that page, or what stands above it. */
function current(place: string, path: string) {
  if (path === place) return 'page'
  return path.startsWith(`${place}/`) ? 'true' : undefined
}

/** The header of every page: the way home, the places of the site, and who is signed in. */
export function SiteHeader() {
  const site = useSite()
  return (
    <header class="site-header">
      <div class="frame">
        <a class="brand" href={homePath(site)}>
          <svg viewBox="0 0 20 20" width="22" height="22" aria-hidden="true">
            <path fill-rule="evenodd" d={markPath} />
          </svg>
          Skillpass
        </a>
        <Places label="Main" places={places} />
        {site.served.has('oauth') && <Who />}
      </div>
    </header>
  )
}

/** Who is signed in, and the way out; else the way in. */
function Who() {
  const { path, viewer, signInPath } = useSite()
  if (!viewer) {
    return (
      <p class="who">
        <a href={signInPath} aria-current={current('/sign-in', path)}>
          Sign in
        </a>
      </p>
    )
  }
  return (
    <div class="who">
      <span class="name" title={viewer.email} dir="auto">
        <span class="hidden">Signed in as </span>
        {viewer.name}
      </span>
      <PostForm action="/sign-out">
        <button type="submit">Sign out</button>
      </PostForm>
    </div>
  )
}

export const SiteFooter = () => (
  <footer class="site-footer">
    <div class="frame">
      <Places label="Footer" places={footerPlaces} />
    </div>
  </footer>
)
