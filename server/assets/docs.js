const root = document.getElementById('swagger-ui')
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// Swagger UI filters by tag only. Filter by operation, and expand the tags with matches.
const search = (phrase) => {
  const words = phrase.toLowerCase().split(/\s+/)
  return (operation, tag) => {
    const { path, method } = operation.toObject()
    const about = operation.get('operation')
    // Swagger UI changes the id of an expanded operation.
    const id = about.get('__originalOperationId', about.get('operationId'))
    const text = [tag, method, path, about.get('summary'), id].join(' ')
    return words.every((word) => text.toLowerCase().includes(word))
  }
}
const findOperations = (tags) => () => ({
  fn: {
    opsFilter: (tagged, phrase) => {
      const fits = search(phrase)
      return tagged
        .map((one, tag) => one.update('operations', (all) => all.filter((each) => fits(each, tag))))
        .filter((one) => one.get('operations').size > 0)
    },
  },
  statePlugins: {
    layout: {
      wrapActions: {
        updateFilter: (original, system) => (phrase) => {
          const isShown = Boolean(phrase)
          for (const { name } of tags) system.layoutActions.show(['operations-tag', name], isShown)
          return original(phrase || true)
        },
      },
    },
  },
})

// Swagger UI sends every field of a form. Prefill only the fields of the form's example.
const formType = 'application/x-www-form-urlencoded'
const fillForms = ({ paths, components }) => {
  for (const { requestBody } of Object.values(paths).flatMap(Object.values)) {
    const form = requestBody?.content[formType]
    if (!form) continue
    const shown = form.example || Object.values(form.examples)[0].value
    const { properties } = components.schemas[form.schema.$ref.split('/').pop()]
    for (const [name, field] of Object.entries(properties)) field.example = shown[name] || ''
  }
}

const start = (spec) => {
  fillForms(spec)
  const ui = SwaggerUIBundle({
    spec,
    domNode: root,
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [findOperations(spec.tags)],
    layout: 'BaseLayout',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
    oauth2RedirectUrl: new URL('/docs/oauth2-redirect.html', location.href).href,
  })
  ui.initOAuth({
    clientId: root.dataset.clientId || '',
    usePkceWithAuthorizationCodeGrant: true,
  })
}

fetch('/openapi.json')
  .then((answer) => answer.json())
  .then(start)
  .catch(() => {
    root.textContent = 'The API document could not be loaded. Reload the page.'
  })
