export {
  type FoundVersion,
  type InstallOptions,
  type InstallResult,
  installSkill,
} from '../cli/install/install-skill.ts'
export type { InstalledSkill } from '../cli/install/installer.ts'
export {
  type PublishOptions,
  type PublishResult,
  publishFolder,
} from '../cli/publish-folder.ts'
export { fileTokenStore } from './file-token-store.ts'
