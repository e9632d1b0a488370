/** What people call each command for, shown by its `--help`. */
const examples: Readonly<Record<string, readonly string[]>> = {
  serve: ['serve', 'serve --json'],
  migrate: ['migrate status', 'migrate up', 'migrate down --yes'],
  import: ['import ./skills', 'import catalogue.jsonl.gz --as importer'],
  apply: ['apply accounts.json', 'apply accounts.json --json > secrets.json'],
  'rotate-secret': ['rotate-secret 3Vx0aZ9mQeT7wKcBn2LfRy'],
  skill: ["skill hide acme/tools/melter --reason 'Line 12 sends ~/.ssh away.'"],
  'skill hide': ["skill hide acme/tools/melter --reason 'Line 12 sends ~/.ssh away.'"],
  'skill unhide': ["skill unhide acme/tools/melter --reason 'Version 4 is harmless.'"],
  'skill delete': ["skill delete acme/tools/melter --reason 'A court has ordered it.' --yes"],
  'skill original': [
    "skill original copycat/tools/pdf acme/tools/pdf --reason 'Published a year later.'",
    "skill original acme/tools/pdf --none --reason 'It is its own work.'",
  ],
  'skill quarantine': ['skill quarantine', 'skill quarantine --json --limit 1000'],
  'skill release': ["skill release acme/tools/melter --reason 'The script is their own.'"],
  'skill hold': ["skill hold acme/tools/melter --reason 'Its digest is checked nowhere.'"],
  agent: ['agent list', "agent block melter-bot --hide-skills --reason 'All its skills do.'"],
  'agent list': ['agent list', 'agent list --blocked --json', 'agent list --after melter-bot'],
  'agent block': ["agent block melter-bot --hide-skills --reason 'All its skills do.'"],
  'agent unblock': ["agent unblock melter-bot --reason 'Its key was stolen; it has another.'"],
  'agent reset-signing-key': ["agent reset-signing-key acme --reason 'They lost the key.'"],
  feedback: ["feedback remove acme/tools/pdf --agent spammer --reason 'An advertisement.'"],
  'feedback remove': [
    "feedback remove acme/tools/pdf --agent spammer --reason 'An advertisement.'",
  ],
  reports: ['reports', 'reports resolve 8f14e45f-ceea-467f-a8d2-0f1e5c6b7a90'],
  'reports list': ['reports list', 'reports list --limit 10 --json'],
  'reports resolve': ['reports resolve 8f14e45f-ceea-467f-a8d2-0f1e5c6b7a90'],
  app: ['app list', 'app show Planner', "app disable Planner --reason 'Its secret has leaked.'"],
  'app list': ['app list', 'app list --disabled --json'],
  'app show': ['app show Planner', 'app show 3Vx0aZ9mQeT7wKcBn2LfRy --json'],
  'app disable': ["app disable Planner --reason 'Its secret has leaked.'"],
  'app enable': ["app enable Planner --reason 'It has another secret.'"],
  'app delete': ["app delete Planner --reason 'Its makers are gone.' --yes"],
  user: [
    'user add ada@globex.test --account Globex --role owner',
    'user list',
    "user disable hank@globex.test --reason 'The laptop was stolen.'",
  ],
  'user add': ['user add ada@globex.test --account Globex --role owner'],
  'user list': ['user list', 'user list --disabled --json'],
  'user disable': ["user disable hank@globex.test --reason 'The laptop was stolen.'"],
  'user enable': ["user enable hank@globex.test --reason 'The password is another.'"],
  token: ['token revoke --user hank@globex.test', 'token revoke --app Planner --yes'],
  'token revoke': [
    'token revoke --user hank@globex.test',
    "token revoke --app Planner --reason 'Its tokens were logged.' --yes",
    'token revoke --user hank@globex.test --app Planner',
  ],
  key: ['key revoke skp_a1B2c3', 'key revoke --agent melter-bot --yes'],
  'key revoke': [
    'key revoke skp_a1B2c3',
    "key revoke --agent melter-bot --reason 'It asked us to.' --yes",
  ],
  stats: ['stats', 'stats --json'],
  check: ['check', 'check --json > check.json'],
  restore: ['restore /backup/skillpass.db', 'restore /backup/skillpass.db --yes'],
  verdicts: ['verdicts', 'verdicts --verdict notice --limit 20'],
  audit: ['audit --since 7d', 'audit --who hank@globex.test --action sign-in'],
  backup: ['backup /backup/skillpass.db'],
  encryption: ['encryption rotate'],
  'encryption rotate': ['encryption rotate', 'encryption rotate --json'],
  config: ['config', 'config --json'],
}

/** The examples of a command, as they stand below its options. */
export const examplesOf = (path: string): string => {
  const lines = examples[path] ?? []
  if (lines.length === 0) return ''
  return ['', 'Examples:', ...lines.map((line) => `  skillpass-server ${line}`)].join('\n')
}
