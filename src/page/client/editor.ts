// The editor of main.js: CodeMirror, loaded when it is first shown. It lives in a shadow root, where its styles are
// adopted sheets: the page's policy allows no others.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language'
import { linter, lintGutter, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  type KeyBinding,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { hookNames } from '../../bank/cards/hook-names.js'

/** A finding in the code, as the control API reports it. */
export interface Finding {
  readonly severity: 'error' | 'warning' | 'info'
  readonly message: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

export interface EditorOptions {
  readonly parent: HTMLElement
  readonly code: string
  readonly onChange: (code: string) => void
  readonly lint: (code: string) => Promise<readonly Finding[]>
  readonly keys: Readonly<Record<'Mod-Enter' | 'Mod-s' | 'Mod-Shift-Enter', () => void>>
}

/** The page's interface to an editor. */
export interface Editor {
  /** Replaces the whole text. */
  set(code: string): void
  /** Goes to a line, from 1, and marks it. */
  goTo(line: number): void
  focus(): void
  destroy(): void
}

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--code-function)' },
])

const theme = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--field)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--field)',
    color: 'var(--muted)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-activeLine': { backgroundColor: 'var(--row)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--selection)',
  },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--line)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)' },
})

const members = [
  'authorization.centsAmount',
  'authorization.currencyCode',
  'authorization.merchant.category.code',
  'authorization.merchant.category.key',
  'authorization.merchant.name',
  'authorization.merchant.city',
  'authorization.merchant.country.code',
  'authorization.reference',
  'authorization.accountNumber',
  'authorization.card.id',
  'process.env',
  'console.log',
  'fetch',
]

const completions = [
  ...hookNames.map((label) => ({ label, type: 'function' })),
  ...members.map((label) => ({ label, type: 'property' })),
]

function complete(context: CompletionContext): CompletionResult | null {
  // No completions in comments: words there are prose, and Escape has nothing to close.
  if (syntaxTree(context.state).resolveInner(context.pos, -1).name.endsWith('Comment')) return null
  const word = context.matchBefore(/[\w.]+/)
  return word && (word.text.length > 1 || context.explicit) ? { from: word.from, options: completions } : null
}

/** Tab indents; Escape, then Tab, leaves the editor. */
function bindings(keys: EditorOptions['keys']): KeyBinding[] {
  const run = (act: () => void) => () => {
    act()
    return true
  }
  return [
    { key: 'Mod-Shift-Enter', run: run(keys['Mod-Shift-Enter']) },
    { key: 'Mod-Enter', run: run(keys['Mod-Enter']) },
    { key: 'Mod-s', run: run(keys['Mod-s']), preventDefault: true },
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]
}

export function createEditor({ parent, code, onChange, lint, keys }: EditorOptions): Editor {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const view = new EditorView({
    parent: root as unknown as HTMLElement,
    root,
    state: EditorState.create({
      doc: code,
      extensions: [
        keymap.of(bindings(keys)),
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        javascript(),
        syntaxHighlighting(colours),
        theme,
        autocompletion({ override: [complete] }),
        linter(async (each) => marks(each, await lint(each.state.doc.toString())), { delay: 300 }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'main.js', tabindex: '0' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString())
        }),
      ],
    }),
  })
  return {
    set: (text) => {
      if (text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    },
    goTo: (line) => {
      const { from } = view.state.doc.line(Math.min(Math.max(1, line), view.state.doc.lines))
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      })
      view.focus()
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  }
}

/** Findings as the editor marks them; those outside the text, which may have changed meanwhile, are dropped. */
function marks({ state: { doc } }: EditorView, findings: readonly Finding[]): Diagnostic[] {
  const at = (line: number, column: number): number => {
    const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines))
    return Math.min(to, from + column - 1)
  }
  return findings
    .filter(({ line }) => line <= doc.lines)
    .map(({ severity, message, line, column, endLine, endColumn }) => {
      const from = at(line, column)
      return { from, to: Math.max(from, at(endLine, endColumn)), severity, message }
    })
}
