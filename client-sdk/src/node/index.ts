export {
  type FoundVersion,
  type InstalledSkill,
  type InstallOptions,
  type InstallResult,
  installSkill,
} from '../cli/install/install-skill.ts'
export {
  type PublishOptions,
  type PublishResult,
  publishFolder,
} from '../cli/publish-folder.ts'
export { fileTokenStore } from './file-token-store.ts'
