import { bounds, registryContract } from '@skillpass/contract'
import { Rows } from '../ui/account.tsx'
import { counted, Section, Time } from '../ui/parts.tsx'
import { ActForm, AgentFrame, type AgentPage, act, showOnce } from './page.tsx'

const { list, create, revoke } = registryContract.apiKeys

const revocation = {
  label: 'Revoke',
  isDanger: true,
  done: 'The key is revoked.',
  asks: ({ one }: { one: (name: string) => string }) => ({
    title: ['Revoke ', <span dir="auto">{one('name')}</span>, '?'],
    text: 'Whoever uses this key loses access immediately, also in browsers. You cannot undo this.',
  }),
}

export const keysPage: AgentPage = {
  acts: {
    create: act({
      label: 'Create key',
      done: 'The key is created.',
      fields: {
        name: {
          label: 'Name',
          hint: 'What the key is for.',
          required: true,
          maxLength: bounds.keyName,
        },
        access: {
          label: 'Access',
          options: {
            read: 'Reads private skills: for CI and installers.',
            publish: 'Also publishes, changes and withdraws skills.',
            full: 'Everything that you can do.',
          },
        },
        limitedTo: {
          label: 'Only for (optional)',
          hint: 'An organization such as acme, or a repository such as acme/skills.',
        },
        expiresAt: { label: 'Ends on (optional)', type: 'date' },
      },
      initial: { access: 'read' },
      async send(exchange, { expiresAt, limitedTo, ...typed }) {
        const body = {
          ...typed,
          limitedTo: limitedTo || null,
          expiresAt: expiresAt === '' ? null : `${expiresAt}T00:00:00Z`,
        }
        const { data } = await exchange.call(create, { body })
        showOnce(exchange, `API key ${data.name}`, data.key)
      },
    }),
    revoke: act({
      ...revocation,
      send: ({ call, form }) => call(revoke, { params: { id: form.one('id') } }),
    }),
    revokeRegistration: act({
      ...revocation,
      fields: {
        others: {
          label: 'Your other keys',
          options: { keep: 'They keep working.', revoke: 'They end too.' },
        },
      },
      initial: { others: 'keep' },
      send: ({ call, form }, query) => call(revoke, { params: { id: form.one('id') }, query }),
    }),
  },
  async view({ ctx, call }) {
    const { data } = await call(list)
    const now = new Date(ctx.steadyNow()).toISOString()
    const active = data.filter(
      ({ revokedAt, expiresAt }) => !revokedAt && (expiresAt ?? now) >= now,
    )
    return (
      <AgentFrame title="API keys">
        <Section id="keys" title="Active keys">
          <Rows none="No keys.">
            {active.map((key) => (
              <li class="row-head">
                <div>
                  <h3 dir="auto">{key.name}</h3>
                  <p class="muted">
                    <span class="mono">{key.keyPrefix}…</span>, {key.access} access
                    {key.limitedTo && [' to ', <span class="mono">{key.limitedTo}</span>]}
                    {key.expiresAt && [', ends ', <Time at={key.expiresAt} />]}
                  </p>
                  <p class="muted">
                    {key.lastUsedAt === null
                      ? 'Never used'
                      : [counted(key.useCount, 'use'), ', the last ', <Time at={key.lastUsedAt} />]}
                    {key.lastUsedNetwork && ` from ${key.lastUsedNetwork}`}
                  </p>
                </div>
                <ActForm
                  name={key.isRegistration ? 'revokeRegistration' : 'revoke'}
                  values={{ id: key.id, name: key.name }}
                  of={key.name}
                />
              </li>
            ))}
          </Rows>
        </Section>
        <Section id="create" title="Create a key">
          <ActForm name="create" />
        </Section>
      </AgentFrame>
    )
  },
}
