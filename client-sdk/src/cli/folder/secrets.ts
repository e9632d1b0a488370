import { findSecrets } from '../../contract/secrets/find-secrets.ts'
import { detectUtf16 } from '../../contract/text-encoding.ts'
import { ignoreRules, isIgnored } from './gitignore.ts'

/** Names of files that usually hold credentials, in `.gitignore` syntax and lower case. */
const credentialFiles = ignoreRules(
  '',
  `
kubeconfig*
*kubeconfig
*kubeconfig.y*ml
id_rsa*
id_dsa*
id_ecdsa*
id_ed25519*
!*.md
!*.go
!*.js
!*.py
!*.sh
!*.ts
*.env
.env[-_.]*
.envrc
.npmrc
.netrc
_netrc
.pypirc
.pgpass
pgpass.conf
.my.cnf
.mylogin.cnf
.git-credentials
.htpasswd
.dockercfg
.terraformrc
terraform.rc
credentials.tfrc.json
*.tfstate
.vault-token
.s3cfg
.boto
.credentials.json
application_default_credentials.json
*.p12
*.pfx
*.jks
*.keystore
*.ppk
*.kdbx
**/.aws/config
**/.aws/credentials
**/.aws/*/cache/**
**/.azure/*.json
**/.cargo/credentials
**/.cargo/credentials.toml
**/.config/gh/hosts.yml
**/.docker/config.json
**/.gem/credentials
**/.kube/config*
**/.gnupg/**
**/.ssh/**
**/gcloud/*.db
**/gcloud/legacy_credentials/**
**/git/credentials
!*.pub
!*[-_.]example
!*[-_.]sample
!*[-_.]template
!*example.env
!*sample.env
!*template.env
`,
)

const backupSuffix = /(?:\.(?:backup|bak|copy|old|orig|save|swp|tmp|\d)|~)+$/

/**
 * Returns why a file looks like credentials, as the end of a sentence; undefined if it does not.
 */
export function secretsProblem(path: string, bytes: Uint8Array): string | undefined {
  const name = path.toLowerCase().replace(backupSuffix, '')
  const why = isIgnored([credentialFiles], name, false)
    ? 'files with this name usually hold credentials'
    : secretIn(bytes, path.endsWith('.md'))
  return why && `looks like it holds secrets (${why}); to publish it anyway, use --with-secrets`
}

function secretIn(bytes: Uint8Array, isMarkdown: boolean): string | undefined {
  const utf16 = bytes.includes(0) ? detectUtf16(bytes) : undefined
  const text = utf16 ? new TextDecoder(utf16).decode(bytes) : Buffer.from(bytes).toString('latin1')
  // Documentation may quote the first line of a key.
  if (!isMarkdown && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'a private key'
  // Like Git, treat a file with a NUL as binary.
  const [first] = text.includes('\0') ? [] : findSecrets(text)
  return first && `${first.kind} in line ${text.slice(0, first.index).split('\n').length}`
}
