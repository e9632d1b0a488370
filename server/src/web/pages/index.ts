/** Every page as a function of its data, for the routes and for tests. */
export { type AddedAppsPageData, renderAddedAppsPage } from './added-apps.tsx'
export { renderAgentPage } from './agent.tsx'
export { type ApprovalsPageData, renderApprovalsPage } from './approvals.tsx'
export { type ConsentPageData, renderConsentPage } from './consent.tsx'
export { renderConsolePage } from './console.tsx'
export { renderAppPage } from './console-app.tsx'
export { renderAppMessagesPage } from './console-messages.tsx'
export { renderMigrationPage } from './console-migration.tsx'
export { renderNewAppPage, renderRegisteredPage } from './console-new.tsx'
export { renderAppRedirectsPage } from './console-redirects.tsx'
export { renderAppScopesPage } from './console-scopes.tsx'
export { renderAppWebhooksPage } from './console-webhooks.tsx'
export {
  renderDeviceConfirmationPage,
  renderDeviceDonePage,
  renderDeviceEntryPage,
} from './device.tsx'
export { type ErrorPageData, renderErrorPage } from './error.tsx'
export { type HomePageData, renderHomePage } from './home.tsx'
export { type MeetingPageData, renderMeetingPage } from './meeting.tsx'
export { type MeetingPasscodePageData, renderMeetingPasscodePage } from './meeting-passcode.tsx'
export { type ObstaclePageData, renderObstaclePage } from './obstacle.tsx'
export { renderRefusalPage } from './refusal.tsx'
export { type ResolvePageData, renderResolvePage } from './resolve.tsx'
export { renderSearchPage, type SearchPageData } from './search.tsx'
export { renderSignInPage, type SignInPageData } from './sign-in.tsx'
export { renderSkillPage, type SkillPageData } from './skill.tsx'
