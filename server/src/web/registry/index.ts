/** The registry's pages and that of an error, as functions of their data: for the routes and for tests. */

export { type ErrorPageData, renderErrorPage } from '../ui/error-page.tsx'
export { renderAgentPage } from './agent.tsx'
export { renderHomePage } from './home.tsx'
export { renderLintPage } from './lint.tsx'
export { renderResolvePage } from './resolve.tsx'
export { renderSearchPage } from './search.tsx'
export { renderSkillPage } from './skill.tsx'
