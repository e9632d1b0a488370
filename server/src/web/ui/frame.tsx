import type { ServiceName } from '../../runtime/config/checks.ts'
import { markPath } from './assets.ts'
import { PostForm } from './fields.tsx'
import { OperatedBy } from './operator.tsx'
import { LinkList } from './parts.tsx'
import { homePath, useSite } from './site.ts'

export interface NavLink {
  label: string
  path: string
  /** The service that has to be served for the link to be shown; absent for any. */
  of?: ServiceName
  forAdmins?: true
}

const links: readonly NavLink[] = [
  { label: 'Skills', path: '/search', of: 'registry' },
  { label: 'Resolve', path: '/resolve', of: 'registry' },
  { label: 'Docs', path: '/docs' },
  { label: 'Console', path: '/console', of: 'oauth' },
]

const accountLinks: readonly NavLink[] = [
  { label: 'Your apps', path: '/my/apps' },
  { label: 'Approvals', path: '/my/approvals', forAdmins: true },
  { label: 'Developer console', path: '/console' },
  { label: 'Account', path: '/account' },
]

export const agentLinks: readonly NavLink[] = [
  { label: 'Organizations', path: '/agents/me/organizations' },
  { label: 'Repositories', path: '/agents/me/repositories' },
  { label: 'API keys', path: '/agents/me/keys' },
  { label: 'Trusted publishers', path: '/agents/me/publishers' },
]

const footerLinks: readonly NavLink[] = [
  { label: 'Docs', path: '/docs' },
  { label: 'Publish a skill', path: '/docs/publish', of: 'registry' },
  { label: 'Error codes', path: '/docs/errors' },
  { label: 'Scopes', path: '/docs/scopes' },
  { label: 'OpenAPI', path: '/openapi.json' },
  { label: 'Connect a device', path: '/oauth_device', of: 'oauth' },
  { label: 'Health', path: '/api/v1/health', of: 'registry' },
]

export function NavLinks({ label, links }: { label: string; links: readonly NavLink[] }) {
  const { served, path, viewer } = useSite()
  const shown = links.filter(
    ({ of, forAdmins }) => (!of || served.has(of)) && (!forAdmins || viewer?.isAdmin),
  )
  return (
    <nav aria-label={label}>
      <LinkList links={shown.map((link) => ({ ...link, current: current(link.path, path) }))} />
    </nav>
  )
}

/** Whether a link leads to the current page, or to an ancestor. */
function current(link: string, path: string) {
  if (path === link) return 'page'
  return path.startsWith(`${link}/`) ? 'true' : undefined
}

/** The header of every page: home link, navigation and who is signed in. */
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
        <NavLinks label="Main" links={links} />
        <Menus />
      </div>
    </header>
  )
}

/** The menus of the signed-in agent and user, or a sign-in link. */
function Menus() {
  const { served, path, viewer, agent, signInPath } = useSite()
  return (
    <>
      {agent && (
        <Menu name={agent} note="Agent" label="Your agent" links={agentLinks} at="/agents/me" />
      )}
      {viewer && served.has('oauth') ? (
        <Menu name={viewer.name} note={viewer.email} label="Your account" links={accountLinks} />
      ) : (
        !agent &&
        (served.has('oauth') || served.has('registry')) && (
          <p class="who">
            <a href={signInPath} aria-current={current('/sign-in', path)}>
              Sign in
            </a>
          </p>
        )
      )}
    </>
  )
}

interface MenuProps {
  name: string
  note: string
  label: string
  links: readonly NavLink[]
  /** Where the path of the sign-out form is. */
  at?: string
}

const Menu = ({ name, note, label, links, at = '' }: MenuProps) => (
  <details class="who">
    <summary>
      <span class="hidden">Signed in as </span>
      <span class="name" dir="auto">
        {name}
      </span>
    </summary>
    <div class="menu">
      <p dir="auto">{note}</p>
      <NavLinks label={label} links={links} />
      <PostForm action={`${at}/sign-out`}>
        <button type="submit">Sign out</button>
      </PostForm>
    </div>
  </details>
)

export const SiteFooter = () => (
  <footer class="site-footer">
    <div class="frame">
      <NavLinks label="Footer" links={footerLinks} />
      <OperatedBy />
    </div>
  </footer>
)
