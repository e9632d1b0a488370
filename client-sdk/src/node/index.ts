export { fileTokenStore } from './file-token-store.ts'
