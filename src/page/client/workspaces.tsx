// Workspaces: separate banks in one server, each with the credentials that a program needs.

import { useEffect, useState } from 'preact/hooks'
import { copy, perform } from './acts.js'
import { ask, type Answer } from './api.js'
import { controlCurl, envOf } from './curl.js'
import { when } from './format.js'
import { useLoad } from './load.js'
import { CopyButton, LoadError, Select } from './parts.js'
import { goTo, linkTo, workspace } from './route.js'

type Workspace = Answer<'GET', '/_sandbox/workspaces'>['workspaces'][number]

export function WorkspacesScreen() {
  const { value, error, reload } = useLoad(
    async () => (await ask('GET', '/_sandbox/workspaces')).workspaces,
    [],
    ['workspace'],
  )
  const [scenario, setScenario] = useState('')
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    ask('GET', '/_sandbox/scenarios').then(
      ({ scenarios }) => setNames(scenarios.map(({ name }) => name)),
      () => undefined,
    )
  }, [])
  const create = async (): Promise<void> => {
    const body = scenario === '' ? {} : { scenario }
    const made = await perform(() => ask('POST', '/_sandbox/workspaces', { body }))
    if (!made) return
    reload()
    await copy(envOf(made), `the .env of the new workspace ${made.name}`)
  }
  if (error !== '' && !value) return <LoadError error={error} retry={reload} />
  if (!value) return null
  return (
    <>
      <form
        class="panel row"
        aria-label="New workspace"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <Select
          label="Starts from"
          value={scenario}
          options={[['', 'as this server started'], ...names.map((name) => [name, name] as const)]}
          onChoose={setScenario}
        />
        <button type="submit" class="primary">
          New workspace
        </button>
        <CopyButton
          name="Copy as curl"
          what="the command"
          text={() => controlCurl('POST', 'workspaces', {})}
        />
      </form>
      <ul class="banks" aria-label="Workspaces">
        {value.map((each) => (
          <One key={each.name} each={each} reload={reload} />
        ))}
      </ul>
    </>
  )
}

function One({ each, reload }: { each: Workspace; reload: () => void }) {
  const { name, scenario, seed, clock } = each
  const isHere = name === workspace.value
  return (
    <li class="panel">
      <h2>
        <a href={linkTo('cards', [], name)}>{name}</a> {isHere && <small>shown here</small>}
      </h2>
      <p class="facts">
        {scenario} · seed {seed} · {when(clock.now)}
        {clock.frozen && ', stands still'}
      </p>
      <pre tabIndex={0} aria-label={`.env of ${name}`}>
        {envOf(each)}
      </pre>
      <div class="acts">
        <CopyButton name="Copy .env" what={`the .env of ${name}`} text={() => envOf(each)} />
        {name !== 'default' && (
          <button
            type="button"
            onClick={() =>
              void perform(
                () => ask('DELETE', '/_sandbox/workspaces/{name}', { params: { name } }),
                `Removed ${name} with everything in it.`,
              ).then(() => {
                if (isHere) goTo('workspaces', [], true, 'default')
                reload()
              })
            }
          >
            Remove {name}
          </button>
        )}
      </div>
    </li>
  )
}
