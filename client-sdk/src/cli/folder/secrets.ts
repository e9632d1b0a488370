import { findSecrets } from '../../generated/contract/secrets/find-secrets.ts'
import { ignoreRules, isIgnored } from './gitignore.ts'

/** Files in which programs keep credentials, in the form of a `.gitignore`, in lower case. */
const credentialFiles = ignoreRules(
  '',
  `
*.env
.env.*
!.env.example*
!.env.sample*
!.env.template*
!.env.*.example
!example.env
!sample.env
!template.env
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
kubeconfig
*.kubeconfig
id_rsa
id_dsa
id_ecdsa
id_ed25519
*.p12
*.pfx
*.jks
*.keystore
*.ppk
*.kdbx
**/.aws/credentials
**/.azure/*.json
**/.cargo/credentials
**/.cargo/credentials.toml
**/.config/gh/hosts.yml
**/.docker/config.json
**/.gem/credentials
**/.kube/config
**/.gnupg/**
**/.ssh/**
**/gcloud/*.db
`,
)

/**
 * Why a file must not be published by accident, as the end of a sentence: what is published is public for good.
 * Undefined if it holds no credentials, by its name and its text.
 */
export function secretsTrouble(path: string, bytes: Uint8Array): string | undefined {
  const why = isIgnored([credentialFiles], path.toLowerCase(), false)
    ? 'programs keep credentials in files of this name'
    : secretIn(bytes, path.endsWith('.md'))
  return why && `holds secrets by its looks (${why}); --with-secrets publishes it all the same`
}

function secretIn(bytes: Uint8Array, isMarkdown: boolean): string | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  // Markdown may show how a key begins.
  if (!isMarkdown && /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'a private key'
  // A NUL makes it binary, as Git has it.
  const [first] = bytes.includes(0) ? [] : findSecrets(text)
  return first && `${first.kind} in line ${text.slice(0, first.index).split('\n').length}`
}
