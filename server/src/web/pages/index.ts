/** Every page as a function of its data, for the routes and for tests. */
export { renderAgentPage } from './agent.tsx'
export { type ErrorPageData, renderErrorPage } from './error.tsx'
export { type HomePageData, renderHomePage } from './home.tsx'
export { renderSearchPage, type SearchPageData } from './search.tsx'
export { renderSkillPage, type SkillPageData } from './skill.tsx'
