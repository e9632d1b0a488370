import { findSecrets } from '../../contract/secrets/find-secrets.ts'
import { utf16Of } from '../../contract/text-encoding.ts'
import { ignoreRules, isIgnored } from './gitignore.ts'

/** Files in which programs keep credentials, in the form of a `.gitignore`, in lower case. */
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

/** How names end that are given to what was copied or put aside. */
const asideEnding = /(?:\.(?:backup|bak|copy|old|orig|save|swp|tmp|\d)|~)+$/

/**
 * Why a file must not be published by accident, as the end of a sentence: what is published is public for good.
 * Undefined if it holds no credentials, by its name and its text.
 */
export function secretsTrouble(path: string, bytes: Uint8Array): string | undefined {
  const name = path.toLowerCase().replace(asideEnding, '')
  const why = isIgnored([credentialFiles], name, false)
    ? 'programs keep credentials in files of this name'
    : secretIn(bytes, path.endsWith('.md'))
  return why && `holds secrets by its looks (${why}); --with-secrets publishes it all the same`
}

function secretIn(bytes: Uint8Array, isMarkdown: boolean): string | undefined {
  const utf16 = bytes.includes(0) ? utf16Of(bytes) : undefined
  const text = utf16 ? new TextDecoder(utf16).decode(bytes) : Buffer.from(bytes).toString('latin1')
  // Markdown may show how a key begins.
  if (!isMarkdown && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'a private key'
  // A NUL makes it binary, as Git has it.
  const [first] = text.includes('\0') ? [] : findSecrets(text)
  return first && `${first.kind} in line ${text.slice(0, first.index).split('\n').length}`
}
