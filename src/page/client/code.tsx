// Code: main.js of a card, its variables and its versions. Unsaved text is stored in this browser.

import { useEffect, useRef, useState } from 'preact/hooks'
import { perform, performUndoable, say } from './acts.js'
import { ask, base, type Answer } from './api.js'
import { controlCurl } from './curl.js'
import { diffLines } from './diff.js'
import type { Editor, Finding } from './editor.js'
import { when } from './format.js'
import { useKey } from './keys.js'
import { useLoad } from './load.js'
import { CopyButton, Dialog, Empty, LoadError, Select, DecisionSign } from './parts.js'
import {
  PurchaseFields,
  PurchasePanel,
  swipeCard,
  typedPurchase,
  type CardSummary,
  type Purchase,
} from './purchase.js'
import { goTo, linkTo, route, workspace } from './route.js'
import { HookSteps } from './hook-steps.js'
import { Variables } from './variables.js'

type Program = Answer<'GET', '/_sandbox/cards/{cardkey}/program'>
type Decision = Answer<'POST', '/_sandbox/cards/{cardkey}/simulate'>
/** A decision, and the draft that made it. */
type DraftDecision = Decision & { readonly code: string }

export function CodeScreen() {
  const [chosen, line] = route.value.rest
  const { value, error, reload } = useLoad(() => ask('GET', '/_sandbox/cards'), [], ['card'])
  const cards = value?.cards.filter(({ IsProgrammable }) => IsProgrammable)
  const card = cards?.find(({ CardKey }) => CardKey === chosen)
  useEffect(() => {
    const [first] = cards ?? []
    if (chosen === undefined && first) goTo('code', [first.CardKey], true)
  }, [value, chosen])
  if (error !== '' && !cards) return <LoadError error={error} retry={reload} />
  if (!cards) return null
  if (cards.length === 0)
    return <Empty title="No card of this bank takes code.">Choose another scenario above.</Empty>
  return (
    <>
      <div class="row">
        <Select
          label="Card"
          value={chosen ?? ''}
          options={cards.map((each) => [each.CardKey, `${each.CardKey} ${each.accountName}`])}
          onChoose={(key) => goTo('code', [key])}
        />
        {card && <a href={linkTo('cards', [card.CardKey])}>Its transactions</a>}
      </div>
      {chosen !== undefined && !card && (
        <Empty title={`Card ${chosen} takes no code, or is not here.`}>
          <a href={linkTo('code')}>Show the first card that does</a>
        </Empty>
      )}
      {card && (
        <CardCode key={card.CardKey} card={card} line={line === undefined ? undefined : Number(line)} />
      )}
    </>
  )
}

const draftKey = (cardKey: string): string => `sandbox-server draft ${base} ${workspace.value} ${cardKey}`

/** The draft of a card; a text that equals the saved code is not a draft. */
function useDraft(cardKey: string, saved: string | undefined): [string, (code: string) => void] {
  const [draft, set] = useState<string | null>(() => localStorage.getItem(draftKey(cardKey)))
  useEffect(() => {
    if (draft === null || draft !== saved) return
    localStorage.removeItem(draftKey(cardKey))
    set(null)
  }, [draft, saved])
  return [
    draft ?? saved ?? '',
    (code) => {
      localStorage.setItem(draftKey(cardKey), code)
      set(code)
    },
  ]
}

const lintOf =
  ({ variables }: Program) =>
  async (code: string): Promise<readonly Finding[]> =>
    (await ask('POST', '/_sandbox/lint', { body: { code, variables } })).findings

const save = (cardkey: string, code: string): void =>
  void perform(
    () => ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body: { code } }),
    ({ version }) => `Saved as version ${version}. It is not published yet.`,
  )

const publish = (cardkey: string, code: string): void =>
  void performUndoable(
    'publishing code',
    () =>
      ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body: { code, publish: true } }),
    ({ publishedVersion }) => `Version ${publishedVersion ?? ''} is published: it decides the next purchase.`,
  )

const switchCode = (cardkey: string, enabled: boolean): void =>
  void performUndoable(
    enabled ? 'switching code on' : 'switching code off',
    () => ask('PUT', '/_sandbox/cards/{cardkey}/program', { params: { cardkey }, body: { enabled } }),
    enabled ? 'Published code runs on purchases.' : 'No code runs on purchases.',
  )

/** Acts on the typed purchase, if its amount is valid. */
function withPurchase(act: (purchase: Purchase) => void): void {
  const purchase = typedPurchase()
  if (purchase) act(purchase)
  else say('Type an amount such as 600 or 84,95.', true)
}

const useProgram = (cardkey: string) =>
  useLoad(() => ask('GET', '/_sandbox/cards/{cardkey}/program', { params: { cardkey } }), [cardkey], ['card'])

interface Acts {
  readonly simulate: () => void
  readonly save: () => void
  readonly publish: () => void
}

/** Binds the keys of the acts, and keeps the latest acts for the editor, which binds the same keys itself. */
function useActs(latest: Acts): { readonly current: Acts } {
  const acts = useRef(latest)
  acts.current = latest
  useKey('mod+Enter', () => acts.current.simulate())
  useKey('mod+s', () => acts.current.save())
  useKey('mod+shift+Enter', () => acts.current.publish())
  return acts
}

/** What the draft decided when it was last simulated, and the function that simulates it. */
function useSimulation(cardkey: string, code: string): [DraftDecision | undefined, () => void] {
  const [decision, setDecision] = useState<DraftDecision>()
  const simulate = (): void =>
    withPurchase(({ centsAmount, merchant }) => {
      const question = { params: { cardkey }, body: { code, centsAmount, merchant } }
      void perform(() => ask('POST', '/_sandbox/cards/{cardkey}/simulate', question)).then((done) => {
        if (done) setDecision({ ...done, code })
      })
    })
  return [decision, simulate]
}

function CardCode({ card, line }: { card: CardSummary; line: number | undefined }) {
  const { CardKey: cardkey } = card
  const program = useProgram(cardkey)
  const saved = program.value
  const [code, setCode] = useDraft(cardkey, saved?.code)
  const [decision, simulate] = useSimulation(cardkey, code)
  const [isPublishing, setPublishing] = useState(false)
  const editor = useRef<Editor>(undefined)

  const acts = useActs({ simulate, save: () => save(cardkey, code), publish: () => setPublishing(true) })
  useEffect(() => {
    if (saved && localStorage.getItem(draftKey(cardkey)) === null) editor.current?.set(saved.code)
  }, [saved?.code])

  if (program.error !== '' && !saved) return <LoadError error={program.error} retry={program.reload} />
  if (!saved) return null
  const take = (text: string): void => editor.current?.set(text)
  const discard = (): void => {
    setCode(saved.code)
    take(saved.code)
  }
  return (
    <div class="split code-screen">
      <section aria-label="Code">
        <p class="facts">
          <State program={saved} isDraft={code !== saved.code} />
        </p>
        <EditorPane
          code={code}
          line={line}
          editor={editor}
          onChange={setCode}
          lint={lintOf(saved)}
          acts={acts}
        />
        <CodeButtons
          cardkey={cardkey}
          program={saved}
          code={code}
          isPublishing={isPublishing}
          startPublishing={() => setPublishing(true)}
          discard={discard}
        />
      </section>
      <section aria-label="Simulation" class="detail">
        <Simulation cardkey={cardkey} decision={decision} simulate={simulate} />
        <Variables cardKey={cardkey} variables={saved.variables} />
        <Versions cardKey={cardkey} take={take} />
      </section>
      {isPublishing && (
        <PublishDialog
          program={saved}
          code={code}
          publish={() => publish(cardkey, code)}
          close={() => setPublishing(false)}
        />
      )}
    </div>
  )
}

interface ButtonsProps {
  readonly cardkey: string
  readonly program: Program
  readonly code: string
  readonly isPublishing: boolean
  readonly startPublishing: () => void
  readonly discard: () => void
}

function CodeButtons({ cardkey, program, code, isPublishing, startPublishing, discard }: ButtonsProps) {
  const isDraft = code !== program.code
  return (
    <div class="acts" role="group" aria-label="Code">
      <button type="button" onClick={() => save(cardkey, code)} disabled={!isDraft}>
        Save
      </button>
      {!isPublishing && (
        <button type="button" class="primary" onClick={startPublishing}>
          Publish
        </button>
      )}
      <button type="button" disabled={!isDraft} onClick={discard}>
        Discard the draft
      </button>
      <label class="check">
        <input
          type="checkbox"
          checked={program.enabled}
          onChange={({ currentTarget: { checked } }) => switchCode(cardkey, checked)}
        />
        Code runs on purchases
      </label>
      <CopyButton
        name="Copy as curl"
        what="the program as a command"
        text={() => controlCurl('PUT', `cards/${cardkey}/program`, { code, publish: true })}
      />
    </div>
  )
}

interface SimulationProps {
  readonly cardkey: string
  readonly decision: DraftDecision | undefined
  readonly simulate: () => void
}

/** The purchase, and the decision of the draft about it. */
function Simulation({ cardkey, decision, simulate }: SimulationProps) {
  return (
    <>
      <PurchasePanel submit={simulate}>
        <PurchaseFields />
        <button type="submit" class="primary">
          Simulate
        </button>
        <button
          type="button"
          title="Uses the card: what is published decides"
          onClick={() => withPurchase((purchase) => void swipeCard(cardkey, purchase))}
        >
          Swipe
        </button>
      </PurchasePanel>
      {decision ? (
        <Simulated decision={decision} cardKey={cardkey} />
      ) : (
        <p class="facts">
          Simulate runs the draft on this purchase: nothing moves, and nothing is saved. Swipe uses the card,
          and what is published decides.
        </p>
      )}
    </>
  )
}

function State({ program, isDraft }: { program: Program; isDraft: boolean }) {
  const { version, publishedVersion, enabled, rule } = program
  const saved =
    publishedVersion === version ? `version ${version}, published` : `version ${version}, not published`
  return (
    <>
      {isDraft ? `Draft, kept in this browser; saved is ${saved}` : `Saved: ${saved}`}
      {publishedVersion === null
        ? '. Nothing runs on purchases yet.'
        : enabled
          ? '.'
          : '. Code is switched off.'}
      {rule && ' The rule of the card wrote it.'}
    </>
  )
}

interface PaneProps {
  readonly code: string
  readonly line: number | undefined
  readonly editor: { current: Editor | undefined }
  readonly onChange: (code: string) => void
  readonly lint: (code: string) => Promise<readonly Finding[]>
  readonly acts: { readonly current: Acts }
}

/** The place of the editor, which is loaded when it is first shown. */
function EditorPane({ code, line, editor, onChange, lint, acts }: PaneProps) {
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef({ onChange, lint, line, code })
  latest.current = { onChange, lint, line, code }
  const [error, setError] = useState('')
  useEffect(() => {
    let isOver = false
    import('./editor.js').then(
      ({ createEditor }) => {
        if (isOver) return
        editor.current = createEditor({
          parent: place.current!,
          code: latest.current.code,
          onChange: (text) => latest.current.onChange(text),
          lint: (text) => latest.current.lint(text),
          keys: {
            'Mod-Enter': () => acts.current.simulate(),
            'Mod-s': () => acts.current.save(),
            'Mod-Shift-Enter': () => acts.current.publish(),
          },
        })
        if (latest.current.line !== undefined) editor.current.goTo(latest.current.line)
      },
      () => setError('The editor could not be loaded. Reload the page.'),
    )
    return () => {
      isOver = true
      editor.current?.destroy()
      editor.current = undefined
    }
  }, [])
  useEffect(() => {
    if (line !== undefined) editor.current?.goTo(line)
  }, [line])
  return error === '' ? (
    <div class="editor" ref={place} />
  ) : (
    <LoadError error={error} retry={() => location.reload()} />
  )
}

/** The draft's decision, shown like the timeline of a transaction. */
function Simulated({ decision, cardKey }: { decision: DraftDecision; cardKey: string }) {
  const { executions } = decision
  const startMs = Date.parse(executions[0]?.startedAt ?? '')
  return (
    <section aria-label="Result" aria-live="polite">
      <h2>
        <DecisionSign decision={decision.decision} /> by the draft
      </h2>
      <ol class="timeline" aria-label="Timeline">
        {executions.map((execution) => (
          <HookSteps
            key={execution.executionId}
            execution={execution}
            code={decision.code}
            startMs={startMs}
            link={(line) => linkTo('code', [cardKey, String(line)])}
          />
        ))}
      </ol>
    </section>
  )
}

interface PublishProps {
  readonly program: Program
  readonly code: string
  readonly publish: () => void
  readonly close: () => void
}

/** The changes for the next purchase, before they are published. */
function PublishDialog({ program, code, publish, close }: PublishProps) {
  const lines = diffLines(program.publishedCode ?? '', code)
  const signs = { same: ' ', added: '+', removed: '\u2212' } as const
  const words = { same: '', added: 'added: ', removed: 'removed: ' } as const
  const isSame = program.publishedCode === code
  return (
    <Dialog label="Publish this?" onClose={close}>
      <p>
        {isSame
          ? 'This is what is published already.'
          : program.publishedCode === null
            ? 'Nothing is published yet. From the next purchase on, this decides:'
            : `Against version ${program.publishedVersion ?? ''}, which decides now:`}
      </p>
      <pre class="diff" tabIndex={0} aria-label="Changes">
        {lines.map(({ kind, text }, index) => (
          <span key={index} class={kind}>
            <span class="sr">{words[kind]}</span>
            <span aria-hidden="true">{signs[kind]} </span>
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
      <div class="acts">
        <button
          type="button"
          class="primary"
          autofocus
          onClick={() => {
            close()
            publish()
          }}
        >
          Publish
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

function Versions({ cardKey, take }: { cardKey: string; take: (code: string) => void }) {
  const params = { cardkey: cardKey }
  const { value, error, reload } = useLoad(
    () => ask('GET', '/_sandbox/cards/{cardkey}/versions', { params }),
    [cardKey],
    ['card'],
  )
  return (
    <details>
      <summary>Versions</summary>
      <LoadError error={error} retry={reload} />
      <ul class="versions" aria-label="Versions">
        {value?.versions.slice(0, 50).map(({ version, codeId, createdAt, isPublished, code }) => (
          <li key={codeId}>
            <span>
              v{version} {isPublished && <strong>published</strong>} <small>{when(createdAt)}</small>
            </span>
            <button type="button" class="small" onClick={() => take(code)}>
              Edit v{version}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}
