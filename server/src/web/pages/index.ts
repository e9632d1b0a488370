/** The registry's pages and that of an error, as functions of their data: for the routes and for tests. */
export { renderAgentPage } from './agent.tsx'
export { type ErrorPageData, renderErrorPage } from './error.tsx'
export { renderHomePage } from './home.tsx'
export { renderLintPage } from './lint.tsx'
export { renderResolvePage } from './resolve.tsx'
export { renderSearchPage } from './search.tsx'
export { renderSkillPage } from './skill.tsx'
