import { z } from 'zod'
import { approvalsContract } from './apps/approvals.ts'
import { appsContract } from './apps/apps.ts'
import { deliveriesContract } from './apps/deliveries.ts'
import { issueMessage } from './issue-messages.ts'
import { oauthContract } from './oauth/index.ts'
import { chatContract } from './platform/chat.ts'
import { contentAccessContract } from './platform/content-access.ts'
import { platformMcpContract } from './platform/mcp.ts'
import { meetingsContract } from './platform/meetings.ts'
import { pastMeetingsContract } from './platform/past-meetings.ts'
import { recordingsContract } from './platform/recordings.ts'
import { resourceMetadataContract } from './platform/resource-metadata.ts'
import { usersContract } from './platform/users.ts'
import { registryContract } from './registry/index.ts'
import { c } from './router.ts'

z.config({ customError: issueMessage })

/** Version of the service (spec/registry.md#versioning). */
export const apiVersion = '0.2.0'

/** The meeting platform's resource API. */
const platformContract = c.router({
  users: usersContract,
  meetings: meetingsContract,
  pastMeetings: pastMeetingsContract,
  recordings: recordingsContract,
  contentAccess: contentAccessContract,
  chat: chatContract,
  apps: appsContract,
  approvals: approvalsContract,
  deliveries: deliveriesContract,
  mcp: platformMcpContract,
})

/** Every endpoint and every error of Skillpass. */
export const contract = c.router({
  oauth: oauthContract,
  platform: platformContract,
  resources: resourceMetadataContract,
  registry: registryContract,
})

export * from './apps/app.ts'
export { AppApproval, MarketplaceSettings } from './apps/approvals.ts'
export { Delivery } from './apps/deliveries.ts'
export { closestNames, didYouMean, distanceOf } from './closest-names.ts'
export { demo } from './demo.ts'
export * from './double.ts'
export { hiddenRanges } from './hidden-characters.ts'
export * from './hidden-text.ts'
export * from './limits.ts'
export * from './metadata.ts'
export { DeviceCodeResponse } from './oauth/device.ts'
export * from './oauth/endpoint-scopes.ts'
export * from './oauth/errors.ts'
export * from './oauth/events.ts'
export { Introspection } from './oauth/introspect.ts'
export { ServerMetadata } from './oauth/metadata.ts'
export { RegistrationRequest, RegistrationResponse } from './oauth/register.ts'
export * from './oauth/resources.ts'
export * from './oauth/scopes.ts'
export { type GrantType, grantTypes, TokenRequest, TokenResponse } from './oauth/token.ts'
export { webhookHeaders } from './oauth/webhook-headers.ts'
export { ChatMessage, NewChatMessage } from './platform/chat.ts'
export { AppIndicator, ContentAccess } from './platform/content-access.ts'
export * from './platform/errors.ts'
export * from './platform/events.ts'
export { Meeting, MeetingPage } from './platform/meetings.ts'
export {
  defaultSettings,
  MeetingChanges,
  MeetingSettings,
  NewMeeting,
} from './platform/new-meeting.ts'
export { CreatedUser, EmailAddress, NewUser, Password } from './platform/new-user.ts'
export { PastMeeting, PastParticipantPage } from './platform/past-meetings.ts'
export { ProfileChanges, profileFields } from './platform/profile.ts'
export {
  maxOccurrences,
  NewRecurrence,
  Recurrence,
  RecurrenceChanges,
} from './platform/recurrence.ts'
export { ResourceMetadata, resourceMetadataPath } from './platform/resource-metadata.ts'
export { ListedUser, User, UserPage } from './platform/user.ts'
export { UserSettings, userSettings } from './platform/user-settings.ts'
export * from './registry/agents.ts'
export { ApiKey, ApiKeyCreation, NewApiKey } from './registry/api-keys.ts'
export { changesDays, RegistryEvent, RegistryEventType } from './registry/changes.ts'
export { defaultIgnores } from './registry/default-ignores.ts'
export * from './registry/errors.ts'
export { FeedbackResult, FeedbackSubmission, FeedbackSummary } from './registry/feedback.ts'
export { FoundBy } from './registry/fields.ts'
export * from './registry/file-path.ts'
export { NewFiles, SkillManifest } from './registry/files.ts'
export { discoverySchema, LegacySkillsIndex, SkillsIndex } from './registry/installers.ts'
export { SkillFileContent, SkillFileQuery } from './registry/mcp.ts'
export { Notice } from './registry/notices.ts'
export { allowsRole, type MemberRole, memberRoles, Organization } from './registry/organizations.ts'
export { QuarantineAnswer, quarantineRules } from './registry/quarantine.ts'
export { ReportSubmission, reportReasons, SkillReport } from './registry/reports.ts'
export { OwnRepository } from './registry/repositories.ts'
export { ResolvedSkill } from './registry/resolution.ts'
export * from './registry/signed-statement.ts'
export { LintWarning, SkillDetail, SkillItem } from './registry/skill.ts'
export { SkillChanges, SkillMarkdown, SkillPublication } from './registry/skill-publication.ts'
export { SkillTrial } from './registry/trial.ts'
export { Verification, VerificationClaim } from './registry/verifications.ts'
export { NewDeprecation, NewWithdrawal } from './registry/versions.ts'
export { webhooksPerOrganization } from './registry/webhooks.ts'
export * from './remedies.ts'
export { listRoutes, returnsPage } from './router.ts'
export { type FoundSecret, findSecrets } from './secrets/find-secrets.ts'
export {
  createProgress,
  fileErrorMessage,
  type Progress,
  tableLines,
  terminalText,
} from './terminal-text.ts'
export { isStorable, label } from './text.ts'
export { encodingIssue } from './text-encoding.ts'
export { isTimeZone, TimeZone } from './time-zone.ts'
export { findUnknown, findUnknownIn, namesOf, type Refused } from './unknown-names.ts'
export { utf8Length } from './utf8-length.ts'
export { onOneLine, visibleJson, visibleLine, visibleText } from './visible-text.ts'
export { oauthContract, platformContract, registryContract, resourceMetadataContract }
