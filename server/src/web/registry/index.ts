/** The registry's pages and that of an error, as functions of their data: for the routes and for tests. */

export { type ErrorPageData, errorPage } from '../ui/error-page.tsx'
export { renderPage } from '../ui/layout.tsx'
export { agentPage } from './agent.tsx'
export { homePage } from './home.tsx'
export { lintPage, lintRulePage } from './lint.tsx'
export { resolvePage } from './resolve.tsx'
export { searchPage } from './search.tsx'
export { skillPage } from './skill.tsx'
export { sourcePage } from './source.tsx'
