const examples = [
  'serve',
  'serve --json',
  'migrate status',
  'migrate up',
  'migrate down --yes',
  'import ./skills',
  'import catalogue.jsonl.gz --as importer',
  'mirror add https://skills.example.com/acme --into acme-mirror --approve',
  'mirror list',
  'mirror run acme-mirror',
  'mirror remove https://skills.example.com/acme',
  'apply accounts.json',
  'apply accounts.json --json > secrets.json',
  'rotate-secret 3Vx0aZ9mQeT7wKcBn2LfRy',
  "skill hide acme/tools/melter --reason 'Line 12 uploads ~/.ssh.'",
  "skill unhide acme/tools/melter --reason 'Version 4 is harmless.'",
  "skill delete acme/tools/melter --reason 'Court order.' --yes",
  "skill original copycat/tools/pdf acme/tools/pdf --reason 'Published a year later.'",
  "skill original acme/tools/pdf --none --reason 'Independent work.'",
  'skill quarantine',
  'skill quarantine --json --limit 1000',
  "skill release acme/tools/melter --reason 'False positive.'",
  "skill hold acme/tools/melter --reason 'It does not verify the download.'",
  'agent list --blocked --json',
  "agent block melter-bot --hide-skills --reason 'Its skills steal keys.'",
  "agent unblock melter-bot --reason 'The stolen key is revoked.'",
  "agent reset-signing-key acme --reason 'The owner lost the key.'",
  "feedback remove acme/tools/pdf --agent spammer --reason 'Advertising.' --yes",
  'reports list --limit 10 --json',
  'reports resolve 8f14e45f-ceea-467f-a8d2-0f1e5c6b7a90',
  'app list --disabled --json',
  'app show Planner',
  "app disable Planner --reason 'Its secret has leaked.'",
  "app enable Planner --reason 'The secret was rotated.'",
  "app delete Planner --reason 'Abandoned by its developer.' --yes",
  'user add ada@globex.test --account Globex --create-account --role owner',
  'user list --disabled --json',
  "user disable hank@globex.test --reason 'The laptop was stolen.'",
  "user enable hank@globex.test --reason 'The password was changed.'",
  'user set-password hank@globex.test',
  'user set-password hank@globex.test --stdin < password.txt',
  'token revoke --user hank@globex.test',
  "token revoke --app Planner --reason 'Its tokens appeared in a log.' --yes",
  'key revoke skp_a1B2c3',
  "key revoke --agent melter-bot --reason 'Requested by the agent.' --yes",
  'stats --json',
  'check --json > check.json',
  'restore /backup/skillpass.db --yes',
  'audit --since 7d',
  'audit --who hank@globex.test --action sign-in',
  'backup /backup/skillpass.db',
  'encryption rotate',
  'demo credentials',
  'demo credentials --json',
  'double --seed seed.json',
  'double --port 4100 --limits vendor',
  'config --json',
]

const maxExamples = 3

/** Formats the first examples of a command and its subcommands for `--help`. */
export const examplesOf = (path: string): string => {
  const lines = examples.filter((line) => `${line} `.startsWith(`${path} `))
  if (lines.length === 0) return ''
  const shown = lines.slice(0, maxExamples).map((line) => {
    const example = `  skillpass-server ${line}`
    return example.length > 80 ? example.replace(/^(.{1,78}) (?=--)/, '$1 \\\n      ') : example
  })
  return ['', 'Examples:', ...shown].join('\n')
}
